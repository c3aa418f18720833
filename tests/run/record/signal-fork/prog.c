/* fork inside a signal handler: the child returns from the handler and goes on. */
#include "../check.h"
#include <signal.h>
#include <sys/wait.h>

static volatile pid_t child = -1;
static volatile int later;

static void forks(int number)
{
	(void)number;
	child = fork();
}

int main(void)
{
	int status;
	signal(SIGUSR1, forks);
	raise(SIGUSR1);
	later++;
	if (child == 0) {
		later += 10;
		raise(SIGUSR1);
		if (child == 0)
			_exit(later);
		IS(waitpid(child, &status, 0), child);
		_exit(WEXITSTATUS(status) == 11 ? 12 : 1);
	}
	IS(waitpid(child, &status, 0), child);
	IS(WEXITSTATUS(status), 12);
	IS(later, 1);
	return done();
}
