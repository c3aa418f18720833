/* Threads that fill a small array on their stacks, as far as a number says: one that became large leads over everything above, the thread's own memory and
 * the runtime's in it. */
#include <pthread.h>
#include <stdio.h>

static volatile int cells = 4;

static void *fill(void *unused)
{
	volatile char at[8];
	int up_to = cells;
	for (int i = 0; i < up_to; i++)
		at[i] = 0;
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, fill, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
