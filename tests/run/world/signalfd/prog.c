/* A signal the process sends itself, read from a descriptor by another thread. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int fd;

static void *reads(void *nothing)
{
	struct signalfd_siginfo info;
	if (read(fd, &info, sizeof info) == sizeof info)
		printf("%s, by %s\n", info.ssi_signo == SIGUSR1 ? "SIGUSR1" : "another", (pid_t)info.ssi_pid == getpid() ? "itself" : "others");
	return nothing;
}

int main(void)
{
	pthread_t t;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	pthread_create(&t, NULL, reads, NULL);
	kill(getpid(), SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
