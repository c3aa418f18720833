/* One thread and four events: begin, the lock, the unlock, the exit.  pct with depth 2 would miss a bug in 199 runs with probability (1 - 1/4)^199. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
