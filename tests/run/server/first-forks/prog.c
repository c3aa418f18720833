/* The first thing it does that others could notice is to make a process: that is one of the run, not of the server the runs are copied from. */
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	return wait(NULL) != child;
}
