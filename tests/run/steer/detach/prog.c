/* A detached thread is not waited for: when main returns it may have written or not.  A second detach is refused while it lives. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wrote;
static sem_t go;

static void *thread(void *unused)
{
	sem_wait(&go);
	wrote = 1;
	return unused;
}

int main(void)
{
	pthread_t t;
	sem_init(&go, 0, 0);
	pthread_create(&t, NULL, thread, NULL);
	pthread_detach(t);
	int again = pthread_detach(t);
	sem_post(&go);
	printf("%s wrote %d\n", again == EINVAL ? "EINVAL" : "?", wrote);
}
