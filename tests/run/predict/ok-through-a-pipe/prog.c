/* Data handed over by a byte in a pipe. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int fd[2];
static volatile int data;

static void *first(void *u)
{
	(void)u;
	data = 4;
	if (write(fd[1], "x", 1) != 1)
		abort();
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	char ch;
	if (read(fd[0], &ch, 1) != 1)
		abort();
	if (data != 4)
		abort();
	return NULL;
}

int main(void)
{
	if (pipe(fd) < 0)
		return 1;
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
