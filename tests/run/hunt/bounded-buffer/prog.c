/* A bounded buffer that waits with `if`.  Depth 3: a consumer waits, the producer puts one, another consumer takes it before the first
 * is awake, and the producer does not put the next in time.  Switches: main to consumer, to producer, to the other, back: 4. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int count;

static void *consumer(void *x)
{
	pthread_mutex_lock(&m);
	if (count == 0)
		pthread_cond_wait(&filled, &m);
	assert(count > 0);
	count--;
	pthread_mutex_unlock(&m);
	return x;
}

static void *producer(void *x)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		count++;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&m);
	}
	return x;
}

int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], NULL, consumer, NULL);
	pthread_create(&t[1], NULL, consumer, NULL);
	pthread_create(&t[2], NULL, producer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
