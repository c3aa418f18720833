// Whoever throws first makes the library prepare itself: that is not the program's affair.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

static int caught[4];

static void work(int i)
{
	try {
		throw std::runtime_error(std::string(i + 1, 'x'));
	} catch (const std::exception &e) {
		caught[i] = (int)std::string(e.what()).size();
	}
}

int main()
{
	std::thread threads[4];
	for (int i = 0; i < 4; i++)
		threads[i] = std::thread(work, i);
	for (std::thread &t : threads)
		t.join();
	std::printf("%d\n", caught[0] + caught[1] + caught[2] + caught[3]);
}
