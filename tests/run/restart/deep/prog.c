/* Stack the first run has never touched, to different depths in different schedules, and memory never written before, read first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int first;
static char large[1 << 20];

static int dig(int depth)
{
	volatile char room[3000];
	room[0] = (char)depth;
	return depth ? dig(depth - 1) + room[0] : 0;
}

static void *work(void *number)
{
	int mine = (int)(long)number, none = 0;
	atomic_compare_exchange_strong(&first, &none, mine);
	if (first == mine)
		dig(10 * mine);
	for (int i = 0; i < 1 << 20; i += 1 << 14)
		large[i] = (char)(large[i] + mine);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%d first, %d\n", first, large[1 << 14]);
	return 0;
}
