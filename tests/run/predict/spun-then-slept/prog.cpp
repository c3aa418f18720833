// Who stores tells only who waits already; who begins to wait in between spins for a while, sleeps, and is told by nobody.
#include <atomic>
#include <thread>

static std::atomic<int> waiting, value;

int main()
{
	std::thread waits([] {
		waiting = 1;
		if (value.load() == 0)
			value.wait(0); /*@A*/
	});
	std::thread tells([] {
#ifdef OK
		value = 1;
		value.notify_one();
#else
		bool tell = waiting.load();
		value = 1;
		if (tell)
			value.notify_one();
#endif
	});
	waits.join();
	tells.join();
}
