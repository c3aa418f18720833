/* A number that is 0 unless a fault makes it another one: 1 (mod 3) everybody in the process group is killed; 2 who started the program is stopped. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

unsigned sel;

int main(int argc, char **argv)
{
	(void)argv;
	sel = (unsigned)argc - 1;
	if (sel % 3 == 1)
		kill(0, SIGKILL);
	else if (sel % 3 == 2)
		kill(getppid(), SIGSTOP);
	printf("fine\n");
	return 0;
}
