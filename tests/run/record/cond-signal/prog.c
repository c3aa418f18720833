/* One waits, one signals. */
#include "../check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static volatile pid_t tid;
static int ready;

static void *waits(void *unused)
{
	IS(pthread_mutex_lock(&m), 0);
	here(&tid);
	while (!ready)
		IS(pthread_cond_wait(&c, &m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	IS(pthread_mutex_lock(&m), 0);
	ready = 1;
	IS(pthread_cond_signal(&c), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_join(t, NULL), 0);
	return done();
}
