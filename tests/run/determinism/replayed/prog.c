/* Two threads change x under a lock: which comes first shows in what is printed. */
#include <pthread.h>
#include <stdio.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *by)
{
	pthread_mutex_lock(&lock);
	x = x * 10 + *(int *)by;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int by[2] = { 1, 2 };
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &by[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", x);
	return 0;
}
