/* Initialised, destroyed while held (refused), destroyed, made again in the same place. */
#include "../check.h"

int main(void)
{
	static pthread_mutex_t m;
	IS(pthread_mutex_init(&m, NULL), 0);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_destroy(&m), EBUSY);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_destroy(&m), 0);
	IS(pthread_mutex_init(&m, NULL), 0);
	IS(pthread_mutex_destroy(&m), 0);
	return done();
}
