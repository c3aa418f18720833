/* "Is it still alive?  Then I use it."  Depth 2: the last reference goes between the question and the use.
 * Switches: main to user, to the one that lets go, back: 3. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 1, got;
static atomic_int *object;

static void *user(void *x)
{
	if (references > 0)
		got = *object;
	return x;
}

static void *lets_go(void *x)
{
	if (atomic_fetch_sub(&references, 1) == 1)
		free(object);
	return x;
}

int main(void)
{
	pthread_t t[2];
	object = calloc(1, sizeof *object);
	pthread_create(&t[0], NULL, user, NULL);
	pthread_create(&t[1], NULL, lets_go, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
