/* Built without raddle: what it does to memory is not in the trace. */
#include "lib.h"

int lib_sum(int *at, int count)
{
	int sum = 0;
	for (int i = 0; i < count; i++)
		sum += at[i] + 1;
	return sum;
}

int lib_private(int *at, int count)
{
	return lib_sum(at, count);
}

int lib_number(int n)
{
	return n & 1;
}

int lib_each(int *at, int count, int (*sum)(int *, int))
{
	return sum(at, count);
}

void lib_take(char *block)
{
	block[0]++;
}
