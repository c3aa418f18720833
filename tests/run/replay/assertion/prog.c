/* An assertion another thread's turn breaks. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *set(void *a)
{
	atomic_store(&x, 1);
	return a;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
	int first = atomic_load(&x), second = atomic_load(&x);
	assert(first == second);
	pthread_join(t, NULL);
	return 0;
}
