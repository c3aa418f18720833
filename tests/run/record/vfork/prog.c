/* The child of vfork works in its parent's memory until it execs or exits. */
#include "../check.h"
#include <signal.h>
#include <sys/wait.h>

static volatile int shared;

static void ignored(int number) { (void)number; }

int main(int argc, char **argv)
{
	int status;
	struct sigaction standard = { .sa_handler = SIG_DFL }, now;
	if (argc > 1)
		return 40 + argc;
	signal(SIGUSR1, ignored);
	pid_t pid = vfork();
	if (pid == 0) {
		shared = 1;
		sigaction(SIGUSR1, &standard, NULL);
		execl("/proc/self/exe", "again", "one", "two", (char *)NULL);
		shared = 2;
		_exit(1);
	}
	IS(shared, 1);
	IS(waitpid(pid, &status, 0), pid);
	IS(WEXITSTATUS(status), 43);
	sigaction(SIGUSR1, NULL, &now);
	CHECK(now.sa_handler == ignored);
	raise(SIGUSR1);
	pid = vfork();
	if (pid == 0) {
		execl("/nonexistent/program", "none", (char *)NULL);
		shared = errno;
		_exit(2);
	}
	IS(shared, ENOENT);
	IS(waitpid(pid, &status, 0), pid);
	IS(WEXITSTATUS(status), 2);
	(void)argv;
	return done();
}
