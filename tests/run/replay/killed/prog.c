/* Waits to be killed from outside: in a read, in pause, while two threads count under a lock, or by writing where nobody reads. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long count, own[2];

static void handler(int number)
{
	(void)number;
}

static void *counts(void *which)
{
	for (;;) {
		for (int i = 0; i < 1000; i++)
			own[which != NULL]++;
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void ready(void)
{
	FILE *f = fopen("pid", "w");
	fprintf(f, "%d\n", getpid());
	fclose(f);
	rename("pid", "ready");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t t;
	char byte;
	signal(SIGUSR1, handler);
	printf("%s\n", how);
	fflush(stdout);
	if (strcmp(how, "pipe") == 0) {
		int ends[2];
		if (pipe(ends))
			return 1;
		close(ends[0]);
		return write(ends[1], "x", 1) != 1;
	}
	if (strcmp(how, "count") == 0)
		pthread_create(&t, NULL, counts, NULL);
	ready();
	if (strcmp(how, "read") == 0)
		return read(0, &byte, 1) != 1;
	if (strcmp(how, "pause") == 0)
		return pause();
	counts(&lock);
	return 0;
}
