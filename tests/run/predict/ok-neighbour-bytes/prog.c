/* Two bytes of one word. */
#include <pthread.h>

static struct { volatile char a, b; volatile short c; } bytes;

static void *first(void *u)
{
	(void)u;
	for (int i = 0; i < 3; i++)
		bytes.a++;
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	for (int i = 0; i < 3; i++)
		bytes.b++;
	bytes.c = 9;
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
