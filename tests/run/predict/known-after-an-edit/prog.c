/* A race, and other things done in the same function: with MORE something was added in front of it, with WORSE another race beside it. */
#include <pthread.h>
#include <stdio.h>

static int total, tried;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *times)
{
#ifdef MORE
	pthread_mutex_lock(&lock);
	tried += 1;
	pthread_mutex_unlock(&lock);
#endif
	total += *(int *)times;
#ifdef WORSE
	tried += 2;
#endif
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	int times = 1;
	pthread_create(&one, NULL, add, &times);
	pthread_create(&two, NULL, add, &times);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", total + tried);
	return 0;
}
