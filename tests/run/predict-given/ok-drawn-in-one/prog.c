/* Asked and taken in one section: never too much, whoever comes first. */
#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	if (balance >= 80)
		balance -= 80;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, draw, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(balance == 20);
	return 0;
}
