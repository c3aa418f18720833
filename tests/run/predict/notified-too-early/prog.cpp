/* The flag is atomic, so nobody races; but it is set and told without the lock, between the look at it and the wait. */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static std::atomic<bool> set{false};

int main()
{
	std::thread setter([] {
		set = true;
		ready.notify_one();
	});
	std::thread waiter([] {
		std::unique_lock<std::mutex> held(lock);
		while (!set)
			ready.wait(held); /*@A*/
	});
	setter.join();
	waiter.join();
	return 0;
}
