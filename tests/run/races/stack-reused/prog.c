#include "../two.h"
#include <semaphore.h>

static sem_t done;
static int sum;
static void use(volatile int *at) { *at = 1; }

/* Detached, so nothing orders its end before the next one's begin on the same stack. */
static void *a(void *x)
{
	volatile int mine[100];
	for (int i = 0; i < 100; i++)
		use(mine + i);
	sem_post(&done);
	return x;
}

int main(void)
{
	sem_init(&done, 0, 0);
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		pthread_create(&t, NULL, a, NULL);
		pthread_detach(t);
	}
	for (int i = 0; i < 3; i++)
		sem_wait(&done);
	return sum;
}
