// What is called between store and load leaves the store in its buffer, or not: store buffering around functions of libstdc++ that are taken to do nothing to it.
// std::shared_ptr, static local variables and yielding are explored too.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
static std::atomic<int> x{0}, y{0};
static std::condition_variable nobody_waits;
static int first, second, between;
struct made_once { int seven; made_once() : seven(7) {} };
static int get() { static made_once one; return one.seven; }
static void call()
{
	switch (between) {
	case 1: nobody_waits.notify_one(); break;
	case 2: nobody_waits.notify_all(); break;
	case 3: assert(get() == 7); break;
	case 4: { std::allocator<char> a; (void)a; } break;
	case 5: std::this_thread::yield(); break;
	default: break;
	}
}
int main(int, char **arguments)
{
	between = atoi(arguments[1]);
	get();
	auto shared = std::make_shared<int>(1);
	std::thread a([shared] { x.store(*shared, std::memory_order_relaxed); call(); first = y.load(std::memory_order_relaxed); });
	std::thread b([] { y.store(1, std::memory_order_relaxed); call(); second = x.load(std::memory_order_relaxed); });
	a.join();
	b.join();
	assert(first + second > 0);
}
