/* A thread that may be cancelled before it writes, or not. */
#include "../relaxed.h"
#include <assert.h>
static atomic_int x;
THREAD(writes) { pthread_testcancel(); STORE(x, 1); return me; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writes, NULL);
	pthread_cancel(t);
	pthread_join(t, NULL);
	assert(LOAD(x) == 0);
	return 0;
}
