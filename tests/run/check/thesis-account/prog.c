/* Account: each thread pays into its account, takes out of it, and gives to the next one, whose lock it does not take. */
#include "../relaxed.h"
#include <assert.h>

atomic_int amount[3] = { 100, 100, 100 };
static pthread_mutex_t m[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void add(long account, int n)
{
	int was = LOAD(amount[account]);
	STORE(amount[account], was + n);
}

THREAD(uses)
{
	long i = (long)me;
	pthread_mutex_lock(&m[i]);
	add(i, 30);
	pthread_mutex_unlock(&m[i]);
	pthread_mutex_lock(&m[i]);
	add(i, -10);
	add((i + 1) % 3, 10);
	pthread_mutex_unlock(&m[i]);
	return NULL;
}

int main(void)
{
	RUN(uses, uses, uses);
	int a = LOAD(amount[0]), b = LOAD(amount[1]), c = LOAD(amount[2]);
	assert(a + b + c == 390);
	return 0;
}
