/* A weak compare-exchange may fail although nobody else is there; a strong one may not. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

int main(void)
{
	int zero = 0, again = 0;
	int weak = atomic_compare_exchange_weak(&x, &zero, 1);
	int strong = atomic_compare_exchange_strong(&x, &again, 1);
	printf("weak %d, strong %d, value %d\n", weak, strong, x);
}
