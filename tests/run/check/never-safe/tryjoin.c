/* Has it ended? */
#define _GNU_SOURCE
#include "../relaxed.h"
#include <assert.h>
THREAD(ends) { return me; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, ends, NULL);
	int busy = pthread_tryjoin_np(t, NULL);
	if (busy)
		pthread_join(t, NULL);
	assert(busy);
	return 0;
}
