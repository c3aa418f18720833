/* Handle 0, as a creation that failed or a fault leaves it: libc refuses to wait for it. */
#include "../check.h"
#include <threads.h>

int main(void)
{
	struct timespec past = { 0, 0 };
	void *value = NULL;
	int wide = 0;
	IS(pthread_join(0, &value), ESRCH);
	IS(pthread_timedjoin_np(0, &value, &past), ESRCH);
	IS(pthread_clockjoin_np(0, &value, CLOCK_MONOTONIC, &past), ESRCH);
	IS(thrd_join(0, &wide), thrd_error);
	IS(pthread_detach(0), ESRCH);
	IS(thrd_detach(0), thrd_error);
	return done();
}
