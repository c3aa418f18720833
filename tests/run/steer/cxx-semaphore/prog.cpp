/* A counting semaphore: released once, one of two that try gets it, or, if it came before, none but main, which takes what is left. */
#include <cstdio>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> s(0);

int main()
{
	bool there = false;
	std::thread t([&] { there = s.try_acquire(); });
	s.release();
	bool here = s.try_acquire();
	t.join();
	std::printf("there %d, here %d\n", there, here);
}
