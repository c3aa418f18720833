/* Store buffering. The second thread may be made while the first one's store waits: to make a thread empties no buffer but the maker's. */
#include <assert.h>
#include <pthread.h>
static int x, y, r1, r2;
static void *one(void *unused)
{
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
	r1 = __atomic_load_n(&y, __ATOMIC_RELAXED);
	return unused;
}
static void *two(void *unused)
{
	__atomic_store_n(&y, 1, __ATOMIC_RELAXED);
	r2 = __atomic_load_n(&x, __ATOMIC_RELAXED);
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r1 || r2);
	return 0;
}
