/* Two threads write one variable, and nothing orders them. */
#include <pthread.h>
int shared;
static void *one(void *p)
{
	shared = 1;
	return p;
}
static void *two(void *p)
{
	shared = 2;
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
