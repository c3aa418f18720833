/* Six counters, each raised without a lock by both threads, one before it goes through the lock and one behind it.  Any order that shows one of the races shows the others, too. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b, c, d, e, f;

static void *first(void *unused)
{
	a++;
	b++;
	c++;
	d++;
	e++;
	f++;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	a++;
	b++;
	c++;
	d++;
	e++;
	f++;
	return unused;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
