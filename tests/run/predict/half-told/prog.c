/* A sum is marked as being made, then it is there; who looks in between sees the mark: write, read, write. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum = 1;

static void *make(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	sum = -1; /*@A*/
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	sum = 10; /*@B*/
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *use(void *unused)
{
	int now;
	(void)unused;
	pthread_mutex_lock(&lock);
	now = sum; /*@C*/
	pthread_mutex_unlock(&lock);
	if (now < 0)
		abort();
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, make, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
