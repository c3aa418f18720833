/* rt/world.c -- one system call of a steered program: a point in front if others can notice it, then the kernel, or in a replay
 * the log of an earlier run.
 *
 *   (1) what is performed has no need to wait: its point has asked (await.c), and a call that could wait all the same in the middle
 *       of its work (a long write into a pipe) is made in parts, each with a point of its own;
 *   (2) a replay makes no call but those that concern memory and this thread, and writes to standard output and error.  It
 *       passes the same points as the recorded run: whether there is one, and whether there is another part, stands in the
 *       table of calls and in the log, never in the state of the world. */
#include "rt/world.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "rt/altstack.h"
#include "rt/buffer.h"
#include "rt/descriptors.h"
#include "rt/input.h"
#include "rt/private.h"
#include "rt/keep.h"
#include "rt/pool.h"
#include "rt/restart.h"
#include "rt/serve.h"
#include "rt/signal.h"
#include "rt/sysv.h"
#include "rt/timers.h"

#define PIPE_PART   4096                /* POLLOUT of a pipe promises as much */
#define FILE_PART   16384
#define FOREVER     UINT64_MAX
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

/* A part of a call is over: kept, and the others may have something to notice. */
static void noted(const struct world_call *c, long result, struct piece *pieces, unsigned count, uint32_t flags)
{
	uint64_t check = result > 0 || flags ? call_output(c) : 0;
	call_filled(c, result, pieces, count);
	input_note(INPUT_CALL, c, result, pieces, count, flags, check);
	await_happened();
	sysv_made(c, result);
	if (!flags)
		fds_after(c, result);
}

/* ---- how long ---- */

static uint64_t after(uint64_t nanoseconds)
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

/* What poll and its like were given: nanoseconds, FOREVER, 0 not at all. */
static uint64_t patience(const struct world_call *c)
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

static long flags_of(const struct world_call *c)
{
	switch (c->number) {
	case SYS_recvfrom: case SYS_sendto: return c->a[3];
	case SYS_recvmsg: case SYS_sendmsg: return c->a[2];
	case SYS_recvmmsg: case SYS_sendmmsg: return c->a[3];
	default: return 0;
	}
}

/* ---- broken pipes ----  The kernel sends SIGPIPE to the thread that writes, before the call returns.  All strands being one kernel
 * thread, it is taken from there and sent to the strand that wrote, in a replay too. */

static bool can_break(const struct world_call *c)
{
	return call_about(c->number)->await == AWAIT_OUT && !(flags_of(c) & MSG_NOSIGNAL);
}

/* A strand that blocks it must not die of it, whatever others block.  What the kernel blocked before, if that was changed. */
static bool shield(const struct world_call *c, uint64_t *before)
{
	uint64_t pipe = SIGPIPE_BIT;
	bool shields = own_strand->mask & SIGPIPE_BIT && can_break(c);
	if (shields)
		sys6(SYS_rt_sigprocmask, SIG_BLOCK, (long)&pipe, (long)before, 8, 0, 0);
	return shields;
}

static void unshield(const uint64_t *before)
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
	bool shielded = shield(c, &before);
	long result = kernel_call(&now);
	if (rt_unlikely(shielded))
		unshield(&before);
	return result;
}

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

/* select tells how much of its time is left. */
static void time_left(const struct world_call *c, uint64_t deadline)
{
	struct timeval *t = (struct timeval *)c->a[4];
	if (c->number != SYS_select || !t || !deadline)
		return;
	uint64_t now = steer_clock(), left = deadline > now ? deadline - now : 0;
	*t = (struct timeval){ .tv_sec = (time_t)(left / 1000000000u), .tv_usec = (suseconds_t)(left % 1000000000u / 1000u) };
}

/* ---- waiting calls ---- */

struct wait { struct awaited awaited; uint64_t deadline; };

static void plan_fd(struct wait *w, const struct world_call *c)
{
	bool in = w->awaited.how == AWAIT_IN;
	w->awaited.events = in ? POLLIN : POLLOUT;
	if (!fd_blocks(w->awaited.fd) || flags_of(c) & MSG_DONTWAIT)
		w->awaited.how = AWAIT_NOTHING;
	else
		w->deadline = after(socket_patience(w->awaited.fd, in ? SO_RCVTIMEO : SO_SNDTIMEO));
}

static void plan_patience(struct wait *w, const struct world_call *c)
{
	uint64_t patient = patience(c);
	w->awaited.events = POLLIN;
	if (patient)
		w->deadline = after(patient);
	else
		w->awaited.how = AWAIT_NOTHING;
}

/* What this call would wait for, if it would. */
static struct wait plan(const struct world_call *c, const struct call_about *about)
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
		w.deadline = after(patience(c));
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

static long too_late(const struct world_call *c)
{
	switch (call_about(c->number)->await) {
	case AWAIT_IN: case AWAIT_OUT: case AWAIT_SYSV: return -EAGAIN;
	default: return nothing_ready(c);
	}
}

/* poll and its like found nothing after all, and their time is not up. */
static bool found_nothing(const struct wait *w, long result)
{
	if (w->awaited.how == AWAIT_SYSV)
		return sysv_goes_on(w->awaited.call, result);
	return result == 0 && (w->awaited.how == AWAIT_POLL || w->awaited.how == AWAIT_SELECT || w->awaited.how == AWAIT_EPOLL);
}

static long made(const struct world_call *c, const struct call_about *about)
{
	struct piece pieces[PIECES_MOST];
	struct wait w = plan(c, about);
	for (;;) {
		enum point_answer answer = ANSWER_GO;
		if (about->point)
			answer = await_point(about->point, &w.awaited, w.deadline, c->pc);
		unsigned count = call_pieces(c, pieces);
		long result = answer == ANSWER_TIMEOUT ? too_late(c) : answer == ANSWER_INTERRUPTED ? -EINTR :
			w.awaited.done ? 0 : perform_now(c);
		bool again = answer == ANSWER_GO && found_nothing(&w, result);
		if (w.awaited.waited && result == -EINVAL)
			result = -EIDRM;                /* removed meanwhile */
		if (!again)
			time_left(c, w.deadline);
		noted(c, result, pieces, count, again ? INPUT_MORE : 0);
		if (!again)
			return result;
		w.awaited.known = false;
	}
}

enum channel { CHANNEL_SIMPLE, CHANNEL_PIPE, CHANNEL_SOCKET };

static enum channel channel_of(int fd)
{
	struct stat about;
	if (sys3(SYS_fstat, fd, (long)&about, 0) < 0)
		return CHANNEL_SIMPLE;
	return S_ISFIFO(about.st_mode) ? CHANNEL_PIPE : S_ISSOCK(about.st_mode) ? CHANNEL_SOCKET : CHANNEL_SIMPLE;
}

/* The bytes of a call that sends, or receives, as pieces of memory. */
static const struct iovec *vector_of(const struct world_call *c, struct iovec *one, uint64_t *count)
{
	const struct msghdr *m = (const struct msghdr *)c->a[1];
	switch (c->number) {
	case SYS_writev:
		*count = (uint64_t)c->a[2];
		return (const struct iovec *)c->a[1];
	case SYS_sendmsg: case SYS_recvmsg:
		*count = m->msg_iovlen;
		return m->msg_iov;
	default:
		*one = (struct iovec){ (void *)c->a[1], (size_t)c->a[2] };
		*count = 1;
		return one;
	}
}

static uint64_t total_of(const struct iovec *v, uint64_t count)
{
	uint64_t bytes = 0;
	for (uint64_t i = 0; i < count; i++)
		bytes += v[i].iov_len;
	return bytes;
}

/* What begins `done` bytes into it, as far as it lies in one piece. */
static struct iovec rest_of(const struct iovec *v, uint64_t count, uint64_t done)
{
	for (uint64_t i = 0; i < count; i++) {
		if (done < v[i].iov_len)
			return (struct iovec){ (char *)v[i].iov_base + done, v[i].iov_len - done };
		done -= v[i].iov_len;
	}
	return (struct iovec){ NULL, 0 };
}

/* ---- receiving all of it (MSG_WAITALL) ---- */

static bool waits_for_all(const struct world_call *c)
{
	int type = 0;
	socklen_t length = sizeof type;
	if ((c->number != SYS_recvfrom && c->number != SYS_recvmsg) || !(flags_of(c) & MSG_WAITALL) || flags_of(c) & (MSG_PEEK | MSG_DONTWAIT))
		return false;
	return fd_blocks((int)c->a[0]) && sys6(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_TYPE, (long)&type, (long)&length, 0) == 0 && type == SOCK_STREAM;
}

/* What is there now, behind what has come. */
static long receive_part(const struct world_call *c, const struct iovec *v, uint64_t count, uint64_t done)
{
	struct iovec rest = rest_of(v, count, done);
	struct world_call now = *c;
	if (done)
		return sys6(SYS_recvfrom, c->a[0], (long)rest.iov_base, (long)rest.iov_len, MSG_DONTWAIT, 0, 0);
	now.a[c->number == SYS_recvfrom ? 3 : 2] = (flags_of(c) & ~MSG_WAITALL) | MSG_DONTWAIT;
	return kernel_call(&now);
}

static long made_whole(const struct world_call *c, const struct call_about *about)
{
	struct iovec one;
	struct piece pieces[PIECES_MOST];
	struct wait w = plan(c, about);
	uint64_t count, done = 0;
	unsigned filled = call_pieces(c, pieces);
	const struct iovec *v = vector_of(c, &one, &count);
	uint64_t total = total_of(v, count);
	for (;;) {
		enum point_answer answer = await_point(about->point, &w.awaited, w.deadline, c->pc);
		long result = answer == ANSWER_TIMEOUT ? -EAGAIN : answer == ANSWER_INTERRUPTED ? -EINTR : receive_part(c, v, count, done);
		bool waits = result == -EAGAIN && answer == ANSWER_GO;
		if (result > 0)
			done += (uint64_t)result;
		if (waits || (result > 0 && done < total)) {
			noted(c, -EAGAIN, NULL, 0, INPUT_MORE);
			w.awaited.known = false;
			continue;
		}
		result = done ? (long)done : result;
		noted(c, result, pieces, filled, 0);
		return result;
	}
}

/* ---- sending ---- */

static long send_first(const struct world_call *c)
{
	struct world_call now = *c;
	switch (c->number) {
	case SYS_write:
		return sys6(SYS_sendto, c->a[0], c->a[1], c->a[2], MSG_DONTWAIT, 0, 0);
	case SYS_writev: {
		struct msghdr m = { .msg_iov = (struct iovec *)c->a[1], .msg_iovlen = (size_t)c->a[2] };
		return sys3(SYS_sendmsg, c->a[0], (long)&m, MSG_DONTWAIT);
	}
	case SYS_sendto:
		now.a[3] |= MSG_DONTWAIT;
		break;
	default:
		now.a[2] |= MSG_DONTWAIT;
		break;
	}
	return kernel_call(&now);
}

static long send_part(const struct world_call *c, enum channel channel, const struct iovec *v, uint64_t count, uint64_t done)
{
	struct iovec rest = rest_of(v, count, done);
	if (channel == CHANNEL_SOCKET)
		return done ? sys6(SYS_sendto, c->a[0], (long)rest.iov_base, (long)rest.iov_len,
			MSG_DONTWAIT | (flags_of(c) & MSG_NOSIGNAL), 0, 0) : send_first(c);
	return sys3(SYS_write, c->a[0], (long)rest.iov_base, (long)(rest.iov_len > PIPE_PART ? PIPE_PART : rest.iov_len));
}

/* A call that waits until all its bytes are on their way. */
static long made_in_parts(const struct world_call *c, const struct call_about *about, enum channel channel, struct wait *w)
{
	struct iovec one;
	uint64_t count, done = 0;
	const struct iovec *v = vector_of(c, &one, &count);
	uint64_t total = total_of(v, count);
	for (;;) {
		enum point_answer answer = await_point(about->point, &w->awaited, w->deadline, c->pc);
		uint64_t before;
		bool shielded = answer == ANSWER_GO && shield(c, &before);
		long result = answer == ANSWER_TIMEOUT ? -EAGAIN : answer == ANSWER_INTERRUPTED ? -EINTR : send_part(c, channel, v, count, done);
		if (rt_unlikely(shielded))
			unshield(&before);
		bool waits = result == -EAGAIN && answer == ANSWER_GO;
		if (result > 0)
			done += (uint64_t)result;
		if (waits || (result > 0 && done < total)) {
			noted(c, (long)done, NULL, 0, INPUT_MORE);
			w->awaited.known = false;
			continue;
		}
		result = done ? (long)done : result;
		noted(c, result, NULL, 0, 0);
		return result;
	}
}

static long made_out(const struct world_call *c, const struct call_about *about)
{
	bool plain = c->number == SYS_write || c->number == SYS_writev;
	if (!plain && c->number != SYS_sendto && c->number != SYS_sendmsg)
		return made(c, about);
	struct wait w = plan(c, about);
	enum channel channel = w.awaited.how == AWAIT_NOTHING ? CHANNEL_SIMPLE : channel_of((int)c->a[0]);
	if (c->number == SYS_sendmsg && ((const struct msghdr *)c->a[1])->msg_controllen)
		fds_shared();
	if (channel == CHANNEL_PIPE && plain) {
		struct iovec one;
		uint64_t count;
		const struct iovec *v = vector_of(c, &one, &count);
		if (total_of(v, count) <= PIPE_PART)
			channel = CHANNEL_SIMPLE;               /* goes as a whole, as it must */
	}
	return channel == CHANNEL_SIMPLE ? made(c, about) : made_in_parts(c, about, channel, &w);
}

/* ---- connecting ---- */

static long made_connect(const struct world_call *c, const struct call_about *about)
{
	struct awaited w = { .how = AWAIT_NOTHING, .fd = (int)c->a[0], .call = c };
	await_point(about->point, &w, 0, c->pc);
	private_leaves("connects a socket", NULL);
	if (!fd_blocks(w.fd)) {
		long result = kernel_call(c);
		noted(c, result, NULL, 0, 0);
		return result;
	}
	long flags = sys3(SYS_fcntl, w.fd, F_GETFL, 0), result;
	sys3(SYS_fcntl, w.fd, F_SETFL, flags | O_NONBLOCK);
	result = kernel_call(c);
	sys3(SYS_fcntl, w.fd, F_SETFL, flags);
	if (result == -EINPROGRESS) {
		int failed = 0;
		socklen_t length = sizeof failed;
		noted(c, result, NULL, 0, INPUT_MORE);
		w = (struct awaited){ .how = AWAIT_CONNECT, .fd = (int)c->a[0], .events = POLLOUT, .call = c };
		bool ended = await_point(about->point, &w, 0, c->pc) == ANSWER_INTERRUPTED;
		sys6(SYS_getsockopt, w.fd, SOL_SOCKET, SO_ERROR, (long)&failed, (long)&length, 0);
		result = ended ? -EINTR : -failed;
	} else if (result == -EAGAIN) {
		result = kernel_call(c);                /* a local socket whose other side is slow */
	}
	noted(c, result, NULL, 0, 0);
	return result;
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
	const struct iovec *v = vector_of(c, &one, &count);
	for (uint64_t i = 0; i < count && left; i++) {
		uint64_t here = v[i].iov_len < left ? v[i].iov_len : left;
		write_all(standard, v[i].iov_base, here);
		left -= here;
	}
}

static long served(const struct world_call *c, const struct call_about *about)
{
	struct piece pieces[PIECES_MOST];
	struct awaited w = { .how = about->await, .fd = (int)c->a[0], .call = c };
	bool timed = about->await == AWAIT_POLL || about->await == AWAIT_SELECT || about->await == AWAIT_EPOLL || about->await == AWAIT_SYSV;
	uint64_t deadline = timed && patience(c) ? after(patience(c)) : 0;
	if (about->await == AWAIT_POLL || about->await == AWAIT_SELECT || about->await == AWAIT_CHILD || about->await == AWAIT_SYSV)
		w.fd = -1;
	for (;;) {
		if (about->point)
			await_point(about->point, &w, deadline, c->pc);
		const struct input_record *r = input_next(INPUT_CALL, c);
		unsigned count = call_pieces(c, pieces);
		if (r->flags & INPUT_MORE)
			continue;
		input_fill(r, pieces, count);
		if (r->check && r->result > 0)
			replay_output(c, r);
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
	case AWAIT_OUT:     return made_out(c, about);
	case AWAIT_CONNECT: return made_connect(c, about);
	default:            return waits_for_all(c) ? made_whole(c, about) : made(c, about);
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
	if (rt_unlikely(restart_on) && c->by_name)
		restart_sees(c);
	if (c->by_name)
		keep_sees(c);
	if (rt_unlikely(serve_waits) && about->act != ACT_PASS && about->act != ACT_MAP && about->act != ACT_TIME)
		serve();
	buffer_drain();
	if (gives_memory_back(c))
		buffer_drain_all();
	if (c->number == SYS_munmap && (uint64_t)c->a[0] - FIXED_STACKS < FIXED_HIGH - FIXED_STACKS)
		pool_stack_gone();
	if (rt_unlikely(restart_on) && restart_hides(c))
		return 0;
	task_named(c);
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
