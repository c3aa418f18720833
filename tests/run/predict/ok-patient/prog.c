/* A flag in memory, under a lock, says that the shop is taken.  Who finds it taken sleeps and looks again, for longer and longer, ten seconds in all,
 * and only then gives up with status 1.  No machine keeps the other thread, which does little, from running for so long: no bug. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken, balance;
static volatile int counted;

static int try_take(void)
{
	pthread_mutex_lock(&lock);
	int free = !taken;
	if (free)
		taken = 1;
	pthread_mutex_unlock(&lock);
	return free;
}

static void give(void)
{
	pthread_mutex_lock(&lock);
	taken = 0;
	pthread_mutex_unlock(&lock);
}

static void *pay(void *unused)
{
	for (unsigned tries = 0; !try_take(); tries++) {
		if (tries == 20)
			exit(1);
		usleep(50000 * tries);
	}
	for (int i = 0; i < 200; i++)
		counted++;
	balance++;
	give();
	return unused;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, pay, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return balance == 2 ? 0 : 2;
}
