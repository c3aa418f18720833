/* A state only a relay reaches: one, the other, one, the other, one.  Depth 4: four times somebody has to be stopped in time.
 * Switches: main to odd, to even, to odd, to even, to odd: 5. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int state;

static bool goes(int from, int to)
{
	return atomic_compare_exchange_strong(&state, &from, to);
}

static void *odd(void *x)
{
	goes(0, 1);
	goes(2, 3);
	assert(!goes(4, 5));
	return x;
}

static void *even(void *x)
{
	goes(1, 2);
	goes(3, 4);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, odd, NULL);
	pthread_create(&t[1], NULL, even, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
