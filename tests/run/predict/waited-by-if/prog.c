/* Two consumers, one wait by `if`. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;
static void *take(void *unused)
{
	pthread_mutex_lock(&m);
#ifdef OK
	while (items == 0)
#else
	if (items == 0)
#endif
		pthread_cond_wait(&c, &m);
	items--;
	assert(items >= 0);
	pthread_mutex_unlock(&m);
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, take, NULL);
	for (int i = 0; i < 2; i++) {
		usleep(3000);
		pthread_mutex_lock(&m);
		items++;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
