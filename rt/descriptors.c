/* rt/descriptors.c -- a byte for each descriptor, kept by looking at the calls that make, copy and close them.
 *   (1) standard: it is a copy of what was descriptor 1 or 2 when the program began: a replay writes to it, and to nothing else;
 *   (2) ours: pipe, socket pair or event descriptor made by this process, or a set (epoll) of such; as long as no other process
 *       was made and no descriptor sent away.  Who waits for one of those waits for another strand. */
#include <fcntl.h>
#include <sys/epoll.h>

#include "rt/descriptors.h"
#include "rt/segment.h"
#include "rt/signal.h"
#include "rt/timers.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#define FDS 65536

enum { STANDARD = 3, OURS = 4, EPOLL_SET = 8 };

static uint8_t known[FDS];
static bool shared;

static uint8_t *of(long fd)
{
	static uint8_t nothing;
	nothing = 0;
	return fd >= 0 && fd < FDS ? &known[fd] : &nothing;
}

void fds_start(void)
{
	*of(1) = 1;
	*of(2) = 2;
}

void fds_shared(void)
{
	shared = true;
}

bool fds_are_shared(void)
{
	return shared;
}

bool fd_is_ours(int fd)
{
	return !shared && (fd < 0 || (*of(fd) & OURS));
}

int fd_standard(int fd)
{
	return *of(fd) & STANDARD;
}

/* Where races are looked for: whoever gets a number comes behind who gave it back. */
static void tell_number(enum event_kind kind, long fd, uint64_t pc)
{
	if (ring && ring->keep & KEEP_FRAMES && own_strand)
		rt_event(kind, 0, (uint64_t)fd, 0, 0, pc);
}

static void after_close_range(unsigned long low, unsigned long high)
{
	for (unsigned long fd = low; fd <= high && fd < FDS; fd++)
		known[fd] = 0;
}

static void after_epoll_ctl(const struct world_call *c)
{
	if (c->a[1] == EPOLL_CTL_ADD && !(*of(c->a[2]) & OURS))
		*of(c->a[0]) &= (uint8_t)~OURS;
}

void fds_after(const struct world_call *c, long result)
{
	const int *pair;
	if (result < 0)
		return;
	if (c->number == SYS_signalfd || c->number == SYS_signalfd4)
		signals_read_from_descriptor(*(const uint64_t *)c->a[1]);
	timers_after(c, result);
	switch (c->number) {
	case SYS_open: case SYS_openat: case SYS_openat2: case SYS_creat: case SYS_socket: case SYS_accept: case SYS_accept4:
	case SYS_signalfd: case SYS_signalfd4: case SYS_memfd_create: case SYS_inotify_init1:
		*of(result) = 0;
		tell_number(EV_OPENED, result, c->pc);
		break;
	case SYS_timerfd_create:
		*of(result) = steer->time == TIME_VIRTUAL ? OURS : 0;
		tell_number(EV_OPENED, result, c->pc);
		break;
	case SYS_eventfd: case SYS_eventfd2: case SYS_epoll_create: case SYS_epoll_create1:
		*of(result) = OURS;
		tell_number(EV_OPENED, result, c->pc);
		break;
	case SYS_pipe: case SYS_pipe2: case SYS_socketpair:
		pair = (const int *)c->a[c->number == SYS_socketpair ? 3 : 0];
		*of(pair[0]) = *of(pair[1]) = OURS;
		tell_number(EV_OPENED, pair[0], c->pc);
		tell_number(EV_OPENED, pair[1], c->pc);
		break;
	case SYS_dup: case SYS_dup2: case SYS_dup3:
		*of(result) = *of(c->a[0]);
		tell_number(EV_OPENED, result, c->pc);
		break;
	case SYS_fcntl:
		if (c->a[1] == F_DUPFD || c->a[1] == F_DUPFD_CLOEXEC) {
			*of(result) = *of(c->a[0]);
			tell_number(EV_OPENED, result, c->pc);
		}
		break;
	case SYS_close:
		*of(c->a[0]) = 0;
		tell_number(EV_SHUT, c->a[0], c->pc);
		break;
	case SYS_close_range:
		if (!(c->a[2] & 4))                      /* CLOSE_RANGE_CLOEXEC */
			after_close_range((unsigned long)c->a[0], (unsigned long)c->a[1]);
		break;
	case SYS_epoll_ctl:
		after_epoll_ctl(c);
		break;
	default:
		break;
	}
}
