/* Whoever comes first makes it, all others find it made. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int made, uses;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) { int n = LOAD(made); STORE(made, n + 1); }

THREAD(uses_it)
{
	pthread_once(&once, make);
	int r = LOAD(made);
	assert(r == 1);
	atomic_fetch_add(&uses, 1);
	return me;
}

int main(void)
{
	RUN(uses_it, uses_it, uses_it);
	int r = LOAD(uses);
	assert(r == 3);
	return 0;
}
