/* "idle": few events in a quarter of a second of CPU; "busy": as much of it writing events; else: it is over at once. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile int shared[64];

static void work(void)
{
	for (int i = 0; i < 1 << 16; i++)
		shared[i % 64] += i;
}

static void rest(void)
{
	unsigned x = 1;
	for (int i = 0; i < 1 << 20; i++)
		x = x * 1664525u + 1013904223u;
	shared[0] = (int)x;
}

int main(int argc, char **argv)
{
	while (argc > 1 && clock() < CLOCKS_PER_SEC / 4)
		if (!strcmp(argv[1], "busy"))
			work();
		else
			rest();
	return 0;
}
