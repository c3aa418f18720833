/* A value promised by one thread, and a static made by whoever comes first. */
#include <cstdio>
#include <future>
#include <string>
#include <thread>

static const std::string &name()
{
	static const std::string made = std::string("a name that is too long ") + "to lie inside";
	return made;
}

int main()
{
	std::promise<std::string> promise;
	std::future<std::string> future = promise.get_future();
	std::thread a([&promise] { promise.set_value(name()); });
	std::thread b([] { (void)name().size(); });
	std::string got = future.get();
	a.join();
	b.join();
	std::printf("%zu\n", got.size());
	return 0;
}
