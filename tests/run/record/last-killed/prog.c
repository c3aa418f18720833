/* Killed at any moment, in memory the ring has used many times before.  What was executed can be seen from outside: each counter is a word of a
 * file that is mapped shared. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define TURNS 200000

static volatile long *words;
static atomic_int ready;

static void *count_up(void *arg)
{
	volatile long *word = &words[arg != NULL];
	for (long i = 1;; i++) {
		*word = i;
		if (i == TURNS)
			atomic_fetch_add(&ready, 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int file = open("words", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || ftruncate(file, 4096))
		return 1;
	words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	pthread_create(&a, NULL, count_up, NULL);
	pthread_create(&b, NULL, count_up, (void *)1);
	while (atomic_load(&ready) < 2)
		usleep(100);
	kill(getpid(), SIGKILL);
	return 0;
}
