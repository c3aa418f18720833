/* A timed wait may be late only while the value is 0.  A time that is none is refused before anything else. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t s;

static void *post(void *unused)
{
	sem_post(&s);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec soon = { .tv_sec = 4000000000 }, wrong = { .tv_nsec = -5 };
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, post, NULL);
	int first = sem_clockwait(&s, CLOCK_MONOTONIC, &soon) ? errno : 0;
	int second = sem_timedwait(&s, &wrong) ? errno : 0;
	pthread_join(t, NULL);
	printf("%s %s\n", first == ETIMEDOUT ? "ETIMEDOUT" : first ? "?" : "0", second == EINVAL ? "EINVAL" : "?");
}
