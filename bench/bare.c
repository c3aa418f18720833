/* bench/bare.c -- the least a run of its own process can cost here: a process with next to nothing in it is copied, the copy ends, is waited for.
 *   bare        prints "bare", how many a second of processor time on one core, of how many; linked statically */
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 1.0

static double of(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* One core: a process that begins on another costs as much again. */
static void use_one_core(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
}

int main(void)
{
	unsigned runs = 0;
	double spent;
	use_one_core();
	do {
		for (int i = 0; i < 50; i++, runs++) {
			long pid = syscall(SYS_fork);
			if (pid == 0)
				syscall(SYS_exit_group, 0);
			if (pid < 0 || waitpid((pid_t)pid, NULL, 0) < 0)
				return 1;
		}
	} while ((spent = of(RUSAGE_SELF) + of(RUSAGE_CHILDREN)) < SECONDS);
	printf("bare %.0f %u\n", runs / spent, runs);
	return 0;
}
