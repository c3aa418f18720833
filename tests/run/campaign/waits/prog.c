/* Waits that end by themselves and waits that do not.  Each is entered only if its own variable is wrong, so a fault that sets bit 0 of what is read there decides
 * which it is; 60 s are longer than a run may take. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile int timed_cond, timed_sem, timed_lock, polls, naps, reads, polls_ever, locks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static int ends[2];

static struct timespec later(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 60;
	return t;
}

int main(void)
{
	char c;
	sem_init(&none, 0, 0);
	pthread_mutex_lock(&held);
	if (pipe(ends) < 0)
		return 1;
	struct pollfd p = { ends[0], POLLIN, 0 };
	if (timed_cond) {
		struct timespec t = later();
		pthread_mutex_lock(&lock);
		pthread_cond_timedwait(&never, &lock, &t);
	}
	if (timed_sem) {
		struct timespec t = later();
		sem_timedwait(&none, &t);
	}
	if (timed_lock) {
		struct timespec t = later();
		pthread_mutex_timedlock(&held, &t);
	}
	if (polls)
		poll(&p, 1, 60000);
	if (naps)
		sleep(60);
	if (reads)
		printf("%d\n", (int)read(ends[0], &c, 1));
	if (polls_ever)
		poll(&p, 1, -1);
	if (locks)
		pthread_mutex_lock(&held);
	puts("done");
	return 0;
}
