/* The queue is freed when its last user has said so; the user still counts in it after that. */
#include <pthread.h>
#include <stdlib.h>

struct queue { pthread_mutex_t m; pthread_cond_t c; int done; long uses; };

static void *user(void *arg)
{
	struct queue *q = arg;
	pthread_mutex_lock(&q->m);
	q->done = 1;
	pthread_cond_signal(&q->c);
	pthread_mutex_unlock(&q->m);
	q->uses++;                      /*@A*/
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct queue *q = calloc(1, sizeof *q);
	pthread_mutex_init(&q->m, NULL);
	pthread_cond_init(&q->c, NULL);
	pthread_create(&t, NULL, user, q);
	pthread_mutex_lock(&q->m);
	while (!q->done)
		pthread_cond_wait(&q->c, &q->m);
	pthread_mutex_unlock(&q->m);
	free(q);
	pthread_join(t, NULL);
	return 0;
}
