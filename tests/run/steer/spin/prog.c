/* A spin lock: one inside, try is refused while it is. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t l;
static int inside;

static void *hold(void *unused)
{
	pthread_spin_lock(&l);
	inside++;
	pthread_spin_unlock(&l);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&a, NULL, hold, NULL);
	int result = pthread_spin_trylock(&l);
	if (!result) {
		inside++;
		pthread_spin_unlock(&l);
	}
	pthread_spin_lock(&l);
	inside++;
	pthread_spin_unlock(&l);
	pthread_join(a, NULL);
	pthread_spin_destroy(&l);
	puts(result == EBUSY ? "EBUSY" : result ? "?" : "taken");
	return inside == 3 - (result == EBUSY) ? 0 : 1;
}
