/* The flag is plain, so nothing orders what stands in front of setting it with what is done behind seeing it; yet no order brings these two
 * together.  The race is that of the flag.  While it is up the worker does so many other writes that any number of steps ends at one. */
#include <pthread.h>
#include <stdio.h>

static volatile int keep = 1, marks[64];
static int alive = 4, total;

static void *worker(void *x)
{
	while (keep)                                            /*@A*/
		for (int i = 0; i < 64; i++)
			marks[i] = i;
	alive--;
	return x;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	total = alive;
	keep = 0;                                               /*@B*/
	pthread_join(t, NULL);
	printf("%d %d\n", total, alive);
	return 0;
}
