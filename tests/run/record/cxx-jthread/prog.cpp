// std::jthread: stopped and joined by its destructor; a stop callback; waiting with a stop token.
#include "../check.h"
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
	int rounds = 0, called = 0;
	bool woken = false;
	{
		std::jthread spins([&rounds](std::stop_token stop) {
			while (!stop.stop_requested()) {
				rounds++;
				std::this_thread::yield();
			}
		});
		std::stop_callback call(spins.get_stop_token(), [&called] { called++; });
		std::jthread waits([&woken](std::stop_token stop) {
			std::mutex m;
			std::condition_variable_any c;
			std::unique_lock<std::mutex> hold(m);
			woken = !c.wait(hold, stop, [] { return false; });
		});
		waits.request_stop();
		spins.request_stop();
	}
	CHECK(called == 1 && woken && rounds >= 0);
	return done();
}
