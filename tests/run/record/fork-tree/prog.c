/* Three generations of processes, each writing to memory of its own. */
#include "../check.h"
#include <sys/wait.h>

static volatile int generation;

static int child(int code)
{
	int status;
	pid_t pid = fork();
	if (pid == 0)
		return 0;
	IS(waitpid(pid, &status, 0), pid);
	IS(WEXITSTATUS(status), code);
	return 1;
}

int main(void)
{
	if (!child(20)) {
		generation++;
		if (!child(30)) {
			generation++;
			_exit(30 + generation - 2);
		}
		exit(20 + generation - 1);
	}
	IS(generation, 0);
	return done();
}
