/* Apache's cached objects, written afresh: the count goes down in one step, whether it is 0 is asked in another.  Depth 2: both counted
 * down before the first asks.  Switches: main to one, to the other, which frees, back to free again: 3. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static char *object;

static void *user(void *x)
{
	atomic_fetch_sub(&references, 1);
	if (atomic_load(&references) == 0)
		free(object);
	return x;
}

int main(void)
{
	pthread_t t[2];
	object = malloc(100);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, user, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
