#include "../two.h"
#include <stdint.h>

static int right, wrong;
static union { uint64_t all; uint32_t half[2]; } u;

static void *a(void *x)
{
	right = 1;
	__atomic_store_n(&u.all, 0x100000001ull, __ATOMIC_RELEASE);
	wrong = 1;
	__atomic_store_n(&u.half[1], 2, __ATOMIC_RELEASE);
	return x;
}

static void *b(void *x)
{
	int n = 0;
	if (__atomic_load_n(&u.half[0], __ATOMIC_ACQUIRE) == 1)
		n += right + wrong;
	if (__atomic_load_n(&u.half[1], __ATOMIC_ACQUIRE) == 2)
		n += wrong;
	return (void *)(long)n;
}

int main(void)
{
	two(a, b);
	return right + wrong - 2;
}
