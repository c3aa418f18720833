#include <stdio.h>

#include "../two.h"

static int wrong, right;

static void *a(void *x)
{
	flockfile(stdout);
	right++;
	funlockfile(stdout);
	wrong++;
	return x;
}

static void *b(void *x)
{
	flockfile(stdout);
	right++;
	wrong++;
	funlockfile(stdout);
	return x;
}

int main(void)
{
	two(a, b);
	return right + wrong - 4;
}
