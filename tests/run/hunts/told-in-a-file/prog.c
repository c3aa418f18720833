/* Another process writes to a file this one has mapped, for reading: what is read there then is nothing a replay has, and the run fails by it. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const volatile char *told;
static int seen;

static void *asks(void *unused)
{
	seen = *told == 'y';
	return unused;
}

int main(void)
{
	pthread_t thread;
	int fd = open("told", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, 4096) < 0)
		return 2;
	told = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	pid_t child = fork();
	if (child == 0)
		_exit(pwrite(fd, "y", 1, 0) != 1);
	waitpid(child, NULL, 0);
	pthread_create(&thread, NULL, asks, NULL);
	pthread_join(thread, NULL);
	return seen ? 7 : 0;
}
