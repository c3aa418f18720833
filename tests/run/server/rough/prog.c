/* A run that does what its argument says. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int shared;

static void *work(void *what)
{
	shared++;
	if (!strcmp(what, "hang"))
		for (unsigned long i = 1;; i = i * 5 + 3)       /* it works, as far as anybody knows */
			__asm__ volatile("" : "+r"(i));
	if (!strcmp(what, "eat"))
		for (;;)
			memset(mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 1 << 24);
	if (!strcmp(what, "fork") && fork() == 0) {
		setsid();
		for (;;)
			pause();
	}
	if (!strcmp(what, "talk"))
		for (int i = 0; i < 5000; i++)
			puts("a line of twenty-two b");
	if (!strcmp(what, "scribble"))
		close(1), close(2), puts("nowhere");
	return NULL;
}

int main(int count, char **words)
{
	pthread_t t;
	pthread_create(&t, NULL, work, words[1]);
	pthread_join(t, NULL);
	printf("%d shared\n", shared);
	return count - 2;
}
