/* A barrier of one's own, used twice: it is open while the count is 0, and whoever comes round first closes it again.  Depth 2: one thread
 * is back before the other has left.  Switches: main to one, to the other, which comes round, back: 3. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count;

static void barrier(void)
{
	pthread_mutex_lock(&m);
	if (++count == 2) {
		count = 0;
		pthread_cond_broadcast(&c);
	}
	while (count != 0)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
}

static void *rounds(void *x)
{
	barrier();
	sched_yield();
	barrier();
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, rounds, NULL);
	pthread_create(&t[1], NULL, rounds, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
