// Two locks taken in two orders, deep in headers of the system; FIXED: both at once.
#include <mutex>
#include <thread>

static std::mutex left, right;
static int count;

static void both(std::mutex &first, std::mutex &second)
{
#ifdef FIXED
	std::scoped_lock<std::mutex, std::mutex> held(first, second);
#else
	std::lock_guard<std::mutex> one(first);
	std::lock_guard<std::mutex> two(second);
#endif
	count++;
}

int main()
{
	std::thread a([] { both(left, right); });
	std::thread b([] { both(right, left); });
	a.join();
	b.join();
	return count != 2;
}
