/* Allocation: two look for a free block under a lock, and mark it under the lock taken anew, and give it back. */
#include "../relaxed.h"
#include <assert.h>

atomic_int used[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int find(void)
{
	pthread_mutex_lock(&m);
	int i = 0;
	while (i < 2 && LOAD(used[i]))
		i++;
	pthread_mutex_unlock(&m);
	return i;
}

static void mark(int i, int as)
{
	pthread_mutex_lock(&m);
	if (as) {
		int was = LOAD(used[i]);
		assert(!was);
	}
	STORE(used[i], as);
	pthread_mutex_unlock(&m);
}

THREAD(allocates)
{
	int i = find();
	if (i < 2) {
		mark(i, 1);
		mark(i, 0);
	}
	return me;
}

int main(void) { RUN(allocates, allocates); return 0; }
