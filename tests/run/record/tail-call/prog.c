/* Two functions that end in a call of each other, much deeper than any stack: recording must not keep their frames. */
#include <stdio.h>

long at;
int is_odd(long n);

__attribute__((noinline)) int is_even(long n)
{
	at = n;
	return n ? is_odd(n - 1) : 1;
}

__attribute__((noinline)) int is_odd(long n)
{
	at = n;
	return n ? is_even(n - 1) : 0;
}

int main(void)
{
	printf("%d\n", is_even(1000000));
}
