/* Made once, looked at without the lock, shown without a release. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RLX memory_order_relaxed

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
struct conf { int a, b; };
static struct conf *_Atomic conf;

static void *first(void *u)
{
	(void)u;
	struct conf *c = atomic_load_explicit(&conf, RLX);
	if (!c) {
		pthread_mutex_lock(&l);
		c = atomic_load_explicit(&conf, RLX);
		if (!c) {
			c = calloc(1, sizeof *c);
			c->a = 1;
			c->b = 2;
			atomic_store_explicit(&conf, c, RLX);
		}
		pthread_mutex_unlock(&l);
	}
	if (c->a + c->b != 3)
		abort();
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	struct conf *c = atomic_load_explicit(&conf, RLX);
	if (!c) {
		pthread_mutex_lock(&l);
		c = atomic_load_explicit(&conf, RLX);
		if (!c) {
			c = calloc(1, sizeof *c);
			c->a = 1;
			c->b = 2;
			atomic_store_explicit(&conf, c, RLX);
		}
		pthread_mutex_unlock(&l);
	}
	if (c->a + c->b != 3)
		abort();
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
