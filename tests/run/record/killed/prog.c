/* SIGKILL by its own hand, after a known number of writes: every one of them was executed, so every one is recorded. */
#include "../check.h"
#include <signal.h>

static volatile int counter;

int main(void)
{
	for (int i = 1; i <= 12345; i++)
		counter = i;
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}
