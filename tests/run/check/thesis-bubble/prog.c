/* BubbleSort: neighbours of five numbers are swapped without a lock; one may be lost. */
#include "../relaxed.h"
#include <assert.h>

atomic_int a[5] = { 5, 4, 3, 2, 1 };

THREAD(swaps)
{
	long i = (long)me;
	int left = LOAD(a[i]), right = LOAD(a[i + 1]);
	if (left > right) {
		STORE(a[i], right);
		STORE(a[i + 1], left);
	}
	return NULL;
}

int main(void)
{
	RUN(swaps, swaps, swaps, swaps);
	int sum = 0;
	for (int i = 0; i < 5; i++)
		sum += LOAD(a[i]);
	assert(sum == 15);
	return 0;
}
