/* C11: a mutex, a condition, a thread's result.  The condition is signalled after the flag is set: no wake-up is lost. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int flag;
static atomic_int busy;

static int thread(void *unused)
{
	(void)unused;
	if (mtx_trylock(&m) == thrd_busy) {
		busy = 1;
		mtx_lock(&m);
	}
	flag = 1;
	cnd_signal(&c);
	mtx_unlock(&m);
	return 7;
}

int main(void)
{
	thrd_t t;
	int result;
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&t, thread, NULL);
	mtx_lock(&m);
	while (!flag)
		cnd_wait(&c, &m);
	int seen = flag;
	mtx_unlock(&m);
	thrd_join(t, &result);
	cnd_destroy(&c);
	mtx_destroy(&m);
	printf("flag %d, result %d, busy %d\n", seen, result, busy);
}
