/* Clocks, random numbers, identities, the environment: results are those of libc. */
#include "../check.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>

int main(void)
{
	struct timespec a, b;
	struct timeval v;
	unsigned char bytes[16] = { 0 }, zero[16] = { 0 };
	IS(clock_gettime(CLOCK_REALTIME, &a), 0);
	IS(gettimeofday(&v, NULL), 0);
	time_t now = time(NULL);
	CHECK(v.tv_sec >= a.tv_sec && now >= a.tv_sec - 1 && now - a.tv_sec < 100);   /* time() is of the last tick: maybe of the second before */
	IS(clock_gettime(CLOCK_MONOTONIC, &a), 0);
	IS(clock_gettime(CLOCK_MONOTONIC, &b), 0);
	CHECK(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
	errno = 0;
	IS(clock_gettime(12345, &a), -1);
	IS(errno, EINVAL);
	IS(getrandom(bytes, sizeof bytes, 0), sizeof bytes);
	CHECK(memcmp(bytes, zero, sizeof bytes));
	srand(5);
	int first = rand();
	srand(5);
	IS(rand(), first);
	IS(getpid(), syscall(SYS_getpid));
	setenv("RADDLE_TEST", "some value", 1);
	CHECK(!strcmp(getenv("RADDLE_TEST"), "some value"));
	CHECK(!getenv("RADDLE_NOT_THERE"));
	return done();
}
