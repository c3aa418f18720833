/* For the programs of tests/run/check: shared words are relaxed atomics, threads are made and joined in their order. */
#include <pthread.h>
#include <stdatomic.h>

#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define LOAD(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define PUBLISH(x, v) atomic_store_explicit(&(x), v, memory_order_release)
#define THREAD(name) static void *name(void *me)

static inline void run_all(int count, void *(*const *body)(void *))
{
	pthread_t t[80];
	for (long i = 0; i < count; i++)
		pthread_create(&t[i], NULL, body[i], (void *)i);
	for (int i = 0; i < count; i++)
		pthread_join(t[i], NULL);
}
#define RUN(...) run_all((int)(sizeof((void *(*[])(void *)){ __VA_ARGS__ }) / sizeof(void *)), (void *(*[])(void *)){ __VA_ARGS__ })
