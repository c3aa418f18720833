/* Who counts down to nothing frees, and nobody else looks again. */
#include <pthread.h>
#include <stdlib.h>

struct object { int refs; int payload[2]; };

static struct object *o;

static void *drop(void *number)
{
	o->payload[(long)number] = 1;
	if (__atomic_sub_fetch(&o->refs, 1, __ATOMIC_ACQ_REL) == 0)
		free(o);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	o = calloc(1, sizeof *o);
	o->refs = 2;
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, drop, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
