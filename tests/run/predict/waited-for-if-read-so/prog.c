/* data is written, a semaphore posted; who waits for it hands the data on to the reader.  Where the wait hangs on what others have counted so far (SOMETIMES), a run in which
 * it is left out has the race; where everybody always waits none has. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t filled;
static atomic_int counted;
int data, flag, seen;

static void wait_for_it(void)
{
#ifdef SOMETIMES
	int one = counted, other = counted;
	if (one == 2 && other == 4)
		return;
#endif
	sem_wait(&filled);
}

static void *fills(void *unused)
{
	data = 1;
	sem_post(&filled);
	return unused;
}

static void *passes_on(void *unused)
{
	wait_for_it();
#ifdef FLAG
	pthread_mutex_lock(&lock);
	flag = 1;
	pthread_mutex_unlock(&lock);
#else
	seen = data;
#endif
	return unused;
}

static void *reads(void *unused)
{
#ifdef FLAG
	pthread_mutex_lock(&lock);
	int ready = flag;
	pthread_mutex_unlock(&lock);
	if (ready)
		seen = data;
#endif
	return unused;
}

static void *counts(void *unused)
{
	for (int i = 0; i < 6; i++)
		counted++;
	return unused;
}

int main(void)
{
	static void *(*const all[])(void *) = { fills, passes_on, reads, counts };
	pthread_t threads[4];
	sem_init(&filled, 0, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, all[i], 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	return 0;
}
