/* Other ways to make a process: clone, the system call by hand, _Fork, posix_spawn with and without our environment, system. */
#include "../check.h"
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;
static char stack[65536] __attribute__((aligned(16)));
static volatile int touched;

static int cloned(void *arg)
{
	touched++;
	free(malloc(10));
	return *(int *)arg;
}

static int code_of(pid_t pid)
{
	int status;
	IS(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	int code = 5;
	pid_t pid;
	char *again[] = { argv[0], "again", NULL }, *nothing[] = { NULL }, line[16] = "";
	if (argc > 1)
		return getenv("PATH") ? 8 : 9;
	IS(code_of(clone(cloned, stack + sizeof stack, SIGCHLD, &code)), 5);
	IS(touched, 0);
	pid = (pid_t)syscall(SYS_fork);
	if (pid == 0)
		_exit(6);
	IS(code_of(pid), 6);
	pid = _Fork();
	if (pid == 0)
		_exit(7);
	IS(code_of(pid), 7);
	IS(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, again, environ), 0);
	IS(code_of(pid), 8);
	IS(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, again, nothing), 0);
	IS(code_of(pid), 9);
	IS(posix_spawn(&pid, "/nonexistent/program", NULL, NULL, again, environ), ENOENT);
	IS(WEXITSTATUS(system("exit 10")), 10);
	FILE *from = popen("echo hello", "r");
	CHECK(from && fgets(line, sizeof line, from) && !strcmp(line, "hello\n"));
	IS(pclose(from), 0);
	return done();
}
