#include <pthread.h>
#include <stdlib.h>

int flag, count, result, twice, spin, after, chosen, table[4], index_of, kept, out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *box;
static int __attribute__((noinline)) doubled(int v) { return v + v; }
static void __attribute__((noinline)) put(int *where, int v) { *where = v; }

static void *work(void *arg)
{
	if (flag)
		result = 1;                     /* line 14: whether it happens hangs on flag */
	twice = doubled(count);                 /* line 15: through a call, count; not flag */
	table[index_of] = 7;                    /* line 16: its address hangs on index_of */
	while (!*(volatile int *)&spin)
		;
	after = 5;                              /* line 19: reached only when spin says so */
	put(&out, kept);                        /* line 9: the value of kept, handed to a function that knows only this place */
	pthread_mutex_lock(&lock);
	chosen = 3;                             /* line 22: hangs on spin alone */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	box = malloc(sizeof *box);
	pthread_create(&t, NULL, work, box);
	flag = count = index_of = kept = 1;
	spin = 1;
	pthread_join(t, NULL);
	return 0;
}
