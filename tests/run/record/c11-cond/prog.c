/* cnd_*: signalled, broadcast, out of time. */
#include "../check.h"
#include <threads.h>

static mtx_t m;
static cnd_t c;
static volatile pid_t tid;
static int ready;

static int waits(void *unused)
{
	(void)unused;
	mtx_lock(&m);
	here(&tid);
	while (!ready)
		IS(cnd_wait(&c, &m), thrd_success);
	mtx_unlock(&m);
	return 0;
}

int main(void)
{
	thrd_t t;
	struct timespec soon;
	IS(mtx_init(&m, mtx_plain), thrd_success);
	IS(cnd_init(&c), thrd_success);
	IS(thrd_create(&t, waits, NULL), thrd_success);
	asleep(&tid);
	mtx_lock(&m);
	ready = 1;
	IS(cnd_signal(&c), thrd_success);
	mtx_unlock(&m);
	IS(thrd_join(t, NULL), thrd_success);
	mtx_lock(&m);
	IS(cnd_broadcast(&c), thrd_success);
	soon = after(CLOCK_REALTIME, 10);
	IS(cnd_timedwait(&c, &m, &soon), thrd_timedout);
	mtx_unlock(&m);
	cnd_destroy(&c);
	mtx_destroy(&m);
	return done();
}
