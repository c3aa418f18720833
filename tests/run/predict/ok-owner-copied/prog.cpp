/* The twin of pointer-out-of-an-owner: the shared_ptr itself is copied. */
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
		std::shared_ptr<settings> mine;
		{
			std::lock_guard<std::mutex> held(lock);
			mine = now;
		}
		width = mine->width;
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
