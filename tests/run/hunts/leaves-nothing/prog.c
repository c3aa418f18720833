/* Counts how often it ran in a file, makes another and takes a third away; and loses an update in some orders. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int shared;

static void *work(void *unused)
{
	shared++;
	return unused;
}

int main(void)
{
	pthread_t other;
	int ran = 0;
	FILE *f = fopen("counter", "r+");
	if (!f || fscanf(f, "%d", &ran) != 1 || ran != 7)
		return 3;
	rewind(f);
	fprintf(f, "%d\n", ran + 1);
	fclose(f);
	f = fopen("made", "wx");
	if (!f || rename("taken", "away") || !mkdtemp((char[]){ "/tmp/raddle-leaves-nothing-XXXXXX" }))
		return 4;
	fclose(f);
	pthread_create(&other, NULL, work, NULL);
	shared++;
	pthread_join(other, NULL);
	return shared != 2;
}
