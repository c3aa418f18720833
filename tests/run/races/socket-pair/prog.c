#include "../two.h"
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[2], there, back, wrong;

/* Both ways, each by itself. */
static void *a(void *x)
{
	char byte;
	there = 1;
	if (send(fd[0], "x", 1, 0) != 1)
		abort();
	wrong = 1;
	if (recv(fd[0], &byte, 1, 0) != 1)
		abort();
	back++;
	return x;
}

static void *b(void *x)
{
	char byte;
	if (recv(fd[1], &byte, 1, 0) != 1)
		abort();
	there++;
	wrong++;
	back = 1;
	if (send(fd[1], "y", 1, 0) != 1)
		abort();
	return x;
}

int main(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return 1;
	two(a, b);
	return 0;
}
