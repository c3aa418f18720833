/* Before the barrier each has its own slot; after it both write the sum. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t b;
static int slot[2], sum;

static void *work(void *number)
{
	long i = (long)number;
	slot[i] = (int)i + 1;
	pthread_barrier_wait(&b);
	sum = slot[0] + slot[1];        /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	pthread_barrier_init(&b, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", sum);
	return 0;
}
