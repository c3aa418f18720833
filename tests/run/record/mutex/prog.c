/* A mutex taken free, and taken after waiting for it. */
#include "../check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile pid_t tid;
static int shared;

static void *waits(void *unused)
{
	here(&tid);
	IS(pthread_mutex_lock(&m), 0);
	shared++;
	IS(pthread_mutex_unlock(&m), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	CHECK(shared == 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_join(t, NULL), 0);
	CHECK(shared == 1);
	return done();
}
