/* call_once and thread-specific storage. */
#include "../check.h"
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int runs, destroyed;

static void routine(void)
{
	runs++;
}

static void destroy(void *value)
{
	CHECK(value == (void *)5);
	destroyed++;
}

static int thread(void *unused)
{
	(void)unused;
	call_once(&flag, routine);
	IS(tss_set(key, (void *)5), thrd_success);
	CHECK(tss_get(key) == (void *)5);
	return 0;
}

int main(void)
{
	thrd_t t;
	IS(tss_create(&key, destroy), thrd_success);
	call_once(&flag, routine);
	IS(thrd_create(&t, thread, NULL), thrd_success);
	IS(thrd_join(t, NULL), thrd_success);
	CHECK(runs == 1 && destroyed == 1);
	tss_delete(key);
	return done();
}
