/* Two functions of one name: only the one with a number is the mechanism; the other is called each time. */
#include <cstdio>
#include <cstdlib>

static volatile int value = 5;

namespace shop {
__attribute__((noinline)) void noticed(const char *what) { std::puts(what); }
__attribute__((noinline)) void noticed(int what) { std::printf("%d is wrong\n", what); }
}

int main()
{
	shop::noticed("begins");
	int v = value;
	if (v != 5)
		shop::noticed(v);
	std::puts("ends");
	return 0;
}
