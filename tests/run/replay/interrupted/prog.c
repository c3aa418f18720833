/* Never ends, and has a child that does not either, whose number it writes down. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	pid_t child = fork();
	if (child == 0)
		for (;;)
			pause();
	FILE *f = fopen("number", "w");
	fprintf(f, "%d\n", (int)child);
	fclose(f);
	rename("number", "child");
	for (volatile unsigned i = 0;; i++)
		;
}
