/* Programs that want to outlive raddle, each in a way of its own.  The process that is to be looked for calls itself "hostile". */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int turns;

static void *spin(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		turns++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void hear_nothing(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int i = 1; i < SIGSYS; i++)
		signal(i, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, 0);
}

static void stay(void)
{
	hear_nothing();
	prctl(PR_SET_NAME, "hostile");
	for (;;)
		sleep(1000);
}

/* A child that belongs to nobody, in a session of its own. */
static void detached(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			stay();
		_exit(0);
	}
	wait(NULL);
}

static void stopped(void)
{
	if (fork() == 0) {
		setpgid(0, 0);
		hear_nothing();
		prctl(PR_SET_NAME, "hostile");
		raise(SIGSTOP);
		stay();
	}
}

static void reaper(void)
{
	if (fork() == 0) {
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		setsid();
		detached();
		stay();
	}
}

static void other(char **argv)
{
	if (fork() == 0) {
		setsid();
		hear_nothing();
		execv(argv[2], argv + 2);
		_exit(1);
	}
}

static void *forks(void *unused)
{
	if (fork() == 0)
		stay();
	return unused;
}

/* Whose first thread is gone. */
static void headless(void)
{
	if (fork() == 0) {
		pthread_t t;
		setsid();
		pthread_create(&t, NULL, forks, NULL);
		pthread_exit(NULL);
	}
}

static void apart(void)
{
	if (fork() == 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 && fork() == 0)
			detached();
		stay();
	}
}

int main(int argc, char **argv)
{
	pthread_t t;
	const char *how = argc > 1 ? argv[1] : "spin";
	if (strstr(how, "detached")) detached();
	if (!strcmp(how, "stopped"))  stopped();
	if (!strcmp(how, "reaper"))   reaper();
	if (!strcmp(how, "headless")) headless();
	if (!strcmp(how, "apart"))    apart();
	if (!strcmp(how, "other"))    other(argv);
	if (!strcmp(how, "deaf"))     hear_nothing();
	if (!strcmp(how, "detached-end"))
		return 0;
	if (!strcmp(how, "spin") || !strcmp(how, "deaf"))
		prctl(PR_SET_NAME, "hostile");
	pthread_create(&t, NULL, spin, NULL);
	pthread_join(t, NULL);
	return 0;
}
