/* Leaving handlers by siglongjmp, from one level and from two, many times: what follows belongs to the thread again. */
#include "../check.h"
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf out;
static volatile int outer_runs, inner_runs, after_jump;

static void inner(int number)
{
	(void)number;
	inner_runs++;
	siglongjmp(out, 2);
}

static void outer(int number)
{
	(void)number;
	outer_runs++;
	if (outer_runs % 2)
		siglongjmp(out, 1);
	raise(SIGUSR2);
}

int main(void)
{
	signal(SIGUSR1, outer);
	signal(SIGUSR2, inner);
	for (int i = 0; i < 100; i++) {
		int how = sigsetjmp(out, 1);
		if (!how)
			raise(SIGUSR1);
		after_jump++;
		IS(how, i % 2 ? 2 : 1);
	}
	IS(outer_runs, 100);
	IS(inner_runs, 50);
	IS(after_jump, 100);
	return done();
}
