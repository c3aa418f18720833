/* The recorded run spins for ever, and everything it does is an event: what it did before is looked at, in bounded time and memory.
 * ./prog alone: nothing but the loop. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never, rounds;
static int both;

static void *spin(void *alone)
{
	if (!alone)
		both++;
	while (!atomic_load(&never))
		atomic_fetch_add(&rounds, 1);
	return alone;
}

static void *other(void *alone)
{
	if (!alone)
		both++;
	return alone;
}

int main(int argc, char **argv)
{
	pthread_t one, two;
	pthread_create(&one, NULL, spin, argc > 1 ? argv : NULL);
	pthread_create(&two, NULL, other, argc > 1 ? argv : NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
