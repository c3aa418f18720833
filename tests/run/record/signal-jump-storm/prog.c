/* A timer's handler jumps out of plain code wherever it is, often in the middle of a record: nothing is lost or garbled. */
#include "../check.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#define JUMPS 400

static sigjmp_buf out;
static volatile int jumps;
static volatile long cells[64], rounds;

static void leaves(int number)
{
	(void)number;
	jumps++;
	siglongjmp(out, 1);
}

static void works(void)
{
	for (;;) {
		for (int i = 0; i < 64; i++)
			cells[i] = rounds * 64 + i;
		rounds++;
	}
}

int main(void)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	signal(SIGALRM, leaves);
	if (sigsetjmp(out, 1) == 0)              /* only then the timer: it may strike before the next line runs */
		IS(setitimer(ITIMER_REAL, &often, NULL), 0);
	if (jumps < JUMPS)
		works();
	signal(SIGALRM, SIG_IGN);
	IS(setitimer(ITIMER_REAL, &never, NULL), 0);
	printf("%d\n", jumps);
	return 0;
}
