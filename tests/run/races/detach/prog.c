#include "../two.h"
#include <semaphore.h>

static int wrong;
static sem_t go;

static void *a(void *x)
{
	wrong++;
	sem_post(&go);
	wrong++;
	return x;
}

int main(void)
{
	pthread_t t;
	sem_init(&go, 0, 0);
	pthread_create(&t, NULL, a, NULL);
	pthread_detach(t);
	sem_wait(&go);
	wrong++;
	return 0;
}
