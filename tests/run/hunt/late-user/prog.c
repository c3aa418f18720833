/* Who closes waits until nobody is inside, but whoever was let in is counted too late.  Depth 2: the user is stopped between being let
 * in and being counted.  Switches: main to user, to the one that closes, back: 3. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int is_open = 1, users;
static atomic_int *context;

static void *user(void *x)
{
	if (is_open) {
		users++;
		*context = 1;
		users--;
	}
	return x;
}

static void *closer(void *x)
{
	is_open = 0;
	while (users)
		sched_yield();
	free(context);
	return x;
}

int main(void)
{
	pthread_t t[2];
	context = calloc(1, sizeof *context);
	pthread_create(&t[0], NULL, user, NULL);
	pthread_create(&t[1], NULL, closer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
