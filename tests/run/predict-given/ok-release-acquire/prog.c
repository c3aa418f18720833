/* A message by release and acquire. */
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;

static void *first(void *unused)
{
	(void)unused;
	message = 9;
	atomic_store_explicit(&sent, 1, memory_order_release);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&sent, memory_order_acquire))
		message++;
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
