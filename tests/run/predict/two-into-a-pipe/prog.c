/* A byte in a pipe says that something is there.  There are two that write one, and the reader of the first byte takes it to be that of who filled the table. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fd[2];
int table;

static void say(void)
{
	if (write(fd[1], "x", 1) != 1)
		abort();
}

static void *fills(void *unused)
{
	table = 4;                              /*@W*/
	say();
	return unused;
}

static void *greets(void *unused)
{
	say();
	return unused;
}

int main(void)
{
	pthread_t one, two;
	char c;
	if (pipe(fd) < 0)
		return 1;
	pthread_create(&one, NULL, fills, NULL);
	pthread_create(&two, NULL, greets, NULL);
	if (read(fd[0], &c, 1) != 1)
		abort();
	int seen = table;                       /*@R*/
	if (read(fd[0], &c, 1) != 1)
		abort();
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", seen);
	return 0;
}
