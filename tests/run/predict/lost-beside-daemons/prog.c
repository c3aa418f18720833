/* One daemon waits for signals that never come, another one for work that never comes; both are meant to.  Beside them a wake-up is lost: `told` is set without the
 * lock, so it may come between the look at it and the wait. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, w = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER, work = PTHREAD_COND_INITIALIZER;
static atomic_int told;

static void *sleeps(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void *serves(void *unused)
{
	pthread_mutex_lock(&w);
	for (;;)
		pthread_cond_wait(&work, &w);
	return unused;
}

static void *tells(void *unused)
{
	atomic_store(&told, 1);
	pthread_cond_signal(&news);
	return unused;
}

static void *hears(void *unused)
{
	pthread_mutex_lock(&m);
	while (!atomic_load(&told))
		pthread_cond_wait(&news, &m);   /*@W*/
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	static void *(*const does[])(void *) = { sleeps, serves, hears, tells };
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, does[i], NULL);
	pthread_join(t[2], NULL);
	pthread_join(t[3], NULL);
	return 0;
}
