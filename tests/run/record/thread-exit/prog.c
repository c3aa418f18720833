/* pthread_exit from deep inside, with cleanup handlers; main leaves first and another thread joins it. */
#include "../check.h"

static pthread_t first;
static int cleaned;
static volatile int leaving = 1;

static void cleanup(void *unused)
{
	(void)unused;
	cleaned++;
}

static void deep(int level)
{
	pthread_cleanup_push(cleanup, NULL);
	if (level)
		deep(level - 1);
	else if (leaving)
		pthread_exit((void *)7);
	pthread_cleanup_pop(0);
}

static void *leaves(void *unused)
{
	deep(3);
	return unused;
}

static void *joins_main(void *unused)
{
	void *value;
	IS(pthread_join(first, &value), 0);
	CHECK(value == (void *)9);
	done();
	exit(0);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	first = pthread_self();
	IS(pthread_create(&t, NULL, leaves, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == (void *)7 && cleaned == 4);
	IS(pthread_create(&t, NULL, joins_main, NULL), 0);
	pthread_exit((void *)9);
}
