// The library of C++ linked in, libc not: operators and guards are the runtime's, which stands before the archive.
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

struct alignas(64) Wide {
	char bytes[64];
};

static const std::string &named()
{
	static std::string name = "a static one, long enough for the heap";
	return name;
}

int main()
{
	size_t sum = 0;
	auto *wide = new Wide;
	auto *maybe = new (std::nothrow) int[10];
	std::thread other([&] { sum += named().size(); });
	other.join();
	try {
		throw std::runtime_error(named());
	} catch (const std::exception &e) {
		sum += std::string(e.what()).size();
	}
	std::printf("%zu %d %d\n", sum, (int)((size_t)wide % 64), maybe != nullptr);
	delete wide;
	delete[] maybe;
}
