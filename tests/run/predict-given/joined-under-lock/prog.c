/* Main joins with the lock in its hand the one who needs it; here the one was through already. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);         /*@A*/
	done = 1;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *other(void *unused) { return unused; }

int main(void)
{
	pthread_t w, o;
	pthread_create(&w, NULL, worker, NULL);
	pthread_create(&o, NULL, other, NULL);
	pthread_join(o, NULL);
	pthread_mutex_lock(&m);
	pthread_join(w, NULL);          /*@B*/
	printf("%d\n", done);
	pthread_mutex_unlock(&m);
	return 0;
}
