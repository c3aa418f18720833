/* The total is under the lock, the word beside it is not; the first order keeps the two sections apart. */
#include <pthread.h>
#include <stdio.h>

static struct { long total; long last; } tally;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	tally.last = 1;                 /*@A*/
	pthread_mutex_lock(&m);
	tally.total += 3;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	tally.total += 4;
	pthread_mutex_unlock(&m);
	tally.last = 2;                 /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%ld\n", tally.total);
	return 0;
}
