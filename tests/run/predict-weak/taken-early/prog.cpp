// The store is published by one that is not ordered after it; but a function of the library is called next, and there both are in memory.
#include <atomic>
#include <cstdlib>
#include <locale>
#include <thread>

struct box { int value; };
static std::atomic<box *> shown;
static box made;

int main()
{
	std::thread shows([] {
		made.value = 7;
		shown.store(&made, std::memory_order_relaxed);
		std::locale here;
	});
	std::thread looks([] {
		box *seen = shown.load(std::memory_order_relaxed);
		if (seen && seen->value != 7)
			abort();
	});
	shows.join();
	looks.join();
}
