/* What a shared_ptr points to is looked at by its address, taken out of it under the lock, after the lock was given back. */
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct settings { int width = 80; };
static std::mutex lock;
static std::shared_ptr<settings> now = std::make_shared<settings>();

int main()
{
	int width = 0;
	std::thread reader([&] {
		settings *raw;
		{
			std::lock_guard<std::mutex> held(lock);
			raw = now.get();
		}
		width = raw->width; /*@A*/
	});
	std::thread changer([] {
		auto fresh = std::make_shared<settings>();
		std::lock_guard<std::mutex> held(lock);
		now = fresh;
	});
	reader.join();
	changer.join();
	std::printf("%d\n", width);
	return 0;
}
