// std::call_once; a routine that throws leaves the flag unset.
#include "../check.h"
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;

int main()
{
	int runs = 0;
	for (int i = 0; i < 2; i++)
		try {
			std::call_once(flag, [&runs] {
				if (runs++ == 0)
					throw std::runtime_error("not yet");
			});
			CHECK(i == 1);
		} catch (const std::runtime_error &) {
			CHECK(i == 0);
		}
	std::thread([&] { std::call_once(flag, [&runs] { runs++; }); }).join();
	CHECK(runs == 2);
	return done();
}
