/* Everything a program may draw a seed from. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	unsigned a = 0, b = 0, c = 0, d;
	int fd = open("/dev/urandom", O_RDONLY);
	if (getrandom(&a, sizeof a, 0) != sizeof a || read(fd, &b, sizeof b) != sizeof b || syscall(SYS_getrandom, &c, sizeof c, 0) != sizeof c)
		return 1;
	d = (unsigned)getppid();
	printf("%u %u %u %u %d %d %d %ld %s\n", a, b, c, d, getpid(), gettid(), getppid(), (long)clock(), getenv("SEED"));
	return 0;
}
