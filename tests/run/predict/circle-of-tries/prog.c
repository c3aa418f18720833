/* Items are locked in any order, the second one only tried for. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t items[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int moved;

static void move(int from, int to)
{
	for (;;) {
		pthread_mutex_lock(&items[from]);
		if (pthread_mutex_trylock(&items[to]) == 0)
			break;
		pthread_mutex_unlock(&items[from]);
		sched_yield();
	}
	moved++;
	pthread_mutex_unlock(&items[to]);
	pthread_mutex_unlock(&items[from]);
}

static void *mover(void *unused)
{
	move(1, 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, mover, NULL);
	move(0, 1);
	pthread_join(t, NULL);
	return moved != 2;
}
