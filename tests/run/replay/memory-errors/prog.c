/* One memory error a run, by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int variable[8];

static char *block(size_t bytes)
{
	return malloc(bytes);
}

static void err(const char *what, volatile char *first, volatile char *second)
{
	int local[8] = { 0 };
	volatile int minus = -1;
	if (strcmp(what, "before") == 0)
		second[minus] = 1;
	else if (strcmp(what, "before-read") == 0)
		printf("%d\n", second[8 * minus]);
	else if (strcmp(what, "behind") == 0)
		first[24 - minus] = 1;
	else if (strcmp(what, "stack") == 0)
		free(local - minus);
	else if (strcmp(what, "variable") == 0)
		free(variable);
	else if (strcmp(what, "grown") == 0)
		first = realloc(variable, 100);
	else if (strcmp(what, "inside") == 0)
		free((char *)first + 16);
}

int main(int argc, char **argv)
{
	char *first = block(24), *second = block(100);
	err(argc > 1 ? argv[1] : "", first, second);
	free(first);
	free(second);
	return 0;
}
