// C++20: latch, barrier, counting_semaphore, atomic wait and notify.
#include "../check.h"
#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static volatile pid_t tid[3];

int main()
{
	std::latch start(3);
	std::barrier meet(3);
	std::counting_semaphore<4> slots(2);
	std::atomic<int> word{0}, sum{0};
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([&, i] {
			start.arrive_and_wait();
			slots.acquire();
			sum += i;
			slots.release();
			meet.arrive_and_wait();
			CHECK(sum == 3);
			here(&tid[i]);
			word.wait(0);
			CHECK(word == 1);
		});
	for (auto &t : tid)
		asleep(&t);
	word = 1;
	word.notify_all();
	for (auto &t : threads)
		t.join();
	CHECK(slots.try_acquire());
	CHECK(slots.try_acquire());
	CHECK(!slots.try_acquire_for(5ms));
	return done();
}
