/* Random numbers of the C++ library come from the processor or from a device, inside the library. */
#include <cstdio>
#include <functional>
#include <random>
#include <thread>

unsigned long kept;

int main()
{
	std::random_device device;
	kept += device();
	kept += std::hash<std::thread::id>()(std::this_thread::get_id());
	std::thread other([] { kept += std::this_thread::get_id() == std::thread::id(); });
	other.join();
	std::mt19937 generator(5);
	kept += generator();
	return 0;
}
