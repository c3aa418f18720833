/* cli/interrupt.c -- see interrupt.h. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "drive/program.h"

static volatile sig_atomic_t came;
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
static timer_t timer;
static bool has_timer;
static struct sigaction before[sizeof numbers / sizeof *numbers];

static void on_signal(int number)
{
	(void)number;
	came = 1;
}

void interrupt_watch(void)
{
	struct sigaction a = { .sa_handler = on_signal };
	came = 0;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &a, &before[i]);
}

bool interrupt_came(void)
{
	return came != 0;
}

bool interrupt_waits(void)
{
	sigset_t held;
	if (sigpending(&held) == 0)
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			if (sigismember(&held, numbers[i]))
				return true;
	return interrupt_came() || program_interrupted() || program_forwarded();
}

void interrupt_after(uint64_t seconds)
{
	struct sigevent how = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGINT };
	struct itimerspec when = { .it_value.tv_sec = (time_t)seconds };
	has_timer = seconds && timer_create(CLOCK_MONOTONIC, &how, &timer) == 0;
	if (has_timer)
		timer_settime(timer, 0, &when, NULL);
}

void interrupt_leave(void)
{
	if (has_timer)
		timer_delete(timer);
	has_timer = false;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &before[i], NULL);
}
