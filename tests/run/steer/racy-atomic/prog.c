/* Two threads add 1 each, with a load and a store instead of one operation. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count;

static void *add(void *x)
{
	int old = atomic_load(&count);
	atomic_store(&count, old + 1);
	return x;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	printf("%d\n", atomic_load(&count));
	return 0;
}
