/* x is used only by who saw ok, and ok is set after x. */
#include <pthread.h>

static int x, ok;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	x = 1;
	pthread_mutex_lock(&m);
	ok = 1;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int told = ok;
	pthread_mutex_unlock(&m);
	if (told)
		x = 2;
	return NULL;
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
