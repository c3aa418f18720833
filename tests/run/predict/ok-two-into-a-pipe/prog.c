/* Two write a byte each when they are done, in a pipe; who sums up reads two bytes, however many come at once.  The same with an event descriptor. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd[2], done;
static int part[2], again[2];

static void *computes(void *which)
{
	int i = *(int *)which;
	uint64_t one = 1;
	part[i] = 7;
	if (write(fd[1], "x", 1) != 1)
		abort();
	again[i] = 8;
	if (write(done, &one, sizeof one) != sizeof one)
		abort();
	return NULL;
}

int main(void)
{
	static int which[2] = { 0, 1 };
	pthread_t t[2];
	char bytes[2];
	uint64_t how_many;
	done = eventfd(0, 0);
	if (pipe(fd) < 0)
		return 1;
	for (int i = 0; i < 2; i++) {
		pthread_create(&t[i], NULL, computes, &which[i]);
		pthread_detach(t[i]);
	}
	for (ssize_t got = 0; got < 2;) {
		ssize_t n = read(fd[0], bytes, (size_t)(2 - got));
		if (n <= 0)
			abort();
		got += n;
	}
	int sum = part[0] + part[1];
	for (uint64_t got = 0; got < 2; got += how_many)
		if (read(done, &how_many, sizeof how_many) != sizeof how_many)
			abort();
	sum += again[0] + again[1];
	return sum == 30 ? 0 : 1;
}
