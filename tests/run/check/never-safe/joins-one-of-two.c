/* Two write the same, but main waits for one of them only, and then writes itself. */
#include "../relaxed.h"
#include <assert.h>
static atomic_int x;
THREAD(writes) { STORE(x, 1); return me; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, writes, NULL);
	if (LOAD(x)) {
		pthread_join(b, NULL);
		STORE(x, 0);
		assert(LOAD(x) == 0);
		pthread_join(a, NULL);
	} else {
		pthread_join(a, NULL);
		pthread_join(b, NULL);
	}
	return 0;
}
