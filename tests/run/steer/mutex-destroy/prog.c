/* Destroying a mutex that may be held: EBUSY or done; then whoever comes later is told EINVAL.
 * A destroyed mutex has no kind (glibc), so to lock it is refused. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void *hold(void *unused)
{
	taken = pthread_mutex_lock(&m);
	if (!taken)
		pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, hold, NULL);
	int result = pthread_mutex_destroy(&m);
	pthread_join(a, NULL);
	printf("%s, %s\n", result == EBUSY ? "EBUSY" : result ? "?" : "destroyed", taken == EINVAL ? "EINVAL" : taken ? "?" : "taken");
}
