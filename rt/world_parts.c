/* rt/world_parts.c -- system calls that may wait in the middle of their work: made in parts, each with a point of its own, none of which waits. */
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "rt/descriptors.h"
#include "rt/input.h"
#include "rt/private.h"
#include "rt/world_inside.h"

#define PIPE_PART 4096                  /* POLLOUT of a pipe promises as much */

enum channel { CHANNEL_SIMPLE, CHANNEL_PIPE, CHANNEL_SOCKET };

static enum channel channel_of(int fd)
{
	struct stat about;
	if (sys3(SYS_fstat, fd, (long)&about, 0) < 0)
		return CHANNEL_SIMPLE;
	return S_ISFIFO(about.st_mode) ? CHANNEL_PIPE : S_ISSOCK(about.st_mode) ? CHANNEL_SOCKET : CHANNEL_SIMPLE;
}

const struct iovec *call_vector(const struct world_call *c, struct iovec *one, uint64_t *count)
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

bool call_waits_for_all(const struct world_call *c)
{
	int type = 0;
	socklen_t length = sizeof type;
	if ((c->number != SYS_recvfrom && c->number != SYS_recvmsg) || !(call_flags(c) & MSG_WAITALL) || call_flags(c) & (MSG_PEEK | MSG_DONTWAIT))
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
	now.a[c->number == SYS_recvfrom ? 3 : 2] = (call_flags(c) & ~MSG_WAITALL) | MSG_DONTWAIT;
	return kernel_call(&now);
}

long call_made_whole(const struct world_call *c, const struct call_about *about)
{
	struct iovec one;
	struct piece pieces[PIECES_MOST];
	struct wait w = wait_plan(c, about);
	uint64_t count, done = 0;
	unsigned filled = call_pieces(c, pieces);
	const struct iovec *v = call_vector(c, &one, &count);
	uint64_t total = total_of(v, count);
	for (;;) {
		enum point_answer answer = await_point(about->point, &w.awaited, w.deadline, c->pc);
		long result = answer == ANSWER_TIMEOUT ? -EAGAIN : answer == ANSWER_INTERRUPTED ? -EINTR : receive_part(c, v, count, done);
		bool waits = result == -EAGAIN && answer == ANSWER_GO;
		if (result > 0)
			done += (uint64_t)result;
		if (waits || (result > 0 && done < total)) {
			call_noted(c, -EAGAIN, NULL, 0, INPUT_MORE);
			w.awaited.known = false;
			continue;
		}
		result = done ? (long)done : result;
		call_noted(c, result, pieces, filled, 0);
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
			MSG_DONTWAIT | (call_flags(c) & MSG_NOSIGNAL), 0, 0) : send_first(c);
	return sys3(SYS_write, c->a[0], (long)rest.iov_base, (long)(rest.iov_len > PIPE_PART ? PIPE_PART : rest.iov_len));
}

/* A call that waits until all its bytes are on their way. */
static long made_in_parts(const struct world_call *c, const struct call_about *about, enum channel channel, struct wait *w)
{
	struct iovec one;
	uint64_t count, done = 0;
	const struct iovec *v = call_vector(c, &one, &count);
	uint64_t total = total_of(v, count);
	for (;;) {
		enum point_answer answer = await_point(about->point, &w->awaited, w->deadline, c->pc);
		uint64_t before;
		bool shielded = answer == ANSWER_GO && pipe_shield(c, &before);
		long result = answer == ANSWER_TIMEOUT ? -EAGAIN : answer == ANSWER_INTERRUPTED ? -EINTR : send_part(c, channel, v, count, done);
		if (rt_unlikely(shielded))
			pipe_unshield(&before);
		bool waits = result == -EAGAIN && answer == ANSWER_GO;
		if (result > 0)
			done += (uint64_t)result;
		if (waits || (result > 0 && done < total)) {
			call_noted(c, (long)done, NULL, 0, INPUT_MORE);
			w->awaited.known = false;
			continue;
		}
		result = done ? (long)done : result;
		call_noted(c, result, NULL, 0, 0);
		return result;
	}
}

long call_made_out(const struct world_call *c, const struct call_about *about)
{
	bool plain = c->number == SYS_write || c->number == SYS_writev;
	if (!plain && c->number != SYS_sendto && c->number != SYS_sendmsg)
		return call_made(c, about);
	struct wait w = wait_plan(c, about);
	enum channel channel = w.awaited.how == AWAIT_NOTHING ? CHANNEL_SIMPLE : channel_of((int)c->a[0]);
	if (c->number == SYS_sendmsg && ((const struct msghdr *)c->a[1])->msg_controllen)
		fds_shared();
	if (channel == CHANNEL_PIPE && plain) {
		struct iovec one;
		uint64_t count;
		const struct iovec *v = call_vector(c, &one, &count);
		if (total_of(v, count) <= PIPE_PART)
			channel = CHANNEL_SIMPLE;               /* goes as a whole, as it must */
	}
	return channel == CHANNEL_SIMPLE ? call_made(c, about) : made_in_parts(c, about, channel, &w);
}

/* ---- connecting ---- */

long call_made_connect(const struct world_call *c, const struct call_about *about)
{
	struct awaited w = { .how = AWAIT_NOTHING, .fd = (int)c->a[0], .call = c };
	await_point(about->point, &w, 0, c->pc);
	private_leaves("connects a socket", NULL);
	if (!fd_blocks(w.fd)) {
		long result = kernel_call(c);
		call_noted(c, result, NULL, 0, 0);
		return result;
	}
	long flags = sys3(SYS_fcntl, w.fd, F_GETFL, 0), result;
	sys3(SYS_fcntl, w.fd, F_SETFL, flags | O_NONBLOCK);
	result = kernel_call(c);
	sys3(SYS_fcntl, w.fd, F_SETFL, flags);
	if (result == -EINPROGRESS) {
		int failed = 0;
		socklen_t length = sizeof failed;
		call_noted(c, result, NULL, 0, INPUT_MORE);
		w = (struct awaited){ .how = AWAIT_CONNECT, .fd = (int)c->a[0], .events = POLLOUT, .call = c };
		bool ended = await_point(about->point, &w, 0, c->pc) == ANSWER_INTERRUPTED;
		sys6(SYS_getsockopt, w.fd, SOL_SOCKET, SO_ERROR, (long)&failed, (long)&length, 0);
		result = ended ? -EINTR : -failed;
	} else if (result == -EAGAIN) {
		result = kernel_call(c);                /* a local socket whose other side is slow */
	}
	call_noted(c, result, NULL, 0, 0);
	return result;
}
