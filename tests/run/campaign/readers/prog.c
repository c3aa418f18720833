/* Stores that a library function reads without an event, each in a line that ends with "read"; what is written there afterwards nobody reads.  The last two: a value is handed to
 * assembly; a switch goes the same way by another value. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static struct flock range;
static struct sched_param how;
static sigset_t one, two;
static struct timespec nap, until;
static stack_t elsewhere;
static char room[1 << 16], name[4] = "a";

static int given(int n)
{
	int t = n + 6;                                  /* read */
	__asm__ volatile("" : : "r"(t));
	return 1;
}

static int chosen(int n)
{
	switch (n + 20) {                               /* chosen */
	case 300: return 1;
	default: return 3;
	}
}

int main(int argc, char **argv)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	int fd = open("lockfile", O_RDWR | O_CREAT, 0600);
	(void)argv;
	range.l_type = F_WRLCK;
	range.l_start = argc;                           /* read */
	fcntl(fd, F_SETLK, &range);
	range.l_start = 0;
	how.sched_priority = argc - 1;                  /* read */
	pthread_setschedparam(pthread_self(), SCHED_OTHER, &how);
	how.sched_priority = 0;
	sigemptyset(&one);
	one.__val[0] = (unsigned long)argc << 20;       /* read */
	sigprocmask(SIG_BLOCK, &one, NULL);
	one.__val[0] = 0;
	sigemptyset(&two);
	two.__val[0] = (unsigned long)argc << 21;       /* read */
	pthread_sigmask(SIG_BLOCK, &two, NULL);
	two.__val[0] = 0;
	nap.tv_nsec = argc;                             /* read */
	nanosleep(&nap, NULL);
	nap.tv_nsec = 0;
	until.tv_sec = argc;                            /* read */
	if (pthread_mutex_timedlock(&m, &until) == 0)
		pthread_mutex_unlock(&m);
	until.tv_sec = 0;
	elsewhere.ss_sp = room;
	elsewhere.ss_size = sizeof room - (unsigned)argc; /* read */
	sigaltstack(&elsewhere, NULL);
	elsewhere.ss_size = 0;
	name[1] = (char)('a' + argc);                   /* read */
	pthread_setname_np(pthread_self(), name);
	name[1] = 0;
	printf("%d %d\n", given(argc), chosen(argc));
	return 0;
}
