/* A thread, and with it a path, called by bytes that are no text: no UTF-8, an escape, a C1 control. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include <raddle.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared, told;

static void *other(void *unused)
{
	pthread_setname_np(pthread_self(), "n\x80\x1b[31m\xc2\x9b");
	shared++;
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	raddle_label("l\x80\x1b[31m\xc2\x9b");
	raddle_happens_after(&told);
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t t;
	(void)arguments;
	pthread_create(&t, NULL, other, NULL);
	shared++;
	raddle_happens_before(&told);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
	assert(count < 3);
	return 0;
}
