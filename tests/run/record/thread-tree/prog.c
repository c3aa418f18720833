/* Threads that make threads: paths in the spawn tree. */
#include "../check.h"

static void *spawns(void *depth)
{
	pthread_t t[2];
	if (!depth)
		return NULL;
	for (int i = 0; i < 2; i++)
		IS(pthread_create(&t[i], NULL, spawns, (void *)((long)depth - 1)), 0);
	for (int i = 0; i < 2; i++)
		IS(pthread_join(t[i], NULL), 0);
	return NULL;
}

int main(void)
{
	spawns((void *)2);
	return done();
}
