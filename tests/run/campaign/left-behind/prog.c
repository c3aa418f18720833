/* A number that is 0 unless a fault makes it another one: 1 (mod 3) a child that never ends is waited for; 2 one is left behind in a session of its own, by a process that ends at once. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned sel;

static void mark(void)
{
	int fd = getenv("MARK") ? open(getenv("MARK"), O_CREAT | O_WRONLY, 0600) : -1;
	if (fd >= 0)
		close(fd);
}

static void for_ever(void)
{
	mark();
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	(void)argv;
	sel = (unsigned)argc - 1;
	if (sel % 3 == 1) {
		if (fork() == 0)
			for_ever();
		wait(NULL);
	} else if (sel % 3 == 2) {
		pid_t middle = fork();
		if (middle == 0) {
			if (fork() == 0) {
				setsid();
				for_ever();
			}
			_exit(0);
		}
		waitpid(middle, NULL, 0);
	}
	printf("fine\n");
	return 0;
}
