/* What it computes goes to a file, in full precision; what it prints hangs on nothing.  It finds out by itself that its memory is wrong, late. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void give_up(void)
{
	usleep(20000);
	raise(SIGUSR1);
}

int main(void)
{
	volatile double in = 1.75;
	volatile unsigned left = 3;
	double x = in;
	double y = x * 3.0;
	FILE *out = fopen("result.txt", "w");
	int *checked = malloc(sizeof *checked);
	if (!checked) {
		printf("no memory\n");
		fflush(stdout);
		give_up();
	}
	*checked = 7;
	while (left != 0)               /* one more time round is four thousand million */
		left--;
	fprintf(out, "%.17g\n", y);
	fclose(out);
	free(checked);
	printf("done\n");
	return 0;
}
