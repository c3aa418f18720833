/* A buffer for one: who is woken does not look again. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static int count;

static void *take(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	if (count == 0)                         /*@A*/
		pthread_cond_wait(&some, &m);
	assert(count > 0);                      /*@B*/
	count--;                                /*@C*/
	pthread_mutex_unlock(&m);
	return NULL;
}

static void put(void)
{
	pthread_mutex_lock(&m);
	count++;
	pthread_cond_broadcast(&some);
	pthread_mutex_unlock(&m);
}

int main(void)
{
	pthread_t one, two;
	put();
	pthread_create(&one, NULL, take, NULL);
	pthread_create(&two, NULL, take, NULL);
	pthread_join(one, NULL);
	put();
	pthread_join(two, NULL);
	return 0;
}
