/* How often it locks is decided by random numbers, from every source there is; and by the processor it runs on and the time it took. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t from_device(void)
{
	uint32_t a = 0, b = 0, c = 0;
	int fd = open("/dev/urandom", O_RDONLY);
	struct iovec parts[2] = { { &a, 2 }, { &b, 4 } };
	FILE *stream = fopen("/dev/random", "r");
	if (fd < 0 || !stream || readv(fd, parts, 2) != 6 || read(fd, &b, 4) != 4 || fread(&c, 4, 1, stream) != 1)
		abort();
	close(fd);
	fclose(stream);
	return a ^ b ^ c;
}

static uint32_t drawn(void)
{
	uint32_t a = 0, b = 0, c = 0, start;
	struct rusage used;
	if (getrandom(&a, sizeof a, 0) != sizeof a || syscall(SYS_getrandom, &b, sizeof b, 0) != sizeof b || getentropy(&c, sizeof c))
		abort();
	memcpy(&start, (void *)getauxval(AT_RANDOM), sizeof start);
	getrusage(RUSAGE_SELF, &used);
	return a ^ b ^ c ^ start ^ from_device() ^ (uint32_t)sched_getcpu() ^ (uint32_t)used.ru_utime.tv_usec ^ (uint32_t)used.ru_minflt;
}

static void *locks(void *out)
{
	uint32_t left = drawn();
	*(uint32_t *)out = left;
	for (left &= 63; left; left--) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	uint32_t first, second;
	pthread_create(&a, NULL, locks, &first);
	pthread_create(&b, NULL, locks, &second);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%08x %08x\n", first, second);
	return first == second;                         /* a thread draws its own */
}
