/* A configuration is replaced while somebody reads the old one. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct config { int refs, size; };
static struct config *now;
static void unref(struct config *c)
{
	pthread_mutex_lock(&m);
	int left = --c->refs;
	pthread_mutex_unlock(&m);
	if (!left)
		free(c);
}
static struct config *make(int size)
{
	struct config *c = malloc(sizeof *c);
	c->refs = 1;
	c->size = size;
	return c;
}
static void *reload(void *unused)
{
	usleep(3000);
	struct config *c = make(2);
	pthread_mutex_lock(&m);
	struct config *old = now;
	now = c;
	pthread_mutex_unlock(&m);
	unref(old);
	return unused;
}
int main(void)
{
	pthread_t t;
	int size;
	now = make(1);
	pthread_create(&t, NULL, reload, NULL);
	pthread_mutex_lock(&m);
	struct config *c = now;
#ifdef OK
	c->refs++;
#endif
	pthread_mutex_unlock(&m);
	size = c->size;         /*@U*/
#ifdef OK
	unref(c);
#endif
	pthread_join(t, NULL);
	free(now);
	return size > 2;
}
