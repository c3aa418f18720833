/* A latch of two: both pass when both have come. */
#include <atomic>
#include <cstdio>
#include <latch>
#include <thread>

static std::latch latch(2);
static std::atomic<int> came;

int main()
{
	int there = 0;
	std::thread t([&] { came++; latch.arrive_and_wait(); there = came; });
	came++;
	latch.arrive_and_wait();
	int here = came;
	t.join();
	std::printf("%d %d\n", here, there);
}
