/* What it does depends on a library and on a variable: with another of either, what was kept of it is of another program. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int bump(int x);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *add(void *me)
{
	pthread_mutex_lock(&lock);
	x = bump(x);
	pthread_mutex_unlock(&lock);
	return me;
}

int main(void)
{
	const char *limit = getenv("LIMIT");
	pthread_t t;
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	assert(x <= (limit ? atoi(limit) : 2));
	return 0;
}
