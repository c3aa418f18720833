/* Three wait, one wakes them all. */
#include "../check.h"

static pthread_mutex_t m;
static pthread_cond_t c;
static volatile pid_t tid[3];
static int ready;

static void *waits(void *number)
{
	IS(pthread_mutex_lock(&m), 0);
	here(&tid[(long)number]);
	while (!ready)
		IS(pthread_cond_wait(&c, &m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	IS(pthread_mutex_init(&m, NULL), 0);
	IS(pthread_cond_init(&c, NULL), 0);
	for (long i = 0; i < 3; i++)
		IS(pthread_create(&t[i], NULL, waits, (void *)i), 0);
	for (int i = 0; i < 3; i++)
		asleep(&tid[i]);
	IS(pthread_mutex_lock(&m), 0);
	ready = 1;
	IS(pthread_cond_broadcast(&c), 0);
	IS(pthread_mutex_unlock(&m), 0);
	for (int i = 0; i < 3; i++)
		IS(pthread_join(t[i], NULL), 0);
	IS(pthread_cond_destroy(&c), 0);
	IS(pthread_mutex_destroy(&m), 0);
	return done();
}
