/* Peterson's lock without a fence: both inside when each one's interest waits in its buffer. */
#include <pthread.h>
#include <stdatomic.h>

static volatile int wants[2], turn, both;
static atomic_int inside;

static void *enter(void *which)
{
	int self = which != NULL, tries = 0;
	wants[self] = 1;
	turn = !self;
	while (wants[!self] && turn == !self)
		if (++tries == 2)
			return NULL;
	if (atomic_fetch_add(&inside, 1))
		both = 1;
	atomic_fetch_sub(&inside, 1);
	wants[self] = 0;
	return NULL;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, enter, (void *)wants);
	enter(NULL);
	pthread_join(other, NULL);
	return both;
}
