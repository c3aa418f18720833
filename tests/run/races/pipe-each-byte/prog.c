#include "../two.h"
#include <stdlib.h>
#include <unistd.h>

static int fd[2], first, second;

/* Who reads the first byte comes behind who wrote that, and not behind who wrote the second. */
static void *a(void *x)
{
	first = 1;
	if (write(fd[1], "1", 1) != 1)
		abort();
	return x;
}

static void *b(void *x)
{
	second = 1;
	if (write(fd[1], "2", 1) != 1)
		abort();
	return x;
}

static void *c(void *x)
{
	char byte;
	if (read(fd[0], &byte, 1) != 1)
		abort();
	first++;
	second++;
	return x;
}

int main(void)
{
	pthread_t reader;
	if (pipe(fd))
		return 1;
	pthread_t one, other;
	pthread_create(&one, NULL, a, NULL);
	pthread_create(&other, NULL, b, NULL);
	pthread_create(&reader, NULL, c, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	pthread_join(reader, NULL);
	return 0;
}
