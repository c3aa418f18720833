/* A-B / B-A, for certain: it is killed when both sleep. */
#include "../../record/check.h"
#include <signal.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static volatile pid_t tid[2];

static void *first(void *unused)
{
	pthread_mutex_lock(&a);
	pthread_barrier_wait(&both);
	here(&tid[0]);
	pthread_mutex_lock(&b);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&b);
	pthread_barrier_wait(&both);
	here(&tid[1]);
	pthread_mutex_lock(&a);
	return unused;
}

int main(void)
{
	pthread_t t[2];
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	asleep(&tid[0]);
	asleep(&tid[1]);
	kill(getpid(), SIGKILL);
	pause();
}
