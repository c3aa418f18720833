/* The twin of made-by-who-comes-first: the second thread begins when the first one has ended. */
#include <cstdlib>
#include <thread>

struct limits {
	int level;
	explicit limits(int l) : level(l) { }
};

static limits &of_all(int level)
{
	static limits made(level);
	return made;
}

int main()
{
	std::thread first([] {
		if (of_all(3).level != 3)
			abort();
	});
	first.join();
	std::thread second([] { of_all(1); });
	second.join();
	return 0;
}
