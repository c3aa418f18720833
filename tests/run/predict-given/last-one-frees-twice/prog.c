/* Counted down atomically, looked at again afterwards: both may find nothing left and free. */
#include <pthread.h>
#include <stdlib.h>

struct object { int refs; int payload; };

static void *drop(void *arg)
{
	struct object *o = arg;
	__atomic_fetch_sub(&o->refs, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&o->refs, __ATOMIC_SEQ_CST) == 0)
		free(o);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	struct object *o = calloc(1, sizeof *o);
	o->refs = 2;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, drop, o);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
