/* examples/epa/handover.c -- one thread makes numbers, one adds them up; a condition variable says that the place between them is full or empty.
 * What is printed is always the same, but whether one has to wait hangs on the other: order-dependent. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define NUMBERS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;
static int place, sum;

static void *make(void *unused)
{
	for (int i = 1; i <= NUMBERS; i++) {
		pthread_mutex_lock(&lock);
		while (full)
			pthread_cond_wait(&changed, &lock);
		place = i * i;
		full = true;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *use(void *unused)
{
	for (int i = 1; i <= NUMBERS; i++) {
		pthread_mutex_lock(&lock);
		while (!full)
			pthread_cond_wait(&changed, &lock);
		sum += place;
		full = false;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t maker, user;
	pthread_create(&maker, NULL, make, NULL);
	pthread_create(&user, NULL, use, NULL);
	pthread_join(maker, NULL);
	pthread_join(user, NULL);
	printf("%d\n", sum);
	return 0;
}
