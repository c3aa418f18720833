/* An atomic of sixteen bytes is read and written as a whole: 0 0 or 1 1, never mixed. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static __int128 pair __attribute__((aligned(16)));

static void *set(void *unused)
{
	__int128 ones = (__int128)1 << 64 | 1;
	__sync_val_compare_and_swap(&pair, (__int128)0, ones);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
	__int128 seen = __sync_val_compare_and_swap(&pair, (__int128)5, (__int128)5);
	pthread_join(t, NULL);
	printf("%d %d\n", (int)(uint64_t)seen, (int)(uint64_t)(seen >> 64));
}
