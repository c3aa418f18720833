/* Each run makes a file. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	int fd = open("made", O_WRONLY | O_CREAT, 0666);
	return fd < 0 || write(fd, "x", 1) != 1;
}
