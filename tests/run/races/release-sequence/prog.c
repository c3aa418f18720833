#include "../two.h"
#include <stdatomic.h>
#include <semaphore.h>

static int right, wrong;
static atomic_int flag, broken;

static void *a(void *x)
{
	right = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
	wrong = 1;
	atomic_store_explicit(&broken, 1, memory_order_release);
	return x;
}

static void *b(void *x)
{
	atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
	atomic_store_explicit(&broken, 2, memory_order_relaxed);
	int n = 0;
	if (atomic_load_explicit(&broken, memory_order_acquire) == 2)
		n += wrong;
	if (atomic_load_explicit(&flag, memory_order_acquire) == 3)
		n += right;
	return (void *)(long)n;
}

int main(void)
{
	two(a, b);
	return right + wrong - 2;
}
