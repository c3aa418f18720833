/* A spin lock whose unlock says nothing of what was done under it. */
#include <pthread.h>
#include <stdatomic.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire

static atomic_flag l = ATOMIC_FLAG_INIT;
static int count;

static void *first(void *u)
{
	(void)u;
	while (atomic_flag_test_and_set_explicit(&l, ACQ))
		;
	count++;
	atomic_flag_clear_explicit(&l, RLX);
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	while (atomic_flag_test_and_set_explicit(&l, ACQ))
		;
	count++;
	atomic_flag_clear_explicit(&l, RLX);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
