#include "../two.h"
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int fd, read_after, looked_at, wrong;

/* A signal sent happens before the read that returns it, and before whoever is told that it can be read. */
static void *a(void *x)
{
	read_after = 1;
	kill(getpid(), SIGUSR1);
	looked_at = 1;
	sigqueue(getpid(), SIGUSR2, (union sigval){ .sival_int = 1 });
	wrong = 1;
	return x;
}

static void *b(void *x)
{
	struct signalfd_siginfo info;
	struct pollfd p;
	if (read(fd, &info, sizeof info) != sizeof info || info.ssi_signo != SIGUSR1)
		abort();
	read_after++;
	p = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (poll(&p, 1, -1) != 1)
		abort();
	looked_at++;
	wrong++;
	return x;
}

int main(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	two(a, b);
	return 0;
}
