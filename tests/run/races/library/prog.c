#include "../two.h"

static char wrong[64], right[64], from[64];

static void *a(void *x) { memcpy(wrong, from, 40); memset(right, 1, 32); return x; }
static void *b(void *x) { memset(right + 32, 1, 32); return (void *)strlen(wrong + 39); }

int main(void)
{
	memset(from, 7, 40);
	two(a, b);
	return 0;
}
