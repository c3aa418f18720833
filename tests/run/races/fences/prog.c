#include "../two.h"
#include <stdatomic.h>

static int late, right;
static atomic_int flag;

static void *a(void *x)
{
	right = 1;
	atomic_thread_fence(memory_order_release);
	late = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return x;
}

static void *b(void *x)
{
	int n = atomic_load_explicit(&flag, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	return (void *)(long)(n + right + late);
}

int main(void)
{
	two(a, b);
	return right + late - 2;
}
