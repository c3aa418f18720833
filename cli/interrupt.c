/* cli/interrupt.c -- see interrupt.h. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "drive/program.h"

static volatile sig_atomic_t came;
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
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

void interrupt_leave(void)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &before[i], NULL);
}
