/* What a branch might not ask for is not read: b comes first, finds nothing ready and leaves `data` alone. */
#include "../two.h"
#include <stdatomic.h>

static atomic_int ready;
static int data, sum;

static void *b(void *x) { sum = atomic_load_explicit(&ready, memory_order_acquire) ? data : 0; return x; }
static void *a(void *x) { data = 1; atomic_store_explicit(&ready, 1, memory_order_release); return x; }

int main(void)
{
	two(b, a);
	return sum;
}
