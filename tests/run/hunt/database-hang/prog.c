/* A hang like SQLite's: who writes takes the connection's lock and then the cache's; who makes room in the cache takes the connection's
 * only when a page is dirty.  Depth 2: the writer has made one dirty and is stopped between its locks while the other makes room.
 * Switches: main to writer, to the other: 2. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t connection = PTHREAD_MUTEX_INITIALIZER, cache = PTHREAD_MUTEX_INITIALIZER;
static atomic_int dirty;

static void *writer(void *x)
{
	pthread_mutex_lock(&connection);
	dirty = 1;
	pthread_mutex_unlock(&connection);
	pthread_mutex_lock(&connection);
	pthread_mutex_lock(&cache);
	dirty = 0;
	pthread_mutex_unlock(&cache);
	pthread_mutex_unlock(&connection);
	return x;
}

static void *make_room(void *x)
{
	pthread_mutex_lock(&cache);
	if (dirty) {
		pthread_mutex_lock(&connection);
		dirty = 0;
		pthread_mutex_unlock(&connection);
	}
	pthread_mutex_unlock(&cache);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, make_room, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
