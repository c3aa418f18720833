/* Numbers for threads are given out without a lock: two may get the same. */
#include <pthread.h>
#include <stdio.h>

static int given;
static long mine[2];

static void *work(void *slot)
{
	int id = given;                 /*@A*/
	mine[(long)slot] = 100 + id;
	given = id + 1;                 /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld %ld\n", mine[0], mine[1]);
	return 0;
}
