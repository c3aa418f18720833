/* sem_wait is a cancellation point: while it blocks, and when it need not. */
#include "../check.h"
#include <semaphore.h>

static sem_t empty, full;
static volatile pid_t tid;
static int cleaned;

static void cleanup(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *blocks(void *unused)
{
	pthread_cleanup_push(cleanup, NULL);
	here(&tid);
	sem_wait(&empty);
	pthread_cleanup_pop(0);
	return unused;
}

static void *need_not(void *unused)
{
	pthread_cleanup_push(cleanup, NULL);
	IS(pthread_cancel(pthread_self()), 0);
	sem_wait(&full);
	pthread_cleanup_pop(0);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	int left;
	IS(sem_init(&empty, 0, 0), 0);
	IS(sem_init(&full, 0, 1), 0);
	IS(pthread_create(&t, NULL, blocks, NULL), 0);
	asleep(&tid);
	IS(pthread_cancel(t), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED);
	IS(pthread_create(&t, NULL, need_not, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED);
	sem_getvalue(&full, &left);
	CHECK(left == 1 && cleaned == 2);
	return done();
}
