/* Waiting without holding an errorcheck mutex. */
#include "../check.h"

int main(void)
{
	static pthread_mutex_t m;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	IS(pthread_mutex_init(&m, &a), 0);
	IS(pthread_cond_wait(&c, &m), EPERM);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	return done();
}
