/* Templates, namespaces and std::string: names must come out as they were written. */
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

namespace shop {
template <class T> struct Shelf {
	std::mutex guard;
	T last;
	__attribute__((noinline)) void put(T thing)
	{
		std::lock_guard<std::mutex> hold(guard);
		last = thing;
	}
};
Shelf<std::string> shelf;
std::atomic<int> done;
}

int main()
{
	std::thread worker([] {
		shop::shelf.put("bread");
		shop::done++;
	});
	worker.join();
	return shop::done - 1;
}
