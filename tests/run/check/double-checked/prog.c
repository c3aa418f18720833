/* Looked at without the lock, made under it if it was not there: once. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int made, value;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(uses)
{
	if (!LOAD(made)) {
		pthread_mutex_lock(&m);
		if (!LOAD(made)) {
			int n = LOAD(value);
			STORE(value, n + 7);
			atomic_store_explicit(&made, 1, memory_order_release);
		}
		pthread_mutex_unlock(&m);
	}
	int r = LOAD(value);
	assert(r == 7);
	return me;
}

int main(void) { RUN(uses, uses); return 0; }
