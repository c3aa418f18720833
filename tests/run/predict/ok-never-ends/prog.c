/* The recorded run does not end: nor does any other, wherever it stands when it is cut off. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int task, stop, rounds;

static void *work(void *u)
{
	for (;;) {
		pthread_mutex_lock(&m);
		task = task + 1;
		if (task % 3 == 1)
			rounds++;
		else if (task % 3 == 2)
			rounds += 2;
		if (stop)
			break;
		pthread_mutex_unlock(&m);
	}
	return u;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, work, NULL);
	pthread_create(&two, NULL, work, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
