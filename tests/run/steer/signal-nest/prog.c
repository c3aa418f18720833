/* A handler is interrupted by another signal, not by its own unless SA_NODEFER; each thread has its own mask. */
#include <signal.h>
#include <stdio.h>

static int depth, deepest;

static void handler(int number)
{
	if (++depth > deepest)
		deepest = depth;
	if (number == SIGUSR1) {
		raise(SIGUSR1);                  /* waits until this one returns */
		if (depth == 1)
			raise(SIGUSR2);          /* comes at once */
		static int once;
		if (once++ > 3)
			signal(SIGUSR1, SIG_IGN);
	}
	depth--;
}

int main(void)
{
	sigset_t now;
	signal(SIGUSR1, handler);
	signal(SIGUSR2, handler);
	raise(SIGUSR1);
	sigprocmask(SIG_BLOCK, NULL, &now);
	printf("depth %d, %s\n", deepest, sigismember(&now, SIGUSR1) ? "mask lost" : "mask kept");
}
