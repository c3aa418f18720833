/* A counter incremented under a lock that is let go between reading and writing: no data race, an update is lost.
 * Depth 2: one worker is stopped between the two sections while the other goes through both.
 * Switches: main to one, one to the other, back, to main: 4. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *x)
{
	pthread_mutex_lock(&m);
	int seen = count;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	count = seen + 1;
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(count == 2);
	return 0;
}
