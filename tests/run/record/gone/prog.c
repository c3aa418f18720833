/* The program is removed after it was recorded: its trace still knows where everything happened. */
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;

static void *work(void *arg)
{
	volatile char *block = malloc(10);
	*block = 1;
	pthread_mutex_lock(&lock);
	total++;
	pthread_mutex_unlock(&lock);
	free((void *)block);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return total - 1;
}
