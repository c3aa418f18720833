/* std::barrier: the completion runs once a round, between the arrivals and the departures. */
#include <atomic>
#include <barrier>
#include <cstdio>
#include <thread>

static std::atomic<int> completed, wrong;

int main()
{
	std::barrier barrier(2, []() noexcept { completed++; });
	std::thread t([&] { barrier.arrive_and_wait(); if (completed != 1) wrong++; });
	barrier.arrive_and_wait();
	if (completed != 1)
		wrong++;
	t.join();
	std::printf("completed %d\n", wrong ? -1 : completed.load());
}
