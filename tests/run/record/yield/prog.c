/* Giving way: all the ways to sleep, and what they refuse. */
#include "../check.h"
#include <sched.h>

int main(void)
{
	struct timespec little = { 0, 2000 }, bad = { 0, 1000000000 };
	IS(sched_yield(), 0);
	IS(usleep(1), 0);
	IS(sleep(0), 0);
	IS(nanosleep(&little, NULL), 0);
	errno = 0;
	IS(nanosleep(&bad, NULL), -1);
	IS(errno, EINVAL);
	errno = 0;
	IS(clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL), 0);
	IS(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL), EINVAL);
	IS(errno, 0);
	return done();
}
