/* A semaphore of one is a lock. */
#include "../relaxed.h"
#include <assert.h>
#include <semaphore.h>

static int n;
static sem_t s;

THREAD(adds)
{
	sem_wait(&s);
	n++;
	sem_post(&s);
	return me;
}

int main(void)
{
	sem_init(&s, 0, 1);
	RUN(adds, adds, adds);
	assert(n == 3);
	return 0;
}
