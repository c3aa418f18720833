/* The twin of notified-too-early: set with the lock held. */
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
		{
			std::lock_guard<std::mutex> held(lock);
			set = true;
		}
		ready.notify_one();
	});
	std::thread waiter([] {
		std::unique_lock<std::mutex> held(lock);
		ready.wait(held, [] { return set.load(); });
	});
	setter.join();
	waiter.join();
	return 0;
}
