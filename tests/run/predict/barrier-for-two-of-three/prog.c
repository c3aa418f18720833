/* A barrier two threads use again and again; a third passes it in place of one of them. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int table[2], sum;

static void *fill(void *unused)
{
	(void)unused;
	table[0] = 1;
	pthread_barrier_wait(&phase);
	pthread_barrier_wait(&phase);
	table[0] = 2; /*@A*/
	return NULL;
}

static void *add(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&phase);
	sum = table[0]; /*@B*/
	return NULL;
}

static void *other(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&phase);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_barrier_init(&phase, NULL, 2);
	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_create(&c, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	printf("%d\n", sum);
	return 0;
}
