/* Two threads write numbers nobody can foretell: about 16 MB of trace. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { WORDS = 4096, TIMES = 250 };
static uint64_t words[2][WORDS];

static void *fill(void *arg)
{
	uint64_t *own = arg, x = (uint64_t)(own - words[0]) + 88172645463325252u;
	for (int i = 0; i < TIMES * WORDS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		own[i % WORDS] = x;
	}
	return NULL;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, fill, words[1]);
	fill(words[0]);
	pthread_join(other, NULL);
	puts("filled");
	return 0;
}
