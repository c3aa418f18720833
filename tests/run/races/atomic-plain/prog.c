#include "../two.h"
#include <stdatomic.h>

static _Atomic int counter;

static void *a(void *x) { atomic_fetch_add(&counter, 1); return x; }
static void *b(void *x) { *(int *)&counter = 5; return x; }

int main(void)
{
	two(a, a);
	two(a, b);
	return 0;
}
