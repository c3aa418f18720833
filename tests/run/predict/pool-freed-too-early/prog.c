/* A worker says that it is done and then counts once more, in what its master gives back when it is done. */
#include <pthread.h>
#include <stdlib.h>

struct pool { pthread_mutex_t lock; pthread_cond_t told; int done, jobs; };

static void *work(void *with)
{
	struct pool *p = with;
	pthread_mutex_lock(&p->lock);
	p->done = 1;
	pthread_cond_signal(&p->told);
	pthread_mutex_unlock(&p->lock);
	p->jobs++; /*@A*/
	return NULL;
}

int main(void)
{
	struct pool *p = calloc(1, sizeof *p);
	pthread_t worker;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->told, NULL);
	pthread_create(&worker, NULL, work, p);
	pthread_detach(worker);
	pthread_mutex_lock(&p->lock);
	while (!p->done)
		pthread_cond_wait(&p->told, &p->lock);
	pthread_mutex_unlock(&p->lock);
	free(p); /*@B*/
	pthread_exit(NULL);
}
