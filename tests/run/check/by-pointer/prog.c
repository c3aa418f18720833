/* Functions the runtime stands in front of or has models of, called through pointers, are watched as if they were called by their names. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct tools { int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *); void *(*copy)(void *, const void *, size_t); };
struct tools tools = { pthread_mutex_lock, pthread_mutex_unlock, memcpy };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static __thread int mine[16];

static void *add(void *x)
{
	tools.lock(&m);
	int twice = count * 2;
	for (int i = 0; i < 16; i++)
		tools.copy(&mine[i], &twice, sizeof twice);
	count = mine[15] / 2 + 1;
	tools.unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(count == 2);
	return 0;
}
