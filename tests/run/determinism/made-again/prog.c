/* Two threads count under a mutex: each under one of its own, in memory that may be the other's once more; under one that each of them makes; or under one. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int counted;
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static const char *how;

static void *work(void *arg)
{
	pthread_mutex_t *own = strcmp(how, "own") ? &shared : malloc(sizeof *own);
	if (strcmp(how, "one"))
		pthread_mutex_init(own, NULL);
	pthread_mutex_lock(own);
	counted++;
	pthread_mutex_unlock(own);
	if (own != &shared)
		free(own);
	return arg;
}

int main(int count, char **words)
{
	pthread_t threads[2];
	how = count > 1 ? words[1] : "one";
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return counted == 0;
}
