/* A promise kept in another thread; a future that is asked with a time limit may be late. */
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

int main()
{
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	std::thread t([&] { promise.set_value(7); });
	bool late = future.wait_for(std::chrono::seconds(1)) == std::future_status::timeout;
	int value = future.get();
	t.join();
	std::printf("%s %d\n", late ? "timeout" : "ready", value);
}
