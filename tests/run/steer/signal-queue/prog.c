/* Queued signals of the real-time kind come one by one, in order, with their values; the mask of the handler keeps the second
 * out while the first is handled. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int values[4], count, inside;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	if (inside++)
		puts("nested");
	if (count < 4)
		values[count++] = info->si_value.sival_int;
	inside--;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigset_t set;
	sigaction(SIGRTMIN, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 1; i <= 3; i++)
		sigqueue(getpid(), SIGRTMIN, (union sigval){ .sival_int = i });
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("%d %d %d\n", values[0], values[1], values[2]);
}
