/* Works unless the folder it runs in has a number for a name, and has a shell look: what is recorded of that is what the shell returned.  Runs with a fault have such
 * folders, those without have none: the campaign cannot know that the place will not be come to. */
#include <stdio.h>
#include <stdlib.h>

static int sum;

static void work(void)
{
	int *cells = malloc(4 * sizeof *cells);
	if (!cells)
		return;
	for (int i = 0; i < 4; i++)
		cells[i] = i;
	sum = cells[1] + cells[3];
	free(cells);
}

int main(void)
{
	if (system("case ${PWD##*/} in [0-9]*) exit 1 ;; esac") == 0)
		work();
	printf("%d\n", sum > 0);
	return 0;
}
