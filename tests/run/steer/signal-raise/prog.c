/* raise: the handler has run when it returns; blocked, it runs when the mask is opened, before that call returns. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t count;

static void handler(int number)
{
	(void)number;
	count++;
}

int main(void)
{
	sigset_t set, waiting;
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	int first = count;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	raise(SIGUSR1);
	int second = count;
	sigpending(&waiting);
	int pending = sigismember(&waiting, SIGUSR1);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("%d %d %d, pending %d\n", first, second, count, pending);
}
