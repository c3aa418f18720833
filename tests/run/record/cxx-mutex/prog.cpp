// std::mutex, recursive, timed; lock_guard, unique_lock, scoped_lock of two.
#include "../check.h"
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex a, b;
std::recursive_mutex r;
std::timed_mutex t;

int main()
{
	{
		std::lock_guard<std::mutex> hold(a);
		std::thread([] { CHECK(!a.try_lock()); }).join();
	}
	{
		std::scoped_lock both(a, b);
		std::lock_guard<std::recursive_mutex> one(r), two(r);
	}
	{
		std::unique_lock<std::timed_mutex> hold(t);
		std::thread([] {
			CHECK(!t.try_lock_for(5ms));
			CHECK(!t.try_lock_until(std::chrono::system_clock::now() + 5ms));
		}).join();
	}
	CHECK(t.try_lock_for(1s));
	t.unlock();
	return done();
}
