/* Store buffering with a call of libc between store and load: r1 = r2 = 0 is possible unless the call drains the buffer. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

#include "../../../models/libc_paths.h"

static int x, y, r[2];

static int which;

static void round_of(int i, int *own, int *other)
{
	int k = 0;
#define P(name, drains, before, call, after) \
	if (which == k++) { \
		before; \
		__atomic_store_n(own, 1, __ATOMIC_RELAXED); \
		call; \
		r[i] = __atomic_load_n(other, __ATOMIC_RELAXED); \
		after; \
	}
	PATHS(P)
#undef P
}

static void *one(void *unused) { round_of(0, &x, &y); return unused; }
static void *two(void *unused) { round_of(1, &y, &x); return unused; }

int main(int argc, char **argv)
{
	pthread_t a, b;
	which = path_called(argc > 1 ? argv[1] : "");
	assert(which >= 0);
	paths_init();
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r[0] || r[1]);
	return 0;
}
