/* exit runs what atexit registered, and the status is that of the program. */
#include "../check.h"

static volatile int ran;

static void last(void)
{
	ran++;
	if (ran == 2)
		puts("last");
	fflush(stdout);
}

static void first(void)
{
	ran++;
	free(malloc(10));
}

int main(void)
{
	atexit(last);
	atexit(first);
	exit(17);
}
