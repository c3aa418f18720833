/* A static program that forks, by fork and by _Fork: each child is one process, each fork one event. */
#include "../check.h"
#include <sys/wait.h>

static volatile int generation;

static int child(pid_t (*forks)(void), int code)
{
	int status;
	pid_t pid = forks();
	if (pid == 0)
		return 0;
	IS(waitpid(pid, &status, 0), pid);
	IS(WEXITSTATUS(status), code);
	return 1;
}

static pid_t by_fork(void)
{
	return fork();
}

static pid_t by_own_fork(void)
{
	return _Fork();
}

int main(void)
{
	if (!child(by_fork, 20)) {
		generation++;
		if (!child(by_own_fork, 30)) {
			generation++;
			_exit(30 + generation - 2);
		}
		_exit(20 + generation - 1);
	}
	IS(generation, 0);
	return done();
}
