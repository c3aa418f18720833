#include "../two.h"
#include <stdatomic.h>

static int wrong, right;
static atomic_int flag, lax;

static void *a(void *x)
{
	right = 1;
	wrong = 1;
	atomic_store_explicit(&lax, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_release);
	return x;
}

static void *b(void *x)
{
	int n = 0;
	if (atomic_load_explicit(&lax, memory_order_acquire))
		n += wrong;
	if (atomic_load_explicit(&flag, memory_order_acquire))
		n += right + wrong;
	return (void *)(long)n;
}

int main(void)
{
	two(a, b);
	return right + wrong - 2;
}
