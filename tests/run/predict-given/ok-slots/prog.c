/* Each thread has its own byte of one word. */
#include <pthread.h>
#include <stdio.h>

static unsigned char slot[8];

static void *work(void *number)
{
	slot[(long)number]++;
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	int sum = 0;
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 8; i++)
		sum += slot[i];
	printf("%d\n", sum);
	return 0;
}
