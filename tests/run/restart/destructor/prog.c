/* What a destructor does is part of the run: one event behind the end of main, or two. */
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

__attribute__((destructor)) static void last(void)
{
	x++;
	if (x > 1)
		x++;
}

int main(void)
{
	x++;
	return 0;
}
