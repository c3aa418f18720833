/* Spin locks: taken, tried, waited for. */
#include "../check.h"

static pthread_spinlock_t l;
static int shared;

static void *adds(void *unused)
{
	for (int i = 0; i < 200; i++) {
		IS(pthread_spin_lock(&l), 0);
		shared++;
		IS(pthread_spin_unlock(&l), 0);
	}
	return unused;
}

static void *tries(void *unused)
{
	IS(pthread_spin_trylock(&l), EBUSY);
	return unused;
}

int main(void)
{
	pthread_t t[2];
	IS(pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE), 0);
	IS(pthread_spin_trylock(&l), 0);
	IS(pthread_create(&t[0], NULL, tries, NULL), 0);
	IS(pthread_join(t[0], NULL), 0);
	IS(pthread_spin_unlock(&l), 0);
	for (int i = 0; i < 2; i++)
		IS(pthread_create(&t[i], NULL, adds, NULL), 0);
	for (int i = 0; i < 2; i++)
		IS(pthread_join(t[i], NULL), 0);
	CHECK(shared == 400);
	IS(pthread_spin_destroy(&l), 0);
	return done();
}
