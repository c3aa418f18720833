/* To sleep is no synchronisation: the other thread may come first or last. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;

static void *set(void *unused)
{
	usleep(1000);
	flag = 1;
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec second = { .tv_sec = 1 };
	pthread_create(&t, NULL, set, NULL);
	nanosleep(&second, NULL);
	printf("saw %d\n", flag);
}
