// std::shared_mutex and shared_timed_mutex in both modes.
#include "../check.h"
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::shared_mutex m;
std::shared_timed_mutex t;

int main()
{
	{
		std::shared_lock<std::shared_mutex> hold(m);
		std::thread([] {
			CHECK(!m.try_lock());
			std::shared_lock<std::shared_mutex> hold(m);
		}).join();
	}
	{
		std::unique_lock<std::shared_timed_mutex> hold(t);
		std::thread([] {
			CHECK(!t.try_lock_shared_for(5ms));
			CHECK(!t.try_lock_for(5ms));
		}).join();
	}
	CHECK(t.try_lock_shared_for(1s));
	t.unlock_shared();
	return done();
}
