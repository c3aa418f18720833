/* Makes one thread; with a wrong bit in what says whether there are more, threads without end. */
#include <pthread.h>
#include <stdio.h>

static int more;

static void *nothing(void *x)
{
	return x;
}

int main(void)
{
	pthread_t t;
	volatile int *m = &more;
	*m = 0;
	do {
		pthread_create(&t, NULL, nothing, NULL);
		pthread_join(t, NULL);
	} while (*m);
	puts("done");
	return 0;
}
