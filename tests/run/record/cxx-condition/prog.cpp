// std::condition_variable and condition_variable_any.
#include "../check.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static volatile pid_t tid;
std::mutex m;
std::condition_variable c;

int main()
{
	bool ready = false;
	std::thread waits([&] {
		std::unique_lock<std::mutex> hold(m);
		here(&tid);
		c.wait(hold, [&] { return ready; });
	});
	asleep(&tid);
	{
		std::lock_guard<std::mutex> hold(m);
		ready = true;
		c.notify_one();
	}
	waits.join();
	std::unique_lock<std::mutex> hold(m);
	CHECK(c.wait_for(hold, 5ms) == std::cv_status::timeout);
	std::condition_variable_any any;
	any.notify_all();
	CHECK(!any.wait_for(hold, 5ms, [] { return false; }));
	return done();
}
