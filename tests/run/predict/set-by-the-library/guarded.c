/* `ready` says that `rate` is there; it may be set by a library call (SETS) too, in an order of the threads that the recorded run does not have:
 * whoever is told so then reads `rate` while it is written. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, order = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(8) long ready;
static int set, steps;
static long rate, used;

static void *sets(void *unused)
{
	rate = 7; /*@A*/
	pthread_mutex_lock(&lock);
	set = 1;
	ready = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *helps(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&order);
	int seen = steps;
	pthread_mutex_unlock(&order);
	if (!set && seen == 3) {
		char text[8];
		int ends[2];
		if (pipe(ends) == 0 && write(ends[1], text, 1) == 1)
			SETS;
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *steps_second(void *unused)
{
	pthread_mutex_lock(&order);
	steps = steps == 1 ? 3 : 2;
	pthread_mutex_unlock(&order);
	return unused;
}

static void *steps_first(void *unused)
{
	pthread_mutex_lock(&order);
	steps = steps == 0;
	pthread_mutex_unlock(&order);
	return unused;
}

static void *uses(void *unused)
{
	pthread_mutex_lock(&lock);
	long there = ready;
	pthread_mutex_unlock(&lock);
	if (there > 0)
		used = rate; /*@B*/
	return unused;
}

int main(void)
{
	static void *(*const doing[])(void *) = { sets, helps, uses, steps_second, steps_first };
	pthread_t all[5];
	for (int i = 0; i < 5; i++)
		pthread_create(&all[i], NULL, doing[i], NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(all[i], NULL);
	printf("%ld\n", used);
	return 0;
}
