/* Whoever comes first makes the static variable of the function, from what he has; the first thread expects to have been that. */
#include <cstdlib>
#include <thread>

struct limits {
	int level;
	explicit limits(int l) : level(l) { }
};

static limits &of_all(int level)
{
	static limits made(level); /*@A*/
	return made;
}

int main()
{
	std::thread first([] {
		if (of_all(3).level != 3)
			abort();
	});
#ifdef OK
	first.join();
#endif
	std::thread second([] { of_all(1); });
#ifndef OK
	first.join();
#endif
	second.join();
	return 0;
}
