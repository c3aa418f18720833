/* Looked whether it is there in one section, used in the next. */
#include <pthread.h>

struct item { int value; };
static struct item only = { 7 };
static struct item *item = &only;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int there = item != NULL;
	pthread_mutex_unlock(&m);
	if (there) {
		pthread_mutex_lock(&m);
		item->value++;                  /*@C*/
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	item = NULL;
	pthread_mutex_unlock(&m);
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
