/* rt/await.c -- a strand that waits for the outside stops no other.
 *
 * Its point asks the kernel, without blocking, whether the call would go through.  Asking costs a system call, and every choice of
 * the scheduler asks everybody: so the last answer stands until some strand does something descriptors can notice, or STALE
 * events have passed, or nobody else can run.  Then the process really waits, for everything all its strands wait for, and the
 * time that passes meanwhile passes for the program too.
 *   (1) asking changes nothing the program can see; only a file lock (flock), which cannot be asked for, is taken when it is
 *       free at the time of asking;
 *   (2) a strand that waits for descriptors which only this process can have (descriptors.c) does not wait for the outside. */
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/select.h>

#include "rt/children.h"
#include "rt/descriptors.h"
#include "rt/input.h"
#include "rt/signal.h"
#include "rt/sysv.h"
#include "rt/world.h"

#define STALE        256u           /* events after which the outside is asked again */
#define SETS_MOST    8192           /* descriptors in one select */
#define POLLED_MOST  1024u
#define NAP_BATON    10000000u      /* a signal may come to another kernel thread, and does not wake this one */
#define NAP          1000000u       /* what has no descriptor, or cannot be counted, is asked again after so many nanoseconds */

static uint64_t epoch;
uint32_t steer_awaiting;
static struct pollfd polled[POLLED_MOST];

void await_happened(void)
{
	epoch++;
}

bool fd_blocks(int fd)
{
	long flags = sys3(SYS_fcntl, fd, F_GETFL, 0);
	return flags >= 0 && !(flags & O_NONBLOCK);
}

/* ---- asking ---- */

static bool fd_ready(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	return sys3(SYS_poll, (long)&p, 1, 0) != 0;
}

static bool sets_ready(const struct world_call *c)
{
	fd_set sets[3][SETS_MOST / FD_SETSIZE];
	long args[3] = { 0, 0, 0 };
	uint64_t bytes = c->a[0] > 0 ? (uint64_t)(c->a[0] + 63) / 64 * 8 : 0;
	struct timeval now = { 0, 0 };
	if (bytes > sizeof sets[0])
		return true;
	for (int i = 0; i < 3; i++)
		if (c->a[1 + i]) {
			copy_bytes(sets[i], (const void *)c->a[1 + i], bytes);
			args[i] = (long)sets[i];
		}
	return sys6(SYS_select, c->a[0], args[0], args[1], args[2], (long)&now, 0) != 0;
}

static bool record_lock_ready(const struct world_call *c)
{
	struct flock want = *(const struct flock *)c->a[2];
	if (want.l_type == F_UNLCK)                     /* giving back never waits; F_OFD_GETLK of that tells what is locked */
		return true;
	long result = sys3(SYS_fcntl, c->a[0], c->a[1] == F_OFD_SETLKW ? F_OFD_GETLK : F_GETLK, (long)&want);
	return result < 0 || want.l_type == F_UNLCK;
}

static bool file_lock_ready(struct awaited *w)
{
	const struct world_call *c = w->call;
	if (!w->done)
		w->done = sys3(SYS_flock, c->a[0], c->a[1] | LOCK_NB, 0) != -EWOULDBLOCK;
	return w->done;
}

static bool is_ready(struct awaited *w)
{
	switch (w->how) {
	case AWAIT_IN: case AWAIT_OUT: case AWAIT_EPOLL: case AWAIT_CONNECT:
		return fd_ready(w->fd, w->events);
	case AWAIT_POLL:
		return sys3(SYS_poll, w->call->a[0], w->call->a[1], 0) != 0;
	case AWAIT_SELECT:      return sets_ready(w->call);
	case AWAIT_CHILD:       return children_ready(w);
	case AWAIT_RECORD_LOCK: return record_lock_ready(w->call);
	case AWAIT_FILE_LOCK:   return file_lock_ready(w);
	case AWAIT_SYSV:
		w->waited = !sysv_is_ready(w->call) || w->waited;
		return sysv_is_ready(w->call);
	default:                return true;
	}
}

static uint32_t ways_outside(const struct strand *s)
{
	struct awaited *w = (struct awaited *)(uintptr_t)s->ask.first;
	uint32_t late = s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
	if (!w->known || w->asked_epoch != epoch || steer->steps - w->asked_step >= STALE) {
		w->known = true;
		w->asked_epoch = epoch;
		w->asked_step = steer->steps;
		w->last = is_ready(w) ? WAY_GO : 0;
	}
	return w->last | late;
}

/* In a replay: whatever the log has an answer for goes through, and the call the run was killed in; what a handler ended waits for it. */
static uint32_t ways_served(const struct strand *s)
{
	uint32_t late = s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
	if (!input_has_more(s))
		return steer->ends_by && steer->steps + 1 == steer->ends_at ? WAY_GO : 0;
	return input_was_interrupted(s) ? 0 : WAY_GO | late;
}

/* Which waits a handler ends: poll and its like and those of System V always, others unless it was installed with SA_RESTART. */
static int interrupts(const struct awaited *w)
{
	switch (w->how) {
	case AWAIT_NOTHING: return INTERRUPTED_NEVER;
	case AWAIT_POLL: case AWAIT_SELECT: case AWAIT_EPOLL: case AWAIT_SYSV: return INTERRUPTED_ALWAYS;
	default: return INTERRUPTED_UNLESS_RESTARTED;
	}
}

enum point_answer await_point(enum event_kind kind, struct awaited *w, uint64_t deadline, uint64_t pc)
{
	struct steer_ask ask = { .kind = kind, .object = (uint64_t)(w->fd + 1), .place = pc, .first = w, .deadline = deadline,
		.ways = input_serving() ? ways_served : w->how == AWAIT_NOTHING ? NULL : ways_outside,
		.interrupts = interrupts(w), .begun = true,
		.cancels = w->call->by_name && call_about(w->call->number)->await != AWAIT_NOTHING ? CANCEL_AT_ONCE : CANCEL_LATER };
	steer_awaiting++;
	enum point_answer answer = steer_point_until(&ask);
	steer_awaiting--;                             /* not if it is left by a jump: then it stays too high, which is harmless */
	return answer;
}

/* ---- really waiting ---- */

static unsigned add_fd(unsigned count, int fd, short events)
{
	if (count < POLLED_MOST)
		polled[count] = (struct pollfd){ .fd = fd, .events = events };
	return count + 1;
}

static unsigned add_sets(unsigned count, const struct world_call *c)
{
	static const short events[3] = { POLLIN, POLLOUT, POLLPRI };
	for (int set = 0; set < 3; set++) {
		const unsigned long *words = (const unsigned long *)c->a[1 + set];
		for (long fd = 0; words && fd < c->a[0]; fd++)
			if (words[fd / 64] >> fd % 64 & 1)
				count = add_fd(count, (int)fd, events[set]);
	}
	return count;
}

/* Adds what this strand waits for; *unseen: some of it has no descriptor. */
static unsigned add_awaited(unsigned count, const struct awaited *w, bool *unseen)
{
	const struct pollfd *fds = w->call ? (const struct pollfd *)w->call->a[0] : NULL;
	switch (w->how) {
	case AWAIT_IN: case AWAIT_OUT: case AWAIT_EPOLL: case AWAIT_CONNECT:
		return add_fd(count, w->fd, w->events);
	case AWAIT_POLL:
		for (long i = 0; i < w->call->a[1]; i++)
			count = add_fd(count, fds[i].fd, fds[i].events);
		return count;
	case AWAIT_SELECT:
		return add_sets(count, w->call);
	default:
		*unseen = true;
		return count;
	}
}

/* Could somebody outside of this process end this wait? */
static bool is_outside(const struct awaited *w)
{
	const struct pollfd *fds = w->call ? (const struct pollfd *)w->call->a[0] : NULL;
	switch (w->how) {
	case AWAIT_IN: case AWAIT_OUT: case AWAIT_EPOLL: case AWAIT_CONNECT:
		return !fd_is_ours(w->fd);
	case AWAIT_POLL:
		for (long i = 0; i < w->call->a[1]; i++)
			if (!fd_is_ours(fds[i].fd))
				return true;
		return false;
	case AWAIT_SELECT:
		for (int set = 1; set <= 3; set++) {
			const unsigned long *words = (const unsigned long *)w->call->a[set];
			for (long fd = 0; words && fd < w->call->a[0]; fd++)
				if (words[fd / 64] >> fd % 64 & 1 && !fd_is_ours((int)fd))
					return true;
		}
		return false;
	case AWAIT_SYSV:
		return !sysv_is_ours(w->call);
	default:
		return true;
	}
}

static const struct awaited *awaited_by(const struct strand *s)
{
	return s->seen->state == STRAND_AT_POINT && s->ask.ways == ways_outside ? s->ask.first : NULL;
}

bool steer_is_outside(const struct strand *s)
{
	const struct awaited *w = awaited_by(s);
	return w && is_outside(w);
}

bool steer_some_await_outside(void)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		if (steer_is_outside(steer_strand(i)))
			return true;
	}
	return false;
}

uint64_t steer_real_now(void)
{
	struct timespec t;
	sys3(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void steer_await_outside(uint64_t most)
{
	steer_await_too(-1, most);
}

void steer_await_too(int fd, uint64_t most)
{
	unsigned count = fd < 0 ? 0 : add_fd(0, fd, POLLIN);
	bool unseen = false;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		const struct awaited *w = awaited_by(steer_strand(i));
		if (w)
			count = add_awaited(count, w, &unseen);
	}
	if (count > POLLED_MOST) {
		count = POLLED_MOST;
		unseen = true;
	}
	if ((unseen || children_may_tell()) && most > NAP)
		most = NAP;
	if (steer->switched_by == SWITCH_BATON && most > NAP_BATON)
		most = NAP_BATON;
	struct timespec time = { .tv_sec = (time_t)(most / 1000000000u), .tv_nsec = (long)(most % 1000000000u) };
	uint64_t before = steer_real_now();
	uint64_t mask;
	sys_block_signals(&mask);                        /* one that comes now ends the wait; one that came before, too */
	if (!signals_have_arrived)
		sys6(SYS_ppoll, (long)polled, count, most == UINT64_MAX ? 0 : (long)&time, (long)&mask, sizeof mask, 0);
	sys_set_signals(&mask);
	await_happened();                                /* everybody is asked again */
	signals_take_in();
	signals_take_awaited();
	if (steer->time == TIME_VIRTUAL) {
		steer->clock += steer_real_now() - before;
		input_note_clock();
	}
}
