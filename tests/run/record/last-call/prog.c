/* What a function does last is told at its own line, not at its caller's, though an optimiser would jump there. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

__attribute__((noinline)) static void drop(void *p)
{
	free(p);
}

__attribute__((noinline)) static void leave(void)
{
	pthread_mutex_unlock(&m);
}

__attribute__((noinline)) static int wake(void)
{
	return pthread_cond_signal(&c);
}

static void *go(void *p)
{
	pthread_mutex_lock(&m);
	wake();
	leave();
	drop(p);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, go, malloc(8));
	pthread_join(t, NULL);
	return 0;
}
