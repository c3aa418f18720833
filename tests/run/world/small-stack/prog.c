/* Threads with the smallest stack there is: they make others, lock, wait, print, take memory and signals.  With an argument: one that really overflows its own. */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_attr_t small;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int last_has_come;
static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	(void)number;
	handled++;
}

static void work(void)
{
	char *block = malloc(100);
	memset(block, 1, 100);
	printf("%s %d\n", "a line", block[0]);
	free(block);
	raise(SIGUSR1);
}

static void *chain(void *depth)
{
	pthread_t next;
	work();
	if (depth) {
		pthread_create(&next, &small, chain, (char *)depth - 1);
		pthread_mutex_lock(&lock);
		while (!last_has_come)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
		pthread_join(next, NULL);
	} else {
		pthread_mutex_lock(&lock);
		last_has_come = 1;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static int deeper(volatile char *above, int depth)
{
	volatile char here[512];
	here[0] = above[0];
	return depth < 1 << 20 ? deeper(here, depth + 1) + here[0] : 0;
}

static void *overflows(void *unused)
{
	volatile char first[1] = { 1 };
	printf("%d\n", deeper(first, 0));
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t first;
	(void)argv;
	signal(SIGUSR1, on_signal);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
	pthread_create(&first, &small, argc > 1 ? overflows : chain, (void *)6);
	pthread_join(first, NULL);
	return handled != 7;
}
