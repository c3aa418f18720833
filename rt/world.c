/* rt/world.c -- one system call of a steered program: a point in front if others can notice it, then the kernel, or in a replay
 * the log of an earlier run.
 *
 *   (1) what is performed has no need to wait: its point has asked (await.c), and a call that could wait all the same in the middle
 *       of its work (a long write into a pipe) is made in parts, each with a point of its own (world_parts.c);
 *   (2) a replay makes no call but those that concern memory and this thread, and writes to standard output and error.  It
 *       passes the same points as the recorded run: whether there is one, and whether there is another part, stands in the
 *       table of calls and in the log, never in the state of the world. */
#include "rt/world.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include "rt/access.h"
#include "rt/altstack.h"
#include "rt/buffer.h"
#include "rt/children.h"
#include "rt/descriptors.h"
#include "rt/input.h"
#include "rt/private.h"
#include "rt/keep.h"
#include "rt/left.h"
#include "rt/mapped.h"
#include "rt/pool.h"
#include "rt/random.h"
#include "rt/restart.h"
#include "rt/handover.h"
#include "rt/serve.h"
#include "rt/signal.h"
#include "rt/sysv.h"
#include "rt/timers.h"
#include "rt/world_inside.h"

#define FILE_PART   16384
#define SIGPIPE_BIT (1ull << (SIGPIPE - 1))

void world_join(void)
{
	fds_start();
	input_join();
	if (steer->apart && !input_serving())
		private_start();
}

void world_forked(void)
{
	input_forked();
}

void call_noted(const struct world_call *c, long result, struct piece *pieces, unsigned count, uint32_t flags)
{
	uint64_t check = result > 0 || flags ? call_output(c) : 0;
	struct file_write where;
	struct piece shown = { .at = &where, .bytes = sizeof where };
	call_filled(c, result, pieces, count);
	if (input_keeping() && !count && mapped_written(c, result, &where))
		input_note(INPUT_CALL, c, result, &shown, 1, flags, check);
	else
		input_note(INPUT_CALL, c, result, pieces, count, flags, check);
	await_happened();
	children_asked(c, result);
	sysv_made(c, result);
	handover_after(c, result, flags & INPUT_MORE);
	if (!flags)
		fds_after(c, result);
}

/* ---- broken pipes ----  The kernel sends SIGPIPE to the thread that writes, before the call returns.  All strands being one kernel
 * thread, it is taken from there and sent to the strand that wrote, in a replay too. */

static bool can_break(const struct world_call *c)
{
	return call_about(c->number)->await == AWAIT_OUT && !(call_flags(c) & MSG_NOSIGNAL);
}

bool pipe_shield(const struct world_call *c, uint64_t *before)
{
	uint64_t pipe = SIGPIPE_BIT;
	bool shields = own_strand->mask & SIGPIPE_BIT && can_break(c);
	if (shields)
		sys6(SYS_rt_sigprocmask, SIG_BLOCK, (long)&pipe, (long)before, 8, 0, 0);
	return shields;
}

void pipe_unshield(const uint64_t *before)
{
	static const struct timespec over = { 0, 0 };
	uint64_t pipe = SIGPIPE_BIT;
	sys6(SYS_rt_sigtimedwait, (long)&pipe, 0, (long)&over, 8, 0, 0);
	sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)before, 0, 8, 0, 0);
}

static void after_sending(const struct world_call *c, long result)
{
	if (result != -EPIPE || !can_break(c))
		return;
	signals_forget(SIGPIPE);
	signals_send(own_strand, SIGPIPE, SI_USER, NULL);
}

/* ---- performing without waiting ---- */

/* The same call, which must not wait: poll and its like with no time at all. */
static long perform_now(const struct world_call *c)
{
	static const struct timespec no_time;
	struct timeval no_timeval = { 0, 0 };
	struct world_call now = *c;
	switch (c->number) {
	case SYS_getpid: case SYS_gettid: case SYS_getppid: case SYS_getpgrp: case SYS_getpgid:
		return own_number(c);
	case SYS_poll:         now.a[2] = 0; break;
	case SYS_ppoll:        now.a[2] = (long)&no_time; break;
	case SYS_select:       now.a[4] = (long)&no_timeval; break;
	case SYS_pselect6:     now.a[4] = (long)&no_time; break;
	case SYS_epoll_pwait2: now.a[3] = (long)&no_time; break;
	case SYS_epoll_wait: case SYS_epoll_pwait: now.a[3] = 0; break;
	case SYS_semop: case SYS_semtimedop: case SYS_msgsnd: case SYS_msgrcv:
		return sysv_perform(c);
	case SYS_recvmmsg: case SYS_sendmmsg: now.a[2] = now.a[2] > 1; break;
	case SYS_sendfile: now.a[3] = (unsigned long)now.a[3] > FILE_PART ? FILE_PART : now.a[3]; break;
	default: break;
	}
	uint64_t before;
	bool shielded = pipe_shield(c, &before);
	long result = kernel_call(&now);
	if (rt_unlikely(shielded))
		pipe_unshield(&before);
	random_instead(c, result);
	return result;
}

long call_made(const struct world_call *c, const struct call_about *about)
{
	struct piece pieces[PIECES_MOST];
	struct wait w = wait_plan(c, about);
	for (;;) {
		enum point_answer answer = ANSWER_GO;
		if (about->point && !own_strand->flushes)
			answer = await_point(about->point, &w.awaited, w.deadline, c->pc);
		unsigned count = call_pieces(c, pieces);
		long result = answer == ANSWER_TIMEOUT ? wait_too_late(c) : answer == ANSWER_INTERRUPTED ? -EINTR :
			w.awaited.done ? 0 : perform_now(c);
		bool again = answer == ANSWER_GO && wait_found_nothing(&w, result);
		if (w.awaited.waited && result == -EINVAL)
			result = -EIDRM;                /* removed meanwhile */
		if (!again)
			wait_time_left(c, w.deadline);
		call_noted(c, result, pieces, count, again ? INPUT_MORE : 0);
		if (!again)
			return result;
		w.awaited.known = false;
	}
}

/* ---- a replay ---- */

static void write_all(int fd, const char *bytes, uint64_t count)
{
	while (count) {
		long n = sys3(SYS_write, fd, (long)bytes, (long)count);
		if (n == -EINTR || n == -EAGAIN)
			continue;
		if (n <= 0)
			return;
		bytes += n;
		count -= (uint64_t)n;
	}
}

/* What goes to standard output and error is seen in a replay too; everything else was sent once and is only compared. */
static void replay_output(const struct world_call *c, const struct input_record *r)
{
	struct iovec one;
	uint64_t count, left = (uint64_t)r->result;
	if (r->check != call_output(c))
		input_leave("other bytes were sent than in the recorded run", c, -1);
	int standard = fd_standard((int)c->a[0]);
	if (!standard || (c->number != SYS_write && c->number != SYS_writev))
		return;
	const struct iovec *v = call_vector(c, &one, &count);
	for (uint64_t i = 0; i < count && left; i++) {
		uint64_t here = v[i].iov_len < left ? v[i].iov_len : left;
		write_all(standard, v[i].iov_base, here);
		left -= here;
	}
}

static long served(const struct world_call *c, const struct call_about *about)
{
	struct piece pieces[PIECES_MOST];
	uint64_t bytes;
	struct awaited w = { .how = about->await, .fd = (int)c->a[0], .call = c };
	bool timed = about->await == AWAIT_POLL || about->await == AWAIT_SELECT || about->await == AWAIT_EPOLL || about->await == AWAIT_SYSV;
	uint64_t deadline = timed && call_patience(c) ? wait_until(call_patience(c)) : 0;
	if (about->await == AWAIT_POLL || about->await == AWAIT_SELECT || about->await == AWAIT_CHILD || about->await == AWAIT_SYSV)
		w.fd = -1;
	for (;;) {
		if (about->point && !own_strand->flushes)
			await_point(about->point, &w, deadline, c->pc);
		const struct input_record *r = input_next(INPUT_CALL, c);
		unsigned count = call_pieces(c, pieces);
		if (r->flags & INPUT_MORE) {
			handover_after(c, r->result, true);
			continue;
		}
		input_fill(r, pieces, count);
		if (r->check && r->result > 0)
			replay_output(c, r);
		const struct file_write *where = count ? NULL : input_piece(r, 0, &bytes);
		if (where && bytes == sizeof *where && r->result > 0)
			mapped_show(c, r->result, where);
		handover_after(c, r->result, false);
		fds_after(c, r->result);
		tasks_told(c, r->result);
		return r->result;
	}
}

/* ---- which ---- */

static long answered(const struct world_call *c, const struct call_about *about)
{
	if (input_serving())
		return served(c, about);
	switch (about->await) {
	case AWAIT_OUT:     return call_made_out(c, about);
	case AWAIT_CONNECT: return call_made_connect(c, about);
	default:            return call_waits_for_all(c) ? call_made_whole(c, about) : call_made(c, about);
	}
}

static long logged(const struct world_call *c, const struct call_about *about)
{
	long result = answered(c, about);
	after_sending(c, result);
	return result;
}

long world_logged(struct world_call *c)
{
	return logged(c, call_about(c->number));
}

/* Descriptors that are ours, not the program's. */
static bool is_our_fd(const struct world_call *c)
{
	switch (c->number) {
	case SYS_close: return steer->input && c->a[0] == steer->input_fd;
	case SYS_dup2: case SYS_dup3: return steer->input && c->a[1] == steer->input_fd;
	default: return false;
	}
}

static bool is_clock(long number)
{
	return number != SYS_nanosleep && number != SYS_clock_nanosleep && number != SYS_sched_yield && number != SYS_clock_getres;
}

/* Afterwards a store that waits may have nowhere to go. */
static bool gives_memory_back(const struct world_call *c)
{
	long number = c->number;
	return number == SYS_munmap || number == SYS_mremap || (number == SYS_mmap && c->a[3] & MAP_FIXED) || number == SYS_mprotect || number == SYS_madvise || number == SYS_brk || number == SYS_shmdt ||
		number == SYS_remap_file_pages || number == SYS_pkey_mprotect;
}

long world_call(struct world_call *c)
{
	const struct call_about *about = call_about(c->number);
	steer_settle();
	access_own++;
	access_unseen++;
	if (rt_unlikely(restart_on) && c->by_name)
		restart_sees(c);
	if (c->by_name)
		keep_sees(c);
	if (rt_unlikely(serve_waits) && about->act != ACT_PASS && about->act != ACT_MAP && about->act != ACT_TIME)
		serve();
	buffer_drain();
	if (gives_memory_back(c)) {
		bool all = c->number == SYS_brk || c->number == SYS_shmdt;      /* these do not say how much */
		buffer_drain_into(all ? 0 : (uint64_t)c->a[0], all ? UINT64_MAX : (uint64_t)c->a[1]);
		left_unmapped((uint64_t)c->a[0], (uint64_t)c->a[1]);
	}
	if (c->number == SYS_munmap && (uint64_t)c->a[0] - FIXED_STACKS < FIXED_HIGH - FIXED_STACKS)
		pool_stack_gone();
	if (rt_unlikely(restart_on) && restart_hides(c))
		return 0;
	task_named(c);
	if (rt_unlikely(task_awaits_threads(c)))
		return kernel_call(c);
	if (!input_serving())
		private_reaches(c);
	switch (about->act) {
	case ACT_TIME:
		return steer->time == TIME_REAL && is_clock(c->number) ? logged(c, about) : time_call(c);
	case ACT_UNKNOWN:
		steer->input_unknown = (uint32_t)c->number + 1;
		return logged(c, about);
	case ACT_LOG:
		if (!input_serving())
			private_before(c);
		return is_our_fd(c) ? -EBADF : logged(c, about);
	case ACT_TIMER:
		return steer->time == TIME_REAL ? logged(c, about) : timerfd_call(c);
	case ACT_FUTEX:
		return futex_call(c);
	case ACT_MAP:
		return map_call(c);
	case ACT_SIGNAL:
		return signal_call(c);
	case ACT_STACK:
		return altstack_call(c);
	case ACT_EXEC:
		return exec_call(c);
	case ACT_TASK:
		return fork_call(c);
	case ACT_REFUSE:
		return -ENOSYS;
	default:
		return kernel_call(c);
	}
}
