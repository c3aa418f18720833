/* A timer's thread fills in a number and posts; who waits for the post reads it. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static sem_t told;
static int number;

static void ring(union sigval value)
{
	number = value.sival_int;
	sem_post(&told);
}

int main(void)
{
	timer_t timer;
	struct sigevent how = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring, .sigev_value.sival_int = 5 };
	struct itimerspec when = { .it_value.tv_nsec = 1000000 };
	sem_init(&told, 0, 0);
	if (timer_create(CLOCK_MONOTONIC, &how, &timer) || timer_settime(timer, 0, &when, NULL))
		return 1;
	while (sem_wait(&told))
		;
	printf("%d\n", number);
	return 0;
}
