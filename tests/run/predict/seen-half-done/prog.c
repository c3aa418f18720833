/* The log is closed and opened again by two stores, each under the lock: whoever looks in between finds it closed. */
#include <assert.h>
#include <pthread.h>

static int open_ = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void set(int to)
{
	pthread_mutex_lock(&m);
	open_ = to;                             /*@A*/
	pthread_mutex_unlock(&m);
}

static void *rotate(void *unused)
{
	(void)unused;
	set(0);
	set(1);
	return NULL;
}

static void *write_(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	assert(open_);                          /*@B*/
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, rotate, NULL);
	pthread_create(&two, NULL, write_, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
