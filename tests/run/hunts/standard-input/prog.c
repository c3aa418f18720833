/* An update may be lost; then it ends with the number it read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count;

static void *worker(void *x)
{
	int seen = count;
	count = seen + 1;
	return x;
}

int main(void)
{
	pthread_t t[2];
	int number;
	if (scanf("%d", &number) != 1)
		return 99;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return count == 2 ? 0 : number;
}
