// Two threads throw, each for itself, side by side: what the unwinder makes once it makes the same whoever comes first.
#include <cstdio>
#include <stdexcept>
#include <thread>

static int caught[2];

static void work(int me)
{
	try {
		throw me + 1;
	} catch (int number) {
		caught[me] = number;
	}
}

int main()
{
	std::thread one(work, 0), two(work, 1);
	one.join();
	two.join();
	std::printf("%d %d\n", caught[0], caught[1]);
}
