/* What poll, select and epoll leave in memory: nothing ready, what is ready, how much time is left. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused)
{
	sleep(2);
	if (write(ends[1], "x", 1) != 1)
		perror("write");
	return unused;
}

static void selects(void)
{
	struct timeval t = { 10, 0 };
	fd_set set;
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	int n = select(ends[0] + 1, &set, NULL, NULL, &t);
	printf("select %d set %d left %ld s\n", n, FD_ISSET(ends[0], &set) != 0, (long)(t.tv_sec + (t.tv_usec + 500000) / 1000000));
}

int main(void)
{
	pthread_t t;
	struct pollfd p = { .events = POLLIN, .revents = POLLERR };
	struct epoll_event wanted = { .events = EPOLLIN, .data.u32 = 77 }, got[2] = { { 0 }, { 0 } };
	char byte;
	if (pipe(ends))
		return 1;
	int loop = epoll_create1(0);
	epoll_ctl(loop, EPOLL_CTL_ADD, ends[0], &wanted);
	pthread_create(&t, NULL, writes, NULL);
	p.fd = ends[0];
	int n = poll(&p, 1, 1000);              /* one second: too early */
	printf("poll %d events %d\n", n, p.revents);
	selects();                              /* ready after the other second */
	n = epoll_wait(loop, got, 2, -1);
	printf("epoll %d data %u\n", n, got[0].data.u32);
	p.revents = 0;
	n = poll(&p, 1, -1);
	printf("poll %d events %d\n", n, p.revents == POLLIN);
	if (read(ends[0], &byte, 1) == 1)
		printf("read %c\n", byte);
	selects();                              /* never ready */
	pthread_join(t, NULL);
	return 0;
}
