/* A thread cancelled in a wait holds the mutex when its cleanup handler runs. */
#include "../check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static volatile pid_t tid;

static void cleanup(void *unused)
{
	(void)unused;
	IS(pthread_mutex_trylock(&m), EBUSY);
	IS(pthread_mutex_unlock(&m), 0);
}

static void *waits(void *unused)
{
	IS(pthread_mutex_lock(&m), 0);
	pthread_cleanup_push(cleanup, NULL);
	here(&tid);
	for (;;)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	IS(pthread_cancel(t), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	return done();
}
