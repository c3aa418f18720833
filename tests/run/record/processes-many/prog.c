/* More processes than a recording has room for: all run as ever. */
#include "../check.h"
#include <sys/wait.h>

int main(void)
{
	int well = 0, status;
	for (int i = 0; i < 300; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(7);
		well += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
	}
	printf("%d children\n", well);
	return 0;
}
