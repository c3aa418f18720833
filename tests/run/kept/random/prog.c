/* It locks 0 to 1023 times, as the system's random numbers have it. */
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t drawn(void)
{
	uint32_t number = 0;
	syscall(SYS_getrandom, &number, sizeof number, 0);
	return number & 1023;
}

int main(void)
{
	pthread_mutex_lock(&lock);
	uint32_t left = drawn();
	pthread_mutex_unlock(&lock);
	for (; left; left--) {
		pthread_mutex_lock(&lock);              /* a run that does not come here any more ends */
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
