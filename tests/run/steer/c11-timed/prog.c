/* C11 forms with time: thrd_timedout only while the lock is held, cnd_timedwait late or signalled. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t m;

static int hold(void *unused)
{
	(void)unused;
	mtx_lock(&m);
	thrd_yield();
	mtx_unlock(&m);
	thrd_exit(0);
}

int main(void)
{
	thrd_t t;
	struct timespec soon = { .tv_sec = 4000000000 };
	mtx_init(&m, mtx_timed);
	thrd_create(&t, hold, NULL);
	int lock = mtx_timedlock(&m, &soon);
	if (lock == thrd_success)
		mtx_unlock(&m);
	thrd_join(t, NULL);
	thrd_sleep(&(struct timespec){ .tv_nsec = 1 }, NULL);
	printf("lock %s\n", lock == thrd_success ? "success" : lock == thrd_timedout ? "timedout" : "?");
}
