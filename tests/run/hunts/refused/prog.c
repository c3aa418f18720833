/* Opens a file in each run, which cannot be undone: every run has a process. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&lock);
	int fd = open("/dev/null", O_RDONLY);
	pthread_mutex_unlock(&lock);
	return fd < 0;
}
