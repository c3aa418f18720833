/* A handler left by siglongjmp: the mask is what it was at sigsetjmp, so the signal comes again; two rounds, two handlers. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile int rounds;

static void handler(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

int main(void)
{
	signal(SIGUSR1, handler);
	if (sigsetjmp(back, 1))
		rounds++;
	if (rounds < 2)
		raise(SIGUSR1);
	printf("rounds %d\n", rounds);
}
