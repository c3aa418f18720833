/* Each writes its name and looks later whether it still stands there: write, write, read. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long owner;

static void *own(void *name)
{
	long mine = (long)name, now;
	pthread_mutex_lock(&lock);
	owner = mine; /*@A*/
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	now = owner; /*@B*/
	pthread_mutex_unlock(&lock);
	if (now != mine)
		abort();
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, own, (void *)1);
	pthread_create(&b, NULL, own, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
