#include <pthread.h>
#include <stdio.h>

static int total;

static void *work(void *n)
{
	for (int i = 0; i < 20000; i++)
		total += *(int *)n;
	return NULL;
}

int main(void)
{
	int n = 1;
	pthread_t t;
	pthread_create(&t, NULL, work, &n);
	pthread_join(t, NULL);
	printf("%d\n", total);
	return 0;
}
