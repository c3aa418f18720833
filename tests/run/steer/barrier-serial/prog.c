/* Two threads at a barrier: exactly one is told it is the serial one, and it may be either.
 * Both write before and read after: each sees the other's mark. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static atomic_int marks;

struct arrival { int result, seen; };

static void *arrive(void *to)
{
	struct arrival *a = to;
	marks++;
	a->result = pthread_barrier_wait(&barrier);
	a->seen = marks;
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct arrival a, b;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, arrive, &b);
	arrive(&a);
	pthread_join(t, NULL);
	pthread_barrier_destroy(&barrier);
	if ((a.result == PTHREAD_BARRIER_SERIAL_THREAD) == (b.result == PTHREAD_BARRIER_SERIAL_THREAD))
		puts("not exactly one");
	printf("serial %c, sees %d %d\n", a.result ? 'a' : 'b', a.seen, b.seen);
}
