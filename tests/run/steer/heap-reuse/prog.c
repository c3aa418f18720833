/* Memory given out again: a block without bytes is a block, and libc may ask for memory while it makes a thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *volatile kept;

static void take(size_t bytes)
{
	void *own = malloc(bytes);
	kept = own;
	free(own);
}

static void *work(void *unused)
{
	take(10);
	take(0);
	take(0);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	take(20);
	work(NULL);
	pthread_join(t, NULL);
	puts("done");
}
