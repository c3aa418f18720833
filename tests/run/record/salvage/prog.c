/* Two threads write, and then say in a file that outlives them how far they have come: `done` is what the trace must have. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile long *done;
static long pace;
static volatile long first, second;
static long shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void rest(void)
{
	for (long n = pace; n > 0; n--)
		__asm__ volatile("pause");
}

static void *one(void *with)
{
	for (long i = 1;; i++) {
		first = i;
		done[0] = i;
		if (i % 64 == 0) {
			pthread_mutex_lock(&lock);
			shared++;
			pthread_mutex_unlock(&lock);
		}
		rest();
	}
	return with;
}

static void *other(void *with)
{
	for (long i = 1;; i++) {
		second = i;
		done[1] = i;
		rest();
	}
	return with;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	int fd = open("done", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (argc < 2 || fd < 0 || ftruncate(fd, 4096) < 0)
		return 2;
	pace = atol(argv[1]);
	done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	done[2] = getpid();
	alarm(60);
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
