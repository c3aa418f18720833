/* Who sent a signal is the process itself, in a replay too, although it has not asked for its number before. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t same;

static void look(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	same = info->si_pid == getpid() ? 1 : 2;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = look, .sa_flags = SA_SIGINFO };
	sigaction(SIGUSR1, &action, NULL);
	pthread_kill(pthread_self(), SIGUSR1);
	puts(same == 1 ? "by itself" : "by somebody else");
	return 0;
}
