/* One reads from a pipe while it holds the lock the other one takes before it writes there. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fd[2];
static int lines;

static void *writes(void *unused)
{
	pthread_mutex_lock(&m);                 /*@L*/
	lines++;
	pthread_mutex_unlock(&m);
	if (write(fd[1], "x", 1) != 1)
		abort();
	return unused;
}

static void *reads(void *unused)
{
	char c;
#ifndef OK
	pthread_mutex_lock(&m);
#endif
	if (read(fd[0], &c, 1) != 1)            /*@R*/
		abort();
#ifdef OK
	pthread_mutex_lock(&m);
#endif
	lines--;
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t one, two;
	if (pipe(fd) < 0)
		return 1;
	pthread_create(&one, NULL, writes, NULL);
	pthread_create(&two, NULL, reads, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
