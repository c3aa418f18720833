/* Two variables in one word, each used on the same two lines: that the one races hides nothing of the other. */
#include <pthread.h>
#include <stdio.h>

#define HERE __attribute__((section("beside")))

static HERE __attribute__((aligned(8))) int one = 1;
static HERE int two = 2;

static void *counts(void *unused) { one++; two++; return unused; }
static void *counts_too(void *unused) { one++; two++; return unused; }

int main(void)
{
	pthread_t thread[2];
	pthread_create(&thread[0], NULL, counts, NULL);
	pthread_create(&thread[1], NULL, counts_too, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%d %d\n", one, two);
	return 0;
}
