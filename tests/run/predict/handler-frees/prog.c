/* A handler gives back a buffer which its thread, once it has looked whether there is one, goes on to use. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static char *volatile buffer;
static sem_t over;

static void drop(int signal)
{
	(void)signal;
	char *old = buffer;
	buffer = NULL;
	free(old);                              /*@F*/
}

static void *use(void *unused)
{
	(void)unused;
	char *mine = buffer;
	if (mine)
		mine[0] = 'x';                  /*@U*/
	while (sem_wait(&over))
		;
	return NULL;
}

static void *ask(void *other)
{
	pthread_kill(*(pthread_t *)other, SIGUSR1);
	sem_post(&over);
	return NULL;
}

int main(void)
{
	static pthread_t user, asker;
	sem_init(&over, 0, 0);
	buffer = malloc(64);
	signal(SIGUSR1, drop);
	pthread_create(&user, NULL, use, NULL);
	pthread_create(&asker, NULL, ask, &user);
	pthread_join(asker, NULL);
	pthread_join(user, NULL);
	return 0;
}
