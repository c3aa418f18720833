/* Two threads; with policy first T_0_0 runs before T_0_1 as long as it does not wait. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void two(void *(*a)(void *), void *(*b)(void *))
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, a, NULL);
	pthread_create(&t[1], NULL, b, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
}
