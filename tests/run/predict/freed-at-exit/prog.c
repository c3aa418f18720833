/* A detached worker counts in a table that an exit handler gives back.  When main has returned and the handler is through, the worker, which nobody joins, may
 * still be alive. */
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void give_back(void)
{
	free(table);                            /*@F*/
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		table[i] += i;                  /*@U*/
	return unused;
}

int main(void)
{
	pthread_t worker;
	table = calloc(4, sizeof *table);
	atexit(give_back);
	if (pthread_create(&worker, NULL, work, NULL) == 0)
		pthread_detach(worker);
	return 0;
}
