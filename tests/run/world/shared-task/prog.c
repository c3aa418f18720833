/* A task made by clone shares memory and thread-local storage with its maker, and is no thread of the process. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static int word;

static int task(void *arg)
{
	word = *(int *)arg;
	return 0;
}

int main(void)
{
	int seven = 7, status = 0;
	char *stack = malloc(65536);
	int pid = clone(task, stack + 65536, CLONE_VM | SIGCHLD, &seven);
	while (waitpid(pid, &status, 0) < 0)
		;
	printf("word %d status %d\n", word, status);
	free(stack);
	return 0;
}
