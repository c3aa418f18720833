#include "../two.h"
#include <stdlib.h>
#include <unistd.h>

static int fd[2], right, wrong;

/* Who closed the end for writing comes before who finds that nothing more will come. */
static void *a(void *x)
{
	right = 1;
	close(fd[1]);
	wrong = 1;
	return x;
}

static void *b(void *x)
{
	char byte;
	if (read(fd[0], &byte, 1) != 0)
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
