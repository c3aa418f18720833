/* _exit by a thread while the main thread waits: nothing more runs. */
#include "../check.h"

static volatile int written;

static void *leaves(void *unused)
{
	for (int i = 1; i <= 1000; i++)
		written = i;
	_exit(18);
	return unused;
}

int main(void)
{
	pthread_t t;
	atexit(abort);
	IS(pthread_create(&t, NULL, leaves, NULL), 0);
	pthread_join(t, NULL);
	return 1;
}
