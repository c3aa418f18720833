/* std::atomic wait and notify: no notification is lost. */
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> value;

int main()
{
	std::thread t([] { value = 1; value.notify_one(); });
	value.wait(0);
	std::printf("seen %d\n", value.load());
	t.join();
}
