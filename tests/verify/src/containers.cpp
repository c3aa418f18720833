// Containers, smart pointers, exceptions, statics and threads of C++.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Shape {
	virtual ~Shape() = default;
	virtual int area() const = 0;
};
struct Square : Shape {
	int side;
	explicit Square(int s) : side(s) {}
	int area() const override { return side * side; }
};
struct Oblong : Square {
	int other;
	Oblong(int a, int b) : Square(a), other(b) {}
	int area() const override { return side * other; }
};

static std::mutex lock;
static std::condition_variable some;
static std::deque<std::shared_ptr<Shape>> shapes;
static std::map<int, std::string> names;
static std::atomic<int> left{3};

static std::vector<int> &squares()
{
	static std::vector<int> all = [] { std::vector<int> v; for (int i = 0; i < 20; i++) v.push_back(i * i); return v; }();
	return all;
}

static int risky(int n)
{
	std::string what = "number " + std::to_string(n);
	if (n % 3 == 0)
		throw std::runtime_error(what);
	return (int)what.size();
}

static void makes(int id)
{
	std::unordered_map<int, int> counts;
	std::list<int> order;
	for (int i = 0; i < 60; i++) {
		try {
			counts[i % 7] += risky(i);
		} catch (const std::exception &e) {
			counts[-1] += (int)std::string(e.what()).size();
		}
		order.push_front(counts[i % 7] + squares()[(size_t)i % 20]);
		std::lock_guard<std::mutex> hold(lock);
		if (i % 2)
			shapes.push_back(std::make_shared<Square>(i));
		else
			shapes.push_back(std::make_shared<Oblong>(i, id));
		names[i] = std::string((size_t)i, 'x') + std::to_string(id);
		some.notify_one();
	}
	order.sort();
	left--;
	some.notify_all();
}

static long takes()
{
	long area = 0;
	std::unique_lock<std::mutex> hold(lock);
	while (left || !shapes.empty()) {
		some.wait_for(hold, std::chrono::milliseconds(1), [] { return !shapes.empty() || !left; });
		if (shapes.empty())
			continue;
		std::shared_ptr<Shape> s = shapes.front();
		shapes.pop_front();
		area += s->area();
	}
	return area;
}

int main()
{
	std::vector<std::thread> all;
	long area = 0;
	for (int i = 0; i < 3; i++)
		all.emplace_back(makes, i);
	std::thread taker([&area] { area = takes(); });
	for (auto &t : all)
		t.join();
	taker.join();
	std::printf("%ld %zu\n", area, names.size());
}
