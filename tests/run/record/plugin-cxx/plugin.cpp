#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex lock;

static std::vector<int> &numbers()
{
	static std::vector<int> all;
	return all;
}

extern "C" int count()
{
	auto many = std::make_unique<int>(4);
	std::thread other([&] {
		for (int i = 0; i < *many; i++)
			try {
				std::lock_guard<std::mutex> held(lock);
				numbers().push_back(i);
				if (i % 2)
					throw std::runtime_error("odd");
			} catch (const std::runtime_error &) {
				numbers().push_back(10);
			}
	});
	other.join();
	return (int)numbers().size();
}
