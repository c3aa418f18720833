// Exceptions through instrumented frames, std::thread and friends, containers, virtual calls, thread_local, static locals.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Shape {
	virtual ~Shape() { gone++; }
	virtual double area() const = 0;
	static std::atomic<int> gone;
};
std::atomic<int> Shape::gone;

struct Square : Shape {
	double side;
	explicit Square(double s) : side(s) { if (s < 0) throw std::invalid_argument("negative side"); }
	double area() const override { return side * side; }
};

struct Guard {
	int &count;
	explicit Guard(int &c) : count(c) { count++; }
	~Guard() { count--; }
};

static thread_local int depth;
static std::mutex lock;
static std::map<std::string, int> words;

static int dig(int n)
{
	Guard g(depth);
	if (n == 0)
		throw std::runtime_error("bottom at " + std::to_string(depth));
	return dig(n - 1) + 1;
}

static const std::string &name()
{
	static const std::string text = "made once";
	return text;
}

static void count(int who)
{
	for (int i = 0; i < 300; i++) {
		std::lock_guard<std::mutex> hold(lock);
		words["w" + std::to_string((i * 7 + who) % 11)]++;
	}
	try {
		dig(20 + who);
	} catch (const std::exception &e) {
		std::lock_guard<std::mutex> hold(lock);
		words[std::string(e.what()) + (depth == 0 ? " clean" : " dirty")]++;
	}
}

int main()
{
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back(count, i);
	for (auto &t : threads)
		t.join();
	for (auto &[word, n] : words)
		std::printf("%s %d\n", word.c_str(), n);
	std::vector<std::unique_ptr<Shape>> shapes;
	int caught = 0;
	for (double s : { 1.0, 2.5, -1.0, 4.0 })
		try {
			shapes.push_back(std::make_unique<Square>(s));
		} catch (const std::invalid_argument &) {
			caught++;
		}
	double all = 0;
	for (auto &s : shapes)
		all += s->area();
	shapes.clear();
	auto later = std::async(std::launch::async, [] { return dig(3); });
	try {
		later.get();
	} catch (const std::runtime_error &e) {
		std::printf("%s\n", e.what());
	}
	std::printf("%.3f %d %d %s\n", all, caught, Shape::gone.load(), name().c_str());
	return 5;
}
