#include "../two.h"

static volatile int *block[2];

/* The second gets the block the first gave back; what each does to it is its own business. */
static void use(int i)
{
	block[i] = malloc(64);
	*block[i] = 1;
	free((void *)block[i]);
}

static void *a(void *x) { use(0); return x; }
static void *b(void *x) { use(1); return x; }

int main(void)
{
	two(a, b);
	return block[0] != block[1];
}
