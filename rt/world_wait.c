/* rt/world_wait.c -- what a system call would wait for, how long, and what it answers when its time is up. */
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "rt/sysv.h"
#include "rt/timers.h"
#include "rt/world_inside.h"

#define FOREVER UINT64_MAX

/* ---- how long ---- */

uint64_t wait_until(uint64_t nanoseconds)
{
	return nanoseconds == FOREVER ? 0 : steer_clock() + nanoseconds + 1;
}

static uint64_t milliseconds(long ms)
{
	return (int)ms < 0 ? FOREVER : (uint64_t)(int)ms * 1000000u;
}

static uint64_t spec_at(long at)
{
	return at ? time_spec((const struct timespec *)at) : FOREVER;
}

static uint64_t timeval_at(long at)
{
	const struct timeval *t = (const struct timeval *)at;
	return at ? (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u : FOREVER;
}

uint64_t call_patience(const struct world_call *c)
{
	switch (c->number) {
	case SYS_poll:         return milliseconds(c->a[2]);
	case SYS_ppoll:        return spec_at(c->a[2]);
	case SYS_select:       return timeval_at(c->a[4]);
	case SYS_pselect6:     return spec_at(c->a[4]);
	case SYS_epoll_pwait2: case SYS_semtimedop: return spec_at(c->a[3]);
	case SYS_semop: case SYS_msgsnd: case SYS_msgrcv: return FOREVER;
	default:               return milliseconds(c->a[3]);     /* epoll_wait, epoll_pwait */
	}
}

/* A socket's own limit, set by SO_RCVTIMEO or SO_SNDTIMEO. */
static uint64_t socket_patience(int fd, int option)
{
	struct timeval t = { 0, 0 };
	socklen_t length = sizeof t;
	long failed = sys6(SYS_getsockopt, fd, SOL_SOCKET, option, (long)&t, (long)&length, 0);
	return failed || (!t.tv_sec && !t.tv_usec) ? FOREVER : timeval_at((long)&t);
}

long call_flags(const struct world_call *c)
{
	switch (c->number) {
	case SYS_recvfrom: case SYS_sendto: return c->a[3];
	case SYS_recvmsg: case SYS_sendmsg: return c->a[2];
	case SYS_recvmmsg: case SYS_sendmmsg: return c->a[3];
	default: return 0;
	}
}

/* ---- what for ---- */

static void plan_fd(struct wait *w, const struct world_call *c)
{
	bool in = w->awaited.how == AWAIT_IN;
	w->awaited.events = in ? POLLIN : POLLOUT;
	if (!fd_blocks(w->awaited.fd) || call_flags(c) & MSG_DONTWAIT)
		w->awaited.how = AWAIT_NOTHING;
	else
		w->deadline = wait_until(socket_patience(w->awaited.fd, in ? SO_RCVTIMEO : SO_SNDTIMEO));
}

static void plan_patience(struct wait *w, const struct world_call *c)
{
	uint64_t patient = call_patience(c);
	w->awaited.events = POLLIN;
	if (patient)
		w->deadline = wait_until(patient);
	else
		w->awaited.how = AWAIT_NOTHING;
}

struct wait wait_plan(const struct world_call *c, const struct call_about *about)
{
	struct wait w = { .awaited = { .how = about->await, .fd = (int)c->a[0], .call = c } };
	switch (about->await) {
	case AWAIT_IN: case AWAIT_OUT:
		plan_fd(&w, c);
		break;
	case AWAIT_POLL: case AWAIT_SELECT:
		w.awaited.fd = -1;
		plan_patience(&w, c);
		break;
	case AWAIT_EPOLL:
		plan_patience(&w, c);
		break;
	case AWAIT_SYSV:
		w.awaited.fd = -1;
		w.deadline = wait_until(call_patience(c));
		if (sysv_never_waits(c))
			w.awaited.how = AWAIT_NOTHING;
		break;
	case AWAIT_CHILD:
		w.awaited.fd = -1;
		if (c->a[c->number == SYS_waitid ? 3 : 2] & WNOHANG)
			w.awaited.how = AWAIT_NOTHING;
		break;
	case AWAIT_FILE_LOCK:
		if (c->a[1] & (LOCK_NB | LOCK_UN))
			w.awaited.how = AWAIT_NOTHING;
		break;
	case AWAIT_RECORD_LOCK:
		if (c->a[1] != F_SETLKW && c->a[1] != F_OFD_SETLKW)
			w.awaited.how = AWAIT_NOTHING;
		break;
	default:
		break;
	}
	return w;
}

/* ---- in vain ---- */

/* poll and its like after their time: nothing is ready. */
static long nothing_ready(const struct world_call *c)
{
	struct pollfd *fds = (struct pollfd *)c->a[0];
	if (call_about(c->number)->await == AWAIT_POLL)
		for (long i = 0; i < c->a[1]; i++)
			fds[i].revents = 0;
	for (int set = 1; call_about(c->number)->await == AWAIT_SELECT && set <= 3; set++)
		for (long i = 0; c->a[set] && i < (c->a[0] + 63) / 64; i++)
			((unsigned long *)c->a[set])[i] = 0;
	return 0;
}

void wait_time_left(const struct world_call *c, uint64_t deadline)
{
	struct timeval *t = (struct timeval *)c->a[4];
	if (c->number != SYS_select || !t || !deadline)
		return;
	uint64_t now = steer_clock(), left = deadline > now ? deadline - now : 0;
	*t = (struct timeval){ .tv_sec = (time_t)(left / 1000000000u), .tv_usec = (suseconds_t)(left % 1000000000u / 1000u) };
}

long wait_too_late(const struct world_call *c)
{
	switch (call_about(c->number)->await) {
	case AWAIT_IN: case AWAIT_OUT: case AWAIT_SYSV: return -EAGAIN;
	default: return nothing_ready(c);
	}
}

bool wait_found_nothing(const struct wait *w, long result)
{
	if (w->awaited.how == AWAIT_SYSV)
		return sysv_goes_on(w->awaited.call, result);
	return result == 0 && (w->awaited.how == AWAIT_POLL || w->awaited.how == AWAIT_SELECT || w->awaited.how == AWAIT_EPOLL);
}
