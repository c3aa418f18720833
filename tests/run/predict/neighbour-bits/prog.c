/* Two bit fields of one byte. */
#include <pthread.h>

static struct { volatile unsigned a : 4, b : 4; } bits;

static void *first(void *u)
{
	(void)u;
	bits.a = 3;		/*@A*/
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	bits.b = 5;		/*@B*/
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
