/* Hashes the address of a function: how often it counts depends on where the program lies. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define PAGES 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	for (uintptr_t i = 0; i <= (((uintptr_t)work >> 12) % PAGES); i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	fputs("counted\n", stderr);
	return 0;
}
