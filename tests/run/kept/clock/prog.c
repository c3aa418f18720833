/* It locks 101 to 1124 times, as the processor's clock has it: always often enough for checkpoints. */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t ticks(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (low * 2654435761u) >> 22;
}

int main(void)
{
	pthread_mutex_lock(&lock);
	uint32_t left = 100 + ticks();
	pthread_mutex_unlock(&lock);
	for (; left; left--) {
		pthread_mutex_lock(&lock);              /* a run that does not come here any more ends */
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
