/* It stops itself if a fault says so; nobody continues it. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int sel;

int main(int argc, char **argv)
{
	(void)argv;
	sel = argc - 1;
	if (sel)
		kill(getpid(), SIGSTOP);
	printf("fine\n");
	return 0;
}
