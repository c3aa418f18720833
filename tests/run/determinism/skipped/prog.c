/* One thread waits until the other says that it is ready.  0: as it should be; 1: asked once; 2: told without the lock, so the signal may be lost;
 * 3: nothing is asked, so a signal that comes first is lost. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int how, ready;

static void *waits(void *unused)
{
	pthread_mutex_lock(&lock);
	if (how == 3 || (how == 1 && !ready))
		pthread_cond_wait(&changed, &lock);
	while (how != 1 && how != 3 && !ready)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *tells(void *unused)
{
	if (how != 2)
		pthread_mutex_lock(&lock);
	if (how != 3)
		__atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
	pthread_cond_signal(&changed);
	if (how != 2)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	how = argc > 1 ? atoi(argv[1]) : 0;
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, tells, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
