/* The last one frees; whether it is the last is looked at again behind the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct thing { int refs; char text[16]; };
static void drop(struct thing *t)
{
	pthread_mutex_lock(&m);
	int left = --t->refs;
	pthread_mutex_unlock(&m);
#ifdef OK
	if (left == 0)
		free(t);
#else
	(void)left;
	pthread_mutex_lock(&m);
	int now = t->refs;      /*@U*/
	pthread_mutex_unlock(&m);
	if (now == 0)
		free(t);
#endif
}
static void *user(void *thing)
{
	usleep(3000);
	drop(thing);
	return NULL;
}
int main(void)
{
	struct thing *t = calloc(1, sizeof *t);
	pthread_t p;
	t->refs = 2;
	pthread_create(&p, NULL, user, t);
	drop(t);
	pthread_join(p, NULL);
	return 0;
}
