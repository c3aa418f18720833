/* One barrier for all phases, two tables that change places. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int table[2][2] = { { 1, 2 }, { 0, 0 } };

static void *step(void *number)
{
	long me = (long)number;
	for (int i = 0; i < 3; i++) {
		table[(i + 1) % 2][me] = table[i % 2][0] + table[i % 2][1];
		pthread_barrier_wait(&phase);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_barrier_init(&phase, NULL, 2);
	pthread_create(&a, NULL, step, (void *)0);
	pthread_create(&b, NULL, step, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", table[1][0]);
	return 0;
}
