/* A run that sends signals: to its group, to everybody, to who it believes is its parent, to who really runs it. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared;

static void *work(void *unused)
{
	shared++;
	return unused;
}

/* In a process that is not steered: the parent of its parent is no secret. */
static void kill_grandparent(void)
{
	char path[64];
	int parent = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
	FILE *f = fopen(path, "r");
	if (f && fscanf(f, "%*d (%*[^)]) %*c %d", &parent) == 1 && parent > 1)
		kill(parent, SIGKILL);
	_exit(0);
}

int main(int count, char **words)
{
	pthread_t t;
	const char *what = count > 1 ? words[1] : "";
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	if (!strcmp(what, "group"))
		kill(0, SIGKILL);
	if (!strcmp(what, "all"))
		printf("%d ", kill(-1, SIGKILL));
	if (!strcmp(what, "parent"))
		printf("%d ", kill(getppid(), SIGKILL));
	if (!strcmp(what, "self"))
		kill(getpid(), SIGTERM);
	if (!strcmp(what, "server")) {
		if (fork() == 0)
			kill_grandparent();
		for (;;)
			__asm__ volatile("pause");
	}
	printf("%d shared\n", shared);
	return 0;
}
