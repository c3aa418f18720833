#include "../two.h"

static char *block, *moved;

static void *a(void *x) { block[3] = 1; return x; }
static void *b(void *x) { moved = realloc(block, 5000); return x; }

int main(void)
{
	block = calloc(1, 16);
	two(a, b);
	return moved[3] - 1;
}
