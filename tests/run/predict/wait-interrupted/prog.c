/* A signal that comes before the post ends the wait for the semaphore, which nobody looks at: the pointer is not there yet. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t posted;
static int *volatile pointer, value = 5;
static pthread_t waiting;

static void handles(int number) { (void)number; }

static void *waits(void *unused)
{
#ifdef OK
	while (sem_wait(&posted) < 0)
		;
#else
	sem_wait(&posted);
#endif
	return *pointer == 5 ? unused : NULL; /*@A*/
}

static void *posts(void *unused)
{
	pointer = &value; /*@B*/
	sem_post(&posted);
	return unused;
}

static void *sends(void *unused)
{
	pthread_kill(waiting, SIGUSR1);
	return unused;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handles };
	pthread_t posting, sending;
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&posted, 0, 0);
	pthread_create(&posting, NULL, posts, NULL);
	pthread_create(&waiting, NULL, waits, NULL);
	pthread_create(&sending, NULL, sends, NULL);
	pthread_join(posting, NULL);
	pthread_join(sending, NULL);
	pthread_join(waiting, NULL);
	return 0;
}
