/* What a program installs is what it gets back, and what runs. */
#include "../check.h"
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t plain_runs, info_runs, value;

static void plain(int number)
{
	IS(number, SIGUSR1);
	plain_runs++;
}

static void with_info(int number, siginfo_t *info, void *context)
{
	IS(number, SIGUSR2);
	IS(info->si_signo, SIGUSR2);
	IS(info->si_pid, getpid());
	CHECK(context);
	value = info->si_value.sival_int;
	info_runs++;
}

int main(void)
{
	struct sigaction a = { .sa_handler = plain, .sa_flags = SA_RESTART }, old;
	sigaddset(&a.sa_mask, SIGHUP);
	IS(sigaction(SIGUSR1, &a, &old), 0);
	CHECK(old.sa_handler == SIG_DFL);
	IS(sigaction(SIGUSR1, NULL, &old), 0);
	CHECK(old.sa_handler == plain && (old.sa_flags & SA_RESTART) && !(old.sa_flags & SA_SIGINFO));
	IS(sigismember(&old.sa_mask, SIGHUP), 1);
	IS(sigismember(&old.sa_mask, SIGINT), 0);
	struct sigaction b = { .sa_flags = SA_SIGINFO };
	b.sa_sigaction = with_info;
	IS(sigaction(SIGUSR2, &b, NULL), 0);
	IS(raise(SIGUSR1), 0);
	IS(kill(getpid(), SIGUSR1), 0);
	IS(pthread_kill(pthread_self(), SIGUSR1), 0);
	IS(plain_runs, 3);
	IS(sigqueue(getpid(), SIGUSR2, (union sigval){ .sival_int = 4711 }), 0);
	IS(info_runs, 1);
	IS(value, 4711);
	CHECK(signal(SIGUSR1, SIG_IGN) == plain);
	IS(raise(SIGUSR1), 0);
	CHECK(signal(SIGUSR1, plain) == SIG_IGN);
	CHECK(signal(SIGUSR1, SIG_DFL) == plain);
	IS(plain_runs, 3);
	errno = 0;
	IS(sigaction(SIGKILL, &a, NULL), -1);
	IS(errno, EINVAL);
	errno = 0;
	CHECK(signal(1000, plain) == SIG_ERR);
	IS(errno, EINVAL);
	errno = 0;
	IS(pthread_kill(pthread_self(), 1000), EINVAL);
	return done();
}
