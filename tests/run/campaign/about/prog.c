#include <stdio.h>

static int total;

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 10; i++)
		total += argc;
	printf("%d\n", total);
	return 0;
}
