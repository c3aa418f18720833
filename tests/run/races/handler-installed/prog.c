/* A handler runs after the call that installed it, a signal of a timer comes after the call that set it, whichever thread takes it; here it is
 * the second one, since the first blocks them all.  What is written later still races. */
#include "../two.h"
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int by_action, by_signal, by_timer, by_thread, wrong, sum;

static void on_usr1(int n) { sum = by_action + n; }
static void on_usr2(int n) { sum = by_signal + n; }
static void on_alarm(int n) { sum = by_timer + n; }
static void on_start(union sigval v) { if (*(int *)v.sival_ptr != 1) _exit(1); }
static void on_late(int n) { sum = wrong + n; }

static void *taker(void *x)
{
	for (int i = 0; i < 20; i++)
		usleep(1000);
	return x;
}

static void fire(int number, int clock)
{
	timer_t id;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	timer_create(clock, &event, &id);
	timer_settime(id, 0, &soon, NULL);
}

static void start(void)
{
	timer_t id;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_start, .sigev_value.sival_ptr = &by_thread };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	timer_create(CLOCK_MONOTONIC, &event, &id);
	by_thread = 1;
	timer_settime(id, 0, &soon, NULL);
}

int main(void)
{
	pthread_t t;
	struct sigaction action = { .sa_handler = on_usr1 }, alarm = { .sa_handler = on_alarm }, late = { .sa_handler = on_late };
	sigaction(SIGALRM, &alarm, NULL);
	pthread_create(&t, NULL, taker, NULL);
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	by_action = 1;
	sigaction(SIGUSR1, &action, NULL);
	fire(SIGUSR1, CLOCK_MONOTONIC);
	by_signal = 1;
	signal(SIGUSR2, on_usr2);
	fire(SIGUSR2, CLOCK_REALTIME);
	by_timer = 1;
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 3000 }, NULL);
	start();
	sigaction(SIGHUP, &late, NULL);
	fire(SIGHUP, CLOCK_MONOTONIC);
	wrong = 1;
	pthread_join(t, NULL);
	return 0;
}
