/* The flag is looked at outside the lock.  Depth 2: flag and signal come between the waiter's look and its wait.
 * Switches: main to waiter, to the other, back to the waiter, which waits for ever: 3. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int flag;

static void *waiter(void *x)
{
	while (!flag) {
		pthread_mutex_lock(&m);
		pthread_cond_wait(&c, &m);
		pthread_mutex_unlock(&m);
	}
	return x;
}

static void *other(void *x)
{
	flag = 1;
	pthread_mutex_lock(&m);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, waiter, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
