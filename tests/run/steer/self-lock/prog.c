/* A thread that locks again what it holds. */
#include <pthread.h>

int main(void)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	return 0;
}
