/* examples/tickets.c -- sells more tickets than there are, once in a very long while.
 *   tickets [seats=3]
 * Every access to `left` is atomic, so there is no data race and a race detector has nothing to say.  The mistake is between
 * two of them: a clerk looks whether a ticket is left, and another sells it before this one does. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int left, sold;

static void *clerk(void *unused)
{
	(void)unused;
	while (atomic_load(&left) > 0) {
		atomic_fetch_sub(&left, 1);
		atomic_fetch_add(&sold, 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int seats = argc > 1 ? atoi(argv[1]) : 3;
	pthread_t clerks[2];

	atomic_store(&left, seats);
	for (int i = 0; i < 2; i++)
		pthread_create(&clerks[i], NULL, clerk, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(clerks[i], NULL);
	printf("%d seats, %d sold\n", seats, sold);
	assert(sold <= seats);
	return 0;
}
