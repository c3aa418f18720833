/* As in handed-unseen, with many fields: 43 candidates, each of which takes a read to return something else.  That is asked before runs are spent on them:
 * all of them, and what else there is, are tried within the usual limit of runs. */
#include <pthread.h>
#include <stdlib.h>
struct block { int number, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *queue[4];
static int put, taken;
static void *producer(void *u)
{
	(void)u;
	for (int i = 0; i < 3; i++) {
		struct block *b = malloc(sizeof *b);
		b->number = i;
		b->f0 = i * 0;
		b->f1 = i * 1;
		b->f2 = i * 2;
		b->f3 = i * 3;
		b->f4 = i * 4;
		b->f5 = i * 5;
		b->f6 = i * 6;
		b->f7 = i * 7;
		b->f8 = i * 8;
		b->f9 = i * 9;
		b->f10 = i * 10;
		b->f11 = i * 11;
		b->f12 = i * 12;
		b->f13 = i * 13;
		pthread_mutex_lock(&lock);
		queue[put++] = b;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
static struct block *take(void)
{
	struct block *b = NULL;
	pthread_mutex_lock(&lock);
	if (taken < put)
		b = queue[taken++];
	pthread_mutex_unlock(&lock);
	__asm__ volatile("" : "+r"(b));
	return b;
}
static void *consumer(void *u)
{
	struct block *b;
	(void)u;
	while ((b = take())) {
		b->f0 += b->number;
		b->f1 += b->number;
		b->f2 += b->number;
		b->f3 += b->number;
		b->f4 += b->number;
		b->f5 += b->number;
		b->f6 += b->number;
		b->f7 += b->number;
		b->f8 += b->number;
		b->f9 += b->number;
		b->f10 += b->number;
		b->f11 += b->number;
		b->f12 += b->number;
		b->f13 += b->number;
		free(b);
	}
	return NULL;
}
int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, producer, NULL);
	pthread_create(&two, NULL, consumer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	while (taken < put)
		free(queue[taken++]);
	return 0;
}
