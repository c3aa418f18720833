// As spun-then-slept, but it is told whoever waits: who does not sleep yet sees the value.
#include <atomic>
#include <thread>

static std::atomic<int> value;

int main()
{
	std::thread waits([] {
		if (value.load() == 0)
			value.wait(0);
	});
	std::thread tells([] {
		value = 1;
		value.notify_one();
	});
	waits.join();
	tells.join();
}
