/* Data written behind the byte that hands it over. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int fd[2];
static volatile int data;

static void *first(void *u)
{
	(void)u;
	if (write(fd[1], "x", 1) != 1)
		abort();
	data = 4;		/*@A*/
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	char ch;
	if (read(fd[0], &ch, 1) != 1)
		abort();
	if (data == 5)		/*@B*/
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
