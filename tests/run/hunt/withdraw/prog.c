/* Check-then-act: is there enough, and take it, are two sections of one lock.  Depth 2: one teller is stopped between them while the
 * other takes all.  Switches: main to one, to the other, back, to main: 4. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int look(void)
{
	pthread_mutex_lock(&m);
	int seen = balance;
	pthread_mutex_unlock(&m);
	return seen;
}

static void *teller(void *x)
{
	if (look() >= 80) {
		pthread_mutex_lock(&m);
		balance -= 80;
		pthread_mutex_unlock(&m);
	}
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, teller, NULL);
	pthread_create(&t[1], NULL, teller, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(balance >= 0);
	return 0;
}
