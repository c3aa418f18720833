/* A timer descriptor is the same timer under each of its numbers, and gone with the last one. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int copy;

static void *sets(void *unused)
{
	struct itimerspec soon = { .it_value = { 0, 5000000 }, .it_interval = { 0, 5000000 } };
	timerfd_settime(copy, 0, &soon, NULL);
	return unused;
}

int main(void)
{
	pthread_t a;
	uint64_t times = 0;
	struct itimerspec left;
	int first = timerfd_create(CLOCK_MONOTONIC, 0);
	copy = dup(first);
	close(first);
	pthread_create(&a, NULL, sets, NULL);
	long bytes = read(copy, &times, sizeof times);
	int asked = timerfd_gettime(copy, &left);
	pthread_join(a, NULL);
	close(copy);                            /* it would come again: nobody waits for that */
	struct pollfd nothing = { .fd = -1 };
	printf("%ld %d, %d, every %ld ms; %d\n", bytes, times >= 1, asked, left.it_interval.tv_nsec / 1000000, poll(&nothing, 1, 20));
}
