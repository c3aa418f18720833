/* A worker fills a result and writes a byte; the main thread, which only polls, uses the result, and the byte is read by a third thread that is told to by a
 * second pipe. A fourth hands over by closing its end. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static int done[2], told[2], over[2];
static int result, sum, last;

static void *work(void *u)
{
	result = 40;
	if (write(done[1], "d", 1) != 1)
		abort();
	return u;
}

static void *drain(void *u)
{
	char c;
	if (read(told[0], &c, 1) != 1 || read(done[0], &c, 1) != 1)
		abort();
	sum += result;
	return u;
}

static void *closes(void *u)
{
	last = 2;
	close(over[1]);
	return u;
}

int main(void)
{
	pthread_t t[3];
	if (pipe(done) || pipe(told) || pipe(over))
		abort();
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, drain, NULL);
	pthread_create(&t[2], NULL, closes, NULL);
	struct pollfd p = { .fd = done[0], .events = POLLIN };
	if (poll(&p, 1, -1) != 1)
		abort();
	result++;
	sum = result;
	if (write(told[1], "t", 1) != 1)
		abort();
	struct epoll_event e = { .events = EPOLLIN };
	int set = epoll_create1(0);
	epoll_ctl(set, EPOLL_CTL_ADD, over[0], &e);
	if (epoll_wait(set, &e, 1, -1) != 1)
		abort();
	last++;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", sum, last);
	return 0;
}
