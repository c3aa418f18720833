/* Polls two locks in turn: it only looks, and is to let the others go first. */
#include <pthread.h>
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int flag[2];
static void *poller(void *arg)
{
	for (int seen = 0; seen < 2;) {
		for (int i = 0; i < 2; i++) {
			pthread_mutex_lock(&m[i]);
			if (flag[i]) {
				flag[i] = 0;
				seen++;
			}
			pthread_mutex_unlock(&m[i]);
		}
	}
	return arg;
}
static void *setter(void *arg)
{
	long i = (long)arg;
	pthread_mutex_lock(&m[i]);
	flag[i] = 1;
	pthread_mutex_unlock(&m[i]);
	return 0;
}
int main(void)
{
	pthread_t p, s[2];
	pthread_create(&p, 0, poller, 0);
	for (long i = 0; i < 2; i++)
		pthread_create(&s[i], 0, setter, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(s[i], 0);
	pthread_join(p, 0);
	return 0;
}
