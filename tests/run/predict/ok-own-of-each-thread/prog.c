/* Each thread has a buffer of its own behind a key, freed when it ends, and a counter of its own. */
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static _Thread_local int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int all;

static int *own(void)
{
	int *mine = pthread_getspecific(key);
	if (!mine) {
		mine = calloc(1, sizeof *mine);
		pthread_setspecific(key, mine);
	}
	used++;
	return mine;
}

static void *work(void *unused)
{
	(void)unused;
	*own() = 1;
	*own() += 1;
	pthread_mutex_lock(&lock);
	all += used;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_key_create(&key, free);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return all == 4 ? 0 : 1;
}
