/* main, about to exit, takes the name away; a daemon that sleeps between two looks at it follows what it then finds. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t looked;
static char first_name[] = "name";
static char *name = first_name;
static char last;

static void *look(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&m);
		last = *name;                   /*@U*/
		pthread_mutex_unlock(&m);
		sem_post(&looked);
		usleep(20000);
	}
	return unused;
}

int main(void)
{
	pthread_t looker;
	sem_init(&looked, 0, 0);
	pthread_create(&looker, NULL, look, NULL);
	sem_wait(&looked);
	pthread_mutex_lock(&m);
	name = NULL;                            /*@N*/
	pthread_mutex_unlock(&m);
	return last == 'n' ? 0 : 1;
}
