/* Locals lent to threads of C++, each told by the last thing done to it that it may go: a join, a future, a semaphore and a latch that are locals themselves. */
#include <future>
#include <latch>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

static int sum;

static void joined()
{
	std::vector<int> numbers{ 1, 2, 3 };
	std::thread t([&] { sum += numbers[1]; });
	t.join();
}

static void joined_at_the_end()
{
	std::string text = "a text that is longer than what fits into a string itself";
	std::jthread t([&] { sum += (int)text.size(); });
}

static int asked()
{
	int number = 4;
	auto later = std::async(std::launch::async, [&] { return number * 2; });
	return later.get();
}

static void released(std::vector<std::thread> &all)
{
	std::binary_semaphore done(0);
	int number = 5;
	all.emplace_back([&] { sum += number; done.release(); });
	done.acquire();
}

static void counted_down(std::vector<std::thread> &all)
{
	std::latch done(1);
	int number = 6;
	all.emplace_back([&] { sum += number; done.count_down(); });
	done.wait();
}

int main()
{
	std::vector<std::thread> all;
	joined();
	joined_at_the_end();
	sum += asked();
	released(all);
	counted_down(all);
	for (auto &t : all)
		t.join();
	return sum == 0;
}
