/* A vector grows and its old place is freed while somebody still reads there.  Depth 2: the reader is stopped with the old address in
 * hand.  Switches: main to reader, to writer, back: 3. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) items;
static atomic_int sum;

static void *reader(void *x)
{
	const int *at = items;
	sum += at[0];
	return x;
}

static void *writer(void *x)
{
	int *old = items, *more = calloc(8, sizeof *more);
	more[0] = old[0];
	items = more;
	free(old);
	return x;
}

int main(void)
{
	pthread_t t[2];
	items = calloc(4, sizeof(int));
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
