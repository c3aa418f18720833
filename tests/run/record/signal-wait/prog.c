/* Signals taken by waiting for them: sigwait, sigwaitinfo, sigtimedwait, signalfd. */
#include "../check.h"
#include <signal.h>
#include <sys/signalfd.h>

int main(void)
{
	sigset_t set;
	int number = 0;
	siginfo_t info;
	struct signalfd_siginfo read_info;
	struct timespec little = { 0, 1000 };
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	IS(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	raise(SIGUSR1);
	IS(sigwait(&set, &number), 0);
	IS(number, SIGUSR1);
	sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 5 });
	IS(sigwaitinfo(&set, &info), SIGUSR1);
	IS(info.si_value.sival_int, 5);
	errno = 0;
	IS(sigtimedwait(&set, &info, &little), -1);
	IS(errno, EAGAIN);
	int fd = signalfd(-1, &set, 0);
	CHECK(fd >= 0);
	raise(SIGUSR1);
	IS(read(fd, &read_info, sizeof read_info), sizeof read_info);
	IS(read_info.ssi_signo, SIGUSR1);
	return done();
}
