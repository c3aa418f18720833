#include "../two.h"
#include <stdlib.h>
#include <unistd.h>

static int fd[2], right, wrong;

/* A write happens before the read that returns its bytes, and what is done behind it does not. */
static void *a(void *x)
{
	right = wrong = 1;
	if (write(fd[1], "x", 1) != 1)
		abort();
	wrong = 2;
	return x;
}

static void *b(void *x)
{
	char byte;
	int copy = dup(fd[0]);
	if (read(copy, &byte, 1) != 1)
		abort();
	right++;
	wrong++;
	return x;
}

int main(void)
{
	if (pipe(fd))
		return 1;
	two(a, b);
	return 0;
}
