/* bench/often.c -- runs a program many times, as it is, and prints how often it failed: another exit code than 0, a signal, or
 * still running after half a second.
 *   often <times> <program> */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 500

extern char **environ;

static int fails(char **argv, const posix_spawn_file_actions_t *quiet)
{
	pid_t child;
	int status;
	if (posix_spawn(&child, argv[0], quiet, NULL, argv, environ) != 0)
		exit(2);
	struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN };
	if (poll(&end, 1, PATIENCE_MS) == 0)
		kill(child, SIGKILL);
	close(end.fd);
	waitpid(child, &status, 0);
	return status != 0;
}

int main(int count, char **argv)
{
	posix_spawn_file_actions_t quiet;
	long times = count > 2 ? atol(argv[1]) : 0, failed = 0;
	if (times <= 0)
		return 2;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
	for (long i = 0; i < times; i++)
		failed += fails(argv + 2, &quiet);
	printf("%ld\n", failed);
	return 0;
}
