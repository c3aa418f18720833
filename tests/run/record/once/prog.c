/* One runs the routine, the other waits for it; a routine may itself use another once. */
#include "../check.h"

static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static volatile pid_t tid;
static int runs, entered;

static void innermost(void)
{
	runs++;
}

static void routine(void)
{
	__atomic_store_n(&entered, 1, __ATOMIC_SEQ_CST);
	asleep(&tid);
	IS(pthread_once(&inner, innermost), 0);
	runs++;
}

static void *second(void *unused)
{
	while (!__atomic_load_n(&entered, __ATOMIC_SEQ_CST))
		;
	here(&tid);
	IS(pthread_once(&outer, routine), 0);
	CHECK(runs == 2);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_create(&t, NULL, second, NULL), 0);
	IS(pthread_once(&outer, routine), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_once(&outer, routine), 0);
	CHECK(runs == 2);
	return done();
}
