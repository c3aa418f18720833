/* Tickets are drawn by a read and a write.  Depth 2: both read the same number.
 * Switches: main to one, to the other, back: 3. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, taken[2];

static void *worker(void *x)
{
	int mine = next_ticket;
	next_ticket = mine + 1;
	assert(taken[mine]++ == 0);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, worker, NULL);
	pthread_create(&t[1], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
