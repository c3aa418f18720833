/* A thread is handed a variable of a function that may have returned. */
#include "../relaxed.h"
#include <assert.h>
static pthread_t reader, other;
THREAD(reads) { assert(*(volatile int *)me == 5); return NULL; }
THREAD(nothing) { return me; }
static __attribute__((noinline)) void begin(void)
{
	int five = 5;
	pthread_create(&reader, NULL, reads, &five);
	pthread_create(&other, NULL, nothing, NULL);
	pthread_join(other, NULL);
}
static __attribute__((noinline)) int use_stack(int n)
{
	volatile int all[64];
	for (int i = 0; i < 64; i++)
		all[i] = n;
	return all[3];
}
int main(void) { begin(); int n = use_stack(9); pthread_join(reader, NULL); return n - 9; }
