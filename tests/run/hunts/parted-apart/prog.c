/* As hunts/parted, but each run has a process of its own: it opens a file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t ticks(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (low * 2654435761u) >> 26;
}

int main(void)
{
	close(open("/dev/null", O_RDONLY));
	for (uint32_t left = 1 + ticks(); left; left--) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
