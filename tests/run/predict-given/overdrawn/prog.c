/* Enough on the account? asked in one section, taken in another: two may both find enough. */
#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int enough = balance >= 80;
	pthread_mutex_unlock(&m);
	if (enough) {
		pthread_mutex_lock(&m);
		balance -= 80;
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, draw, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(balance >= 0);
	return 0;
}
