// std::thread, std::mutex, std::condition_variable, std::atomic, std::call_once: explored; what was taken for granted of libstdc++ is listed.
// One argument: the account is looked at and changed in two sections, and comes to less than nothing.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex lock;
static std::condition_variable changed;
static std::once_flag once;
static std::atomic<int> done{0};
static int made, balance = 10;
static bool ready;
static void pay(bool apart)
{
	bool enough;
	std::call_once(once, [] { made = 1; });
	{
		std::unique_lock<std::mutex> own(lock);
		changed.wait(own, [] { return ready; });
		enough = balance >= 7;
		if (!apart && enough)
			balance -= 7;
	}
	if (apart && enough) {
		std::lock_guard<std::mutex> own(lock);
		balance -= 7;
	}
	done++;
}
int main(int argc, char **)
{
	std::vector<std::thread> all;
	for (int i = 0; i < 2; i++)
		all.emplace_back(pay, argc > 1);
	{
		std::lock_guard<std::mutex> own(lock);
		ready = true;
	}
	changed.notify_all();
	for (auto &t : all)
		t.join();
	assert(balance >= 0 && done == 2 && made == 1);
}
