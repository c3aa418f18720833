/* rt/ready.c -- see ready.h.  Only where races are looked for; what happens before what is in handover.c.
 *
 * epoll_wait gives back what the program handed over with a descriptor, not its number: `watched` remembers both.  Where several descriptors of a set were
 * handed over with the same, all of them count as found.
 * A handler runs after the calls that installed it, and a signal of a timer comes after the call that set it: the thread that takes
 * it, in a handler or by waiting for it, comes after both.
 * A signalfd gives signals back one by one: whoever reads one, or is told that there is one, comes behind those who sent it.  `waiting` are those sent and not
 * yet read. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>

#include "rt/handover.h"
#include "rt/ready.h"
#include "rt/segment.h"
#include "wire/line.h"

#define WATCHED 1024u
#define FDS     1024u
#define PREPARED 384                            /* signals, then timers that start threads */

static struct { int set, fd; uint64_t data; } watched[WATCHED];       /* set 0: free */
static uint32_t watched_end;
static uint64_t masks[FDS];                     /* of a signalfd: signals; 0: it is none */
static uint64_t waiting;
static uint64_t prepared[PREPARED / 64];        /* whose handler was installed or whose timer was set */

/* ---- signals ---- */

static void tell_signal(enum event_kind kind, int number, uint64_t pc)
{
	uint64_t object = LINE_SIGNALS | (uint64_t)number;
	rt_event(kind, object, 0, rt_version(object), 0, pc);
}

static bool are_told(void)
{
	return ring && ring->keep & KEEP_FRAMES && rt_steered() && own_strand;
}

void ready_sent(int number, uint64_t pc)
{
	if (!are_told())
		return;
	tell_signal(EV_RELEASE, number, pc);
	waiting |= 1ull << (number - 1);
}

void ready_prepared(int number, uint64_t pc)
{
	if (number <= 0 || number >= PREPARED || !are_told())
		return;
	tell_signal(EV_RELEASE, number, pc);
	prepared[number / 64] |= 1ull << number % 64;
}

void ready_taken(int number, uint64_t pc)
{
	if (number > 0 && number < PREPARED && prepared[number / 64] & 1ull << number % 64 && are_told())
		tell_signal(EV_ACQUIRE, number, pc);
}

static void signals_read(const struct world_call *c, long result)
{
	const struct signalfd_siginfo *info = (const struct signalfd_siginfo *)c->a[1];
	for (long i = 0; i < result / (long)sizeof *info; i++)
		if (info[i].ssi_code <= 0 && info[i].ssi_signo - 1 < 64) {
			tell_signal(EV_ACQUIRE, (int)info[i].ssi_signo, c->pc);
			waiting &= ~(1ull << (info[i].ssi_signo - 1));
		}
}

static void signals_seen(uint64_t mask, uint64_t pc)
{
	for (int number = 1; number <= 64; number++)
		if (mask & waiting & 1ull << (number - 1))
			tell_signal(EV_ACQUIRE, number, pc);
}

static bool is_known(long fd)
{
	return fd >= 0 && fd < (long)FDS;
}

/* ---- descriptors ---- */

static void seen(long fd, bool ended, uint64_t pc)
{
	if (is_known(fd) && masks[fd])
		signals_seen(masks[fd], pc);
	else
		handover_seen(fd, ended, pc);
}

static void polled(const struct world_call *c)
{
	const struct pollfd *fds = (const struct pollfd *)c->a[0];
	for (long i = 0; i < c->a[1]; i++)
		if (fds[i].revents & (POLLIN | POLLRDNORM | POLLRDHUP | POLLHUP))
			seen(fds[i].fd, fds[i].revents & (POLLRDHUP | POLLHUP), c->pc);
}

static void selected(const struct world_call *c)
{
	const unsigned long *in = (const unsigned long *)c->a[1];
	for (long fd = 0; in && fd < c->a[0]; fd++)
		if (in[fd / 64] >> (fd % 64) & 1)
			seen(fd, false, c->pc);
}

static void forget(int set, int fd)
{
	for (uint32_t i = 0; i < watched_end; i++)
		if (watched[i].set && (set < 0 || watched[i].set == set) && (fd < 0 || watched[i].fd == fd))
			watched[i].set = 0;
}

static void watch(const struct world_call *c)
{
	const struct epoll_event *e = (const struct epoll_event *)c->a[3];
	forget((int)c->a[0], (int)c->a[2]);
	if (c->a[1] == EPOLL_CTL_DEL)
		return;
	for (uint32_t i = 0; i < WATCHED; i++)
		if (!watched[i].set) {
			watched[i].set = (int)c->a[0];
			watched[i].fd = (int)c->a[2];
			watched[i].data = e->data.u64;
			watched_end = i < watched_end ? watched_end : i + 1;
			return;
		}
}

static void epolled(const struct world_call *c, long result)
{
	const struct epoll_event *e = (const struct epoll_event *)c->a[1];
	for (long k = 0; k < result; k++)
		for (uint32_t i = 0; i < watched_end && e[k].events & (EPOLLIN | EPOLLRDNORM | EPOLLRDHUP | EPOLLHUP); i++)
			if (watched[i].set == c->a[0] && watched[i].data == e[k].data.u64)
				seen(watched[i].fd, e[k].events & (EPOLLRDHUP | EPOLLHUP), c->pc);
}

/* It is another one from now on. */
static void gone(long fd)
{
	if (is_known(fd))
		masks[fd] = 0;
	forget((int)fd, -1);
	forget(-1, (int)fd);
}

void ready_after(const struct world_call *c, long result)
{
	switch (c->number) {
	case SYS_poll: case SYS_ppoll:
		polled(c);
		break;
	case SYS_select: case SYS_pselect6:
		selected(c);
		break;
	case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_epoll_pwait2:
		epolled(c, result);
		break;
	case SYS_epoll_ctl:
		watch(c);
		break;
	case SYS_ioctl:
		if (c->a[1] == FIONREAD && *(const int *)c->a[2] > 0)
			seen(c->a[0], false, c->pc);
		break;
	case SYS_signalfd: case SYS_signalfd4:
		if (is_known(result))
			masks[result] = *(const uint64_t *)c->a[1];
		break;
	case SYS_read:
		if (is_known(c->a[0]) && masks[c->a[0]])
			signals_read(c, result);
		break;
	case SYS_close:
		gone(c->a[0]);
		break;
	case SYS_dup2: case SYS_dup3:
		if (c->a[0] != c->a[1])
			gone(c->a[1]);
		break;
	default:
		break;
	}
}
