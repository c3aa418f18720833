#include "../two.h"
#include <stdlib.h>
#include <unistd.h>

#define BYTES 300000u                   /* more than a pipe holds: it goes in parts */

static int fd[2], right;
static char sent[BYTES], got[BYTES];

static void *a(void *x)
{
	right = 1;
	if (write(fd[1], sent, BYTES) != BYTES)
		abort();
	return x;
}

/* The first bytes come long before the last are written. */
static void *b(void *x)
{
	size_t have = 0;
	while (have < BYTES) {
		ssize_t now = read(fd[0], got, 5000);
		if (now <= 0)
			abort();
		right++;
		have += (size_t)now;
	}
	return x;
}

int main(void)
{
	if (pipe(fd))
		return 1;
	two(a, b);
	return 0;
}
