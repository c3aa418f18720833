/* Store buffering with calls of libc between store and load: r1 = r2 = 0 is possible unless one of them drains the buffer.
 * prog A B: the paths of tests/models/libc_paths.h the first thread takes, and the second; - is all that do not drain, one after the other. */
#define _GNU_SOURCE
#include <assert.h>

#include "../../../models/libc_paths.h"

static int x, y, r[2];
static uint64_t chosen[2];

static inline void round_of(int i, int *stored, int *loaded)
{
	uint64_t which = chosen[i];
	paths_before(which, i);
	__atomic_store_n(stored, 1, __ATOMIC_RELAXED);
	paths_call(which, i);
	r[i] = __atomic_load_n(loaded, __ATOMIC_RELAXED);
	paths_after(which, i);
}

static void *one(void *unused) { round_of(0, &x, &y); return unused; }
static void *two(void *unused) { round_of(1, &y, &x); return unused; }

/* No name of a path: all that do not drain. */
static uint64_t paths_named(const char *name)
{
	uint64_t which = 0;
	int k = path_called(name);
	for (unsigned i = 0; i < PATH_COUNT; i++)
		if (k < 0 ? paths[i].explored && !paths[i].drains : i == (unsigned)k)
			which |= 1ull << i;
	return which;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	if (argc != 3)
		return 3;
	chosen[0] = paths_named(argv[1]);
	chosen[1] = paths_named(argv[2]);
	paths_init();
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r[0] || r[1]);
	return 0;
}
