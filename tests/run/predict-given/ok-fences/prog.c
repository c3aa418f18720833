/* The same message by relaxed accesses between fences. */
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;

static void *first(void *unused)
{
	(void)unused;
	message = 9;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&sent, 1, memory_order_relaxed);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&sent, memory_order_relaxed)) {
		atomic_thread_fence(memory_order_acquire);
		message++;
	}
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
