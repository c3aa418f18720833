/* bench/pair.c -- a test of two threads and some 16 steps: what bench/restart.c runs as often as it can. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded, open;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	guarded++;
	pthread_mutex_unlock(&lock);
	open++;
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, work, NULL);
	work(NULL);
	pthread_join(other, NULL);
	return 0;
}
