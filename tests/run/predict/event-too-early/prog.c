/* Two add to an event descriptor when they are done.  The one that waits there has what both added when they were quick, and does not look how many that were. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int done;
static int part[2];

static void *computes(void *which)
{
	int *mine = which;
	uint64_t one = 1;
	*mine = 7;                              /*@W*/
	if (write(done, &one, sizeof one) != sizeof one)
		abort();
	return NULL;
}

static void *sums(void *unused)
{
	uint64_t how_many;
	if (read(done, &how_many, sizeof how_many) != sizeof how_many)
		abort();
	part[0] += part[1];                     /*@S*/
	return unused;
}

int main(void)
{
	pthread_t t[2], sum;
	done = eventfd(0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, computes, &part[i]);
	pthread_create(&sum, NULL, sums, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pthread_join(sum, NULL);
	return 0;
}
