/* Stops its parent where that is about to be gone; if a signal ended it, for longer than a campaign gives it. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	pid_t parent = getppid();
	int status;
	if (ptrace(PTRACE_SEIZE, parent, NULL, (void *)PTRACE_O_TRACEEXIT) != 0 || write(1, "y", 1) != 1)
		return 1;
	while (waitpid(parent, &status, __WALL) == parent && WIFSTOPPED(status)) {
		unsigned long ends = 0;
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
			if (ptrace(PTRACE_GETEVENTMSG, parent, NULL, &ends) == 0 && WIFSIGNALED((int)ends))
				sleep(3);
			ptrace(PTRACE_CONT, parent, NULL, NULL);
		} else
			ptrace(PTRACE_CONT, parent, NULL, (void *)(long)(status >> 16 ? 0 : WSTOPSIG(status)));
	}
	return 0;
}
