/* The flag is set under one lock and read under another: nothing orders the value it guards, but no order of whole steps brings its two accesses together. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int value, flag;
static void *reads(void *unused)
{
	pthread_mutex_lock(&a);
	int set = flag;
	pthread_mutex_unlock(&a);
	int seen = set ? value : 8;
	return seen == 8 ? unused : NULL;
}
static void *sets(void *unused)
{
	value = 8;
	pthread_mutex_lock(&b);
	flag = 1;
	pthread_mutex_unlock(&b);
	return unused;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, reads, NULL);
	pthread_create(&t[1], NULL, sets, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
