#define _GNU_SOURCE
#include "../two.h"
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 8 };
static int from[KINDS], to[KINDS], event, watch, pair[2], closed[2];
static int right[KINDS], counted, second, hung, shut, late[3];

/* What was written happens before whoever is told that there is something to read, though he does not read it; what follows does not. */
static void *a(void *x)
{
	for (int i = 0; i < KINDS; i++) {
		right[i] = 1;
		if (write(to[i], "x", 1) != 1)
			abort();
	}
	counted = 1;
	eventfd_write(event, 2);
	second = 1;                             /* one of two is all a look can tell of */
	eventfd_write(event, 1);
	hung = 1;
	close(closed[1]);
	shut = 1;
	shutdown(pair[1], SHUT_WR);
	late[0] = late[1] = late[2] = 1;
	return x;
}

static void looks(int fd, int *v, int kind)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct timespec no = { 0, 0 };
	struct timeval none = { 0, 0 };
	struct epoll_event e;
	sigset_t set;
	fd_set in;
	int n = 0;
	sigemptyset(&set);
	FD_ZERO(&in);
	FD_SET(fd, &in);
	switch (kind) {
	case 0: n = poll(&p, 1, -1); break;
	case 1: n = poll(&p, 1, 0); break;
	case 2: n = ppoll(&p, 1, &no, &set); break;
	case 3: n = select(fd + 1, &in, NULL, NULL, &none); break;
	case 4: n = pselect(fd + 1, &in, NULL, NULL, NULL, &set); break;
	case 5: n = epoll_wait(watch, &e, 1, -1); break;
	case 6: n = epoll_pwait(watch, &e, 1, 100, &set); break;
	default: ioctl(fd, FIONREAD, &n); break;
	}
	if (n < 1)
		abort();
	(*v)++;
}

static void *b(void *x)
{
	for (int i = 0; i < KINDS; i++) {
		struct epoll_event e = { .events = EPOLLIN, .data.u64 = 7 };
		if (i == 5 || i == 6)
			epoll_ctl(watch, EPOLL_CTL_ADD, from[i], &e);
		looks(from[i], &right[i], i);
		if (i == 5)
			epoll_ctl(watch, EPOLL_CTL_DEL, from[i], NULL);
	}
	looks(event, &counted, 0);
	second++;
	late[0]++;
	looks(closed[0], &hung, 0);
	late[1]++;
	looks(pair[0], &shut, 3);
	late[2]++;
	return x;
}

int main(void)
{
	for (int i = 0; i < KINDS; i++) {
		int ends[2];
		if (pipe(ends))
			abort();
		from[i] = ends[0];
		to[i] = ends[1];
	}
	if (pipe(closed) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	event = eventfd(0, 0);
	watch = epoll_create1(0);
	two(a, b);
	return 0;
}
