/* What it prints depends on which thread comes first; the second of three lines differs. */
#include <pthread.h>
#include <stdio.h>
static int turn;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x)
{
	pthread_mutex_lock(&m);
	turn = turn * 10 + (int)(long)x;
	pthread_mutex_unlock(&m);
	return NULL;
}
static void report(int value)
{
	printf("begin\n");
	printf("order %d\n", value);
	printf("end\n");
}
int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, one, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	report(turn);
	return 0;
}
