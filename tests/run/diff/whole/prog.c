/* A recursion an optimiser makes a loop of, and a block that is made larger where another one was. */
#include <stdio.h>
#include <stdlib.h>

static int sum(int n)
{
	return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
	char *first = malloc(24);
	free(first);
	char *second = malloc(24);
	second = realloc(second, 20);
	second[0] = (char)sum(5);
	printf("%d\n", second[0]);
	free(second);
	return 0;
}
