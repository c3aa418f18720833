/* Two threads take turns, each waiting for the other on one condition variable; the argument is how often. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, rounds, total;

static void *side(void *number)
{
	int me = (int)(long)number;
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		while (turn != me)
			pthread_cond_wait(&changed, &lock);
		total += me;
		turn = !me;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id[2];
	rounds = argc > 1 ? atoi(argv[1]) : 20;
	for (long i = 0; i < 2; i++)
		pthread_create(&id[i], NULL, side, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	printf("%d\n", total);
	return 0;
}
