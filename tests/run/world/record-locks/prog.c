/* Parts of a file locked by two threads, through descriptions of their own: one waits for the other, and giving back never waits. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int inside, rounds, most;

static void lock(int fd, short type)
{
	struct flock part = { .l_type = type, .l_whence = SEEK_SET, .l_len = 1 };
	if (fcntl(fd, F_OFD_SETLKW, &part))
		abort();
}

static void *one(void *file)
{
	int fd = open(file, O_RDWR);
	for (int i = 0; i < 2; i++) {
		lock(fd, F_WRLCK);
		inside++;
		sched_yield();
		most = inside > most ? inside : most;
		inside--;
		rounds++;
		lock(fd, F_UNLCK);
	}
	close(fd);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	char file[] = "locked.XXXXXX";
	close(mkstemp(file));
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, one, file);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	unlink(file);
	printf("%d rounds, %d inside\n", rounds, most);
	return 0;
}
