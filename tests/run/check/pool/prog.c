/* Two workers take jobs off a list of one who puts two and then says that there are no more. */
#include "../relaxed.h"
#include <assert.h>

atomic_int jobs, over, done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

THREAD(gives)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		int n = LOAD(jobs);
		STORE(jobs, n + 1);
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	STORE(over, 1);
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&m);
	return me;
}

static int takes(void)
{
	int n;
	pthread_mutex_lock(&m);
	while (!(n = LOAD(jobs)) && !LOAD(over))
		pthread_cond_wait(&more, &m);
	if (n)
		STORE(jobs, n - 1);
	pthread_mutex_unlock(&m);
	return n;
}

THREAD(works)
{
	while (takes())
		atomic_fetch_add(&done, 1);
	return me;
}

int main(void)
{
	RUN(gives, works, works);
	int n = LOAD(done);
	assert(n == 2);
	return 0;
}
