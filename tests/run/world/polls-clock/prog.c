/* A pool that is ended by somebody who wakes its threads until all have gone or a second is over: between two looks at the clock he takes a
 * lock, writes, and wakes others, so he can always go on. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int posted, over, alive = THREADS;

static void *serve(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!over) {
		while (!posted)
			pthread_cond_wait(&work, &lock);
		posted = 0;
	}
	alive--;
	pthread_mutex_unlock(&lock);
	return unused;
}

static int wake_all(void)
{
	pthread_mutex_lock(&lock);
	over = posted = 1;
	pthread_cond_broadcast(&work);
	int left = alive;
	pthread_mutex_unlock(&lock);
	return left;
}

int main(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, serve, NULL);
	time_t begin = time(NULL);
	int left;
	do
		left = wake_all();
	while (left && difftime(time(NULL), begin) < 2);
	printf("%d left\n", left);
	for (int i = 0; !left && i < THREADS; i++)
		pthread_join(t[i], NULL);
}
