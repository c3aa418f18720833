// What the store is published by is not ordered behind it; but who made it is a std::thread, whose end is code of the library: there the store is in memory.
#include <atomic>
#include <cstdlib>
#include <thread>

struct box { int value; };
static std::atomic<box *> shown;
static box made;

int main()
{
	std::thread shows([] {
		made.value = 7;
		shown.store(&made, std::memory_order_relaxed);
	});
	std::thread looks([] {
		box *seen = shown.load(std::memory_order_relaxed);
		if (seen && seen->value != 7)
			abort();
	});
	shows.join();
	looks.join();
}
