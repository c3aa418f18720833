// A line of a template is as many functions as it has types; a copy of a structure reads and writes in one instruction.
#include <cstdio>
#include <cstring>

template <typename T> static T larger(T a, T b)
{
	return a > b ? a : b;
}

template <typename T> static __attribute__((noinline)) T twice(T x)
{
	return x * 2;
}

struct three { long a; char b; long c; };
static three kept;

static __attribute__((noinline)) void keep(const three *p)
{
	kept = *p;
}

int main(int argc, char **)
{
	three p;
	memset(&p, 0, sizeof p);
	p.a = argc + 4;
	p.b = (char)(argc + 6);
	p.c = argc + 8;
	keep(&p);
	printf("%d %ld %ld; %ld %d %ld\n", twice(argc + 2), twice((long)argc + 4), larger((long)argc, 5l), kept.a, kept.b, kept.c);
	return 0;
}
