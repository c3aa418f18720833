/* Ends with code 3 in one of the ways a program can; says its own name and the number of a descriptor, which a debugger must not change. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *way;

static void leave(void)
{
	if (!strcmp(way, "exit"))
		exit(3);
	if (!strcmp(way, "_exit"))
		_exit(3);
	if (!strcmp(way, "quick_exit"))
		quick_exit(3);
}

static void *thread(void *unused)
{
	pthread_setname_np(pthread_self(), "leaver");
	leave();
	return unused;
}

int main(int count, char **words)
{
	pthread_t t;
	way = count > 1 ? words[1] : "";
	printf("%s %d\n", words[0], open("/dev/null", O_RDONLY));
	fflush(stdout);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 3;
}
