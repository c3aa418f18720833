/* Whether fflush has anything to write depends on what the other thread has flushed already, which no event tells. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *print(void *x)
{
	pthread_mutex_lock(&m);
	printf("%d\n", n++);
	pthread_mutex_unlock(&m);
	fflush(stdout);
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, print, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
