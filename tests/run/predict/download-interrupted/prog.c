/* aget: the handler of Ctrl-C writes down how far each thread came, which they count without it knowing of their lock. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static long got, saved;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void save(int unused)
{
	(void)unused;
	saved = got;                            /*@A*/
}

static void *part(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	got += 100;                             /*@B*/
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t worker;
	signal(SIGINT, save);
	pthread_create(&worker, NULL, part, NULL);
	raise(SIGINT);
	pthread_join(worker, NULL);
	printf("%ld\n", saved <= got ? got : -1);
	return 0;
}
