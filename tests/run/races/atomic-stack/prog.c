/* The functions an atomic store is inside of are others than those of the access before it. */
#include <pthread.h>
#include <stdio.h>

static int count, word;

static __attribute__((noinline)) void set(int to)
{
	__atomic_store_n(&word, to, __ATOMIC_RELAXED);
	count++;
}

static __attribute__((noinline)) void work(void)
{
	count++;
	set(1);
	count++;
}

static void *run(void *unused)
{
	work();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	printf("%d\n", word);
	pthread_join(thread, NULL);
	return 0;
}
