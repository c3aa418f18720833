/* A struct passed by value is read where it stands and written where it goes. */
#include <stdio.h>

struct five { long at[5]; };

struct five shared = { { 1, 2, 3, 4, 5 } };
long *kept;

__attribute__((noinline)) static long look(long *at)
{
	kept = at;
	return at[4];
}

__attribute__((noinline)) long sum(struct five five)
{
	return five.at[0] + five.at[1] + look(five.at);
}

int main(void)
{
	printf("%ld\n", sum(shared));
	return 0;
}
