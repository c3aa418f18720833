// async, promise, packaged_task, shared_future; values and exceptions.
#include "../check.h"
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;

int main()
{
	auto sum = std::async(std::launch::async, [](int a, int b) { return a + b; }, 20, 22);
	CHECK(sum.get() == 42);
	auto lazy = std::async(std::launch::deferred, [] { return 7; });
	CHECK(lazy.get() == 7);
	std::promise<int> promise;
	auto promised = promise.get_future().share();
	CHECK(promised.wait_for(1ms) == std::future_status::timeout);
	std::thread gives([&promise] { promise.set_value(9); });
	CHECK(promised.get() == 9 && promised.get() == 9);
	gives.join();
	std::packaged_task<int()> task([]() -> int { throw std::runtime_error("no"); });
	auto fails = task.get_future();
	std::thread(std::move(task)).join();
	try {
		fails.get();
		CHECK(false);
	} catch (const std::runtime_error &) {
	}
	return done();
}
