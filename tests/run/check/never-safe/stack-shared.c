/* A variable of main's that a thread is handed. */
#include "../relaxed.h"
#include <assert.h>
THREAD(adds) { atomic_fetch_add((atomic_int *)me, 1); return NULL; }
int main(void)
{
	atomic_int n = 0;
	pthread_t t;
	pthread_create(&t, NULL, adds, &n);
	int seen = n;
	pthread_join(t, NULL);
	assert(seen == 0);
	return 0;
}
