/* RVExample, ended by its error. */
#include "../relaxed.h"
#include <assert.h>

atomic_int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

THREAD(sets)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&l);
		STORE(x, 1);
		STORE(y, 1);
		pthread_mutex_unlock(&l);
	}
	return me;
}

THREAD(counts)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&l);
		STORE(x, 0);
		pthread_mutex_unlock(&l);
		if (LOAD(x) > 0) {
			int n = LOAD(y);
			STORE(y, n + 1);
			STORE(x, 2);
		}
	}
	return me;
}

THREAD(looks)
{
	for (int i = 0; i < 2; i++) {
		if (LOAD(x) <= 1)
			continue;
		int n = LOAD(y);
		assert(n != 3);
		STORE(y, 2);
	}
	return me;
}

int main(void) { RUN(sets, counts, looks); return 0; }
