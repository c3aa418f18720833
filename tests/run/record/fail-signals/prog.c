/* Each fatal signal, sent or caused, ends a child with that signal; siginfo reaches whoever waits. */
#include "../check.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void cause(int number)
{
	volatile int zero = 0;
	volatile char *volatile bad = (char *)8;
	switch (number) {
	case SIGFPE:  zero = 100 / zero; break;
	case SIGILL:  __asm__ volatile("ud2"); break;
	case SIGTRAP: __asm__ volatile("int3"); break;
	case SIGSEGV: *bad = 1; break;
	default:      raise(number);
	}
}

int main(void)
{
	int numbers[] = { SIGFPE, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGTERM };
	struct rlimit none = { 0, 0 };
	setrlimit(RLIMIT_CORE, &none);
	for (int i = 0; i < 7; i++)
		for (int sent = 0; sent < 2; sent++) {
			int status;
			pid_t pid = fork();
			if (pid == 0) {
				if (sent)
					kill(getpid(), numbers[i]);
				else
					cause(numbers[i]);
				_exit(1);
			}
			IS(waitpid(pid, &status, 0), pid);
			CHECK(WIFSIGNALED(status));
			IS(WTERMSIG(status), numbers[i]);
		}
	return done();
}
