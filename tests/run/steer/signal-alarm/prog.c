/* An alarm of one second ends a sleep of ten with nine seconds left: time is virtual and passes when nobody else can run.  It may
 * also come before the sleep has begun, which then takes its ten seconds. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handler(int number)
{
	(void)number;
	handled++;
}

int main(void)
{
	signal(SIGALRM, handler);
	alarm(1);
	unsigned left = sleep(10);
	printf("left %u, handler %d\n", left, handled);
}
