// The result of a task is waited for under the lock the task wants.  The wait is deep in a library without lines: where to look is the program's own function.
#include <chrono>
#include <future>
#include <mutex>

static std::mutex lock;
static int count;

__attribute__((noinline)) static int asks(std::future<int> &result)
{
	std::lock_guard<std::mutex> held(lock);
	return result.get();
}

int main()
{
	auto result = std::async(std::launch::async, [] { std::lock_guard<std::mutex> held(lock); return ++count; });
	std::this_thread::sleep_for(std::chrono::milliseconds(2));
	return asks(result) != 1;
}
