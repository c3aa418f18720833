/* A timer that starts a thread each time (SIGEV_THREAD): with its value, its stack and all signals blocked; forgotten once deleted. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static sem_t fired;
static int sum, blocked;

static void on_time(union sigval value)
{
	sigset_t mask;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	blocked = sigismember(&mask, SIGUSR1);
	sum += value.sival_int;
	sem_post(&fired);
}

int main(void)
{
	timer_t once;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_time, .sigev_value.sival_int = 5 };
	struct itimerspec soon = { .it_value = { 0, 1000000 } };
	sem_init(&fired, 0, 0);
	int made = timer_create(CLOCK_MONOTONIC, &event, &once);
	for (int i = 0; i < 2; i++) {
		timer_settime(once, 0, &soon, NULL);
		sem_wait(&fired);
	}
	int gone = timer_delete(once), again = timer_delete(once) ? errno : 0;
	printf("%d %d, blocked %d, %d %d\n", made, sum, blocked, gone, again == EINVAL);
}
