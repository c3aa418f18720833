/* ctrace's statistics, written afresh: the id is read once to see whether there is room and once more to find the place.  Depth 2: the
 * next request comes between.  Switches: main to statistics, to requests, back: 3. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROOM = 4 };
static atomic_int id = ROOM - 1;
static atomic_int *statistics;

static void *update(void *x)
{
	if (id < ROOM)
		statistics[id] = 1;
	return x;
}

static void *request(void *x)
{
	id++;
	return x;
}

int main(int count, char **arguments)
{
	(void)arguments;
	pthread_t t[2];
	statistics = calloc((size_t)(count + ROOM - 1), sizeof *statistics);        /* or the compiler makes it static */
	pthread_create(&t[0], NULL, update, NULL);
	pthread_create(&t[1], NULL, request, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return statistics[0];
}
