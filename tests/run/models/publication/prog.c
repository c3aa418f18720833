/* An object is filled, then its address stored without release: seen too early where stores may overtake each other. */
#include <pthread.h>
#include <stdlib.h>

static int *volatile published;

static void *make(void *unused)
{
	int *p = malloc(sizeof *p);
	*p = 7;
	published = p;
	return unused;
}

int main(void)
{
	pthread_t maker;
	pthread_create(&maker, NULL, make, NULL);
	int *p = published, bad = p && *(volatile int *)p != 7;
	pthread_join(maker, NULL);
	return bad;
}
