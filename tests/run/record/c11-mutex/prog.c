/* mtx_*: plain, recursive, timed, tried. */
#include "../check.h"
#include <threads.h>

static mtx_t m, r;

static int tries(void *unused)
{
	(void)unused;
	struct timespec soon = after(CLOCK_REALTIME, 10);
	IS(mtx_trylock(&m), thrd_busy);
	IS(mtx_timedlock(&m, &soon), thrd_timedout);
	IS(mtx_unlock(&r), thrd_error);
	return 0;
}

int main(void)
{
	thrd_t t;
	IS(mtx_init(&m, mtx_timed), thrd_success);
	IS(mtx_init(&r, mtx_plain | mtx_recursive), thrd_success);
	IS(mtx_lock(&m), thrd_success);
	IS(mtx_lock(&r), thrd_success);
	IS(mtx_trylock(&r), thrd_success);
	IS(thrd_create(&t, tries, NULL), thrd_success);
	IS(thrd_join(t, NULL), thrd_success);
	IS(mtx_unlock(&r), thrd_success);
	IS(mtx_unlock(&r), thrd_success);
	IS(mtx_unlock(&m), thrd_success);
	mtx_destroy(&m);
	mtx_destroy(&r);
	return done();
}
