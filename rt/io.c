/* rt/io.c -- input and output by file descriptor.
 * INPUT after the bytes are there, OUTPUT before they go (outside.c says why).  Nothing here is held across the real call: it
 * may block, be cancelled, or be interrupted by a handler that jumps away. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/effect.h"
#include "rt/world.h"

#define SIGSET_BYTES 8          /* as the kernel counts */
#define PIECES 64               /* of one readv or writev that are noted one by one */

/* ---- in ---- */

/* `calls`: arguments of the system call `number`, as WORLD() takes them. */
#define UNPACK(...) __VA_ARGS__
#define IN_LIKE(name, params, args, fd, to, number, calls) \
	INTERPOSE(ssize_t, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		ssize_t got = world_wanted() ? WORLD(RT_PC, number, UNPACK calls) : REAL(name) args; \
		note_input(fd, to, got, RT_PC); \
		return got; \
	}

ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t bytes, __off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t bytes, size_t room, int flags);
IN_LIKE(read, (int fd, void *to, size_t bytes), (fd, to, bytes), fd, to,
	SYS_read, (fd, (long)to, (long)bytes))
IN_LIKE(__read_chk, (int fd, void *to, size_t bytes, size_t room), (fd, to, bytes, room), fd, to,
	SYS_read, (fd, (long)to, (long)bytes))
IN_LIKE(pread, (int fd, void *to, size_t bytes, off_t at), (fd, to, bytes, at), fd, to,
	SYS_pread64, (fd, (long)to, (long)bytes, at))
IN_LIKE(pread64, (int fd, void *to, size_t bytes, __off64_t at), (fd, to, bytes, at), fd, to,
	SYS_pread64, (fd, (long)to, (long)bytes, at))
IN_LIKE(__pread_chk, (int fd, void *to, size_t bytes, off_t at, size_t room), (fd, to, bytes, at, room), fd, to,
	SYS_pread64, (fd, (long)to, (long)bytes, at))
IN_LIKE(__pread64_chk, (int fd, void *to, size_t bytes, __off64_t at, size_t room), (fd, to, bytes, at, room), fd, to,
	SYS_pread64, (fd, (long)to, (long)bytes, at))
IN_LIKE(recv, (int fd, void *to, size_t bytes, int flags), (fd, to, bytes, flags), fd, to,
	SYS_recvfrom, (fd, (long)to, (long)bytes, flags))
IN_LIKE(__recv_chk, (int fd, void *to, size_t bytes, size_t room, int flags), (fd, to, bytes, room, flags), fd, to,
	SYS_recvfrom, (fd, (long)to, (long)bytes, flags))

/* Bytes that came in to, or go out from, several places. */
static void scatter_input(int fd, const struct iovec *pieces, size_t count, ssize_t got, uint64_t pc)
{
	size_t left = got > 0 ? (size_t)got : 0;
	if (!left)
		note_input(fd, NULL, got, pc);
	for (size_t i = 0; i < count && i < PIECES && left; i++) {
		size_t here = pieces[i].iov_len < left ? pieces[i].iov_len : left;
		if (here)
			note_input(fd, pieces[i].iov_base, (int64_t)here, pc);
		left -= here;
	}
	if (left)
		note_input(fd, NULL, (int64_t)left, pc);
}

/* NULL: the kernel will refuse the message. */
static const struct iovec *vector_of(const struct msghdr *message)
{
	return sys_readable(message, sizeof *message) ? message->msg_iov : NULL;
}

static uint64_t gather_output(int fd, const struct iovec *pieces, size_t count, uint64_t pc)
{
	uint64_t all = 0, rest = 0;
	if (count > 1024 || !sys_readable(pieces, count * sizeof *pieces))
		return 0;
	for (size_t i = 0; i < count; i++) {
		all += pieces[i].iov_len;
		if (i < PIECES)
			note_output(fd, pieces[i].iov_base, pieces[i].iov_len, pc);
		else
			rest += pieces[i].iov_len;
	}
	if (rest)
		note_output(fd, NULL, rest, pc);
	return all;
}

#define READV_LIKE(name, params, args, number, calls) \
	INTERPOSE(ssize_t, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		ssize_t got = world_wanted() ? WORLD(RT_PC, number, UNPACK calls) : REAL(name) args; \
		scatter_input(fd, pieces, (size_t)count, got, RT_PC); \
		return got; \
	}
READV_LIKE(readv, (int fd, const struct iovec *pieces, int count), (fd, pieces, count), SYS_readv, (fd, (long)pieces, count))
READV_LIKE(preadv, (int fd, const struct iovec *pieces, int count, off_t at), (fd, pieces, count, at),
	SYS_preadv, (fd, (long)pieces, count, at))
READV_LIKE(preadv64, (int fd, const struct iovec *pieces, int count, __off64_t at), (fd, pieces, count, at),
	SYS_preadv, (fd, (long)pieces, count, at))

static void peer_address(const void *address, const socklen_t *length, socklen_t room, uint64_t pc)
{
	if (!address || !length)
		return;
	effect_result(address, *length < room ? *length : room, pc);
	effect_result(length, sizeof *length, pc);
}

INTERPOSE(ssize_t, recvfrom, (int fd, void *to, size_t bytes, int flags, __SOCKADDR_ARG from, socklen_t *length))
{
	if (!rt_on())
		return REAL(recvfrom)(fd, to, bytes, flags, from, length);
	struct sockaddr *address = from.__sockaddr__;
	socklen_t room = address && length ? *length : 0;
	ssize_t got = world_wanted() ? WORLD(RT_PC, SYS_recvfrom, fd, (long)to, (long)bytes, flags, (long)address, (long)length) :
		REAL(recvfrom)(fd, to, bytes, flags, from, length);
	note_input(fd, to, got, RT_PC);
	if (got >= 0)
		peer_address(address, length, room, RT_PC);
	return got;
}

INTERPOSE(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags))
{
	if (!rt_on())
		return REAL(recvmsg)(fd, message, flags);
	ssize_t got = world_wanted() ? WORLD(RT_PC, SYS_recvmsg, fd, (long)message, flags) : REAL(recvmsg)(fd, message, flags);
	scatter_input(fd, message->msg_iov, message->msg_iovlen, got, RT_PC);
	if (got >= 0) {
		effect_result(message->msg_name, message->msg_namelen, RT_PC);
		effect_result(message->msg_control, message->msg_controllen, RT_PC);
		effect_result(message, sizeof *message, RT_PC);
	}
	return got;
}

#define ACCEPT_LIKE(name, params, args, flags) \
	INTERPOSE(int, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		struct sockaddr *address = from.__sockaddr__; \
		socklen_t room = address && length ? *length : 0; \
		int got = world_wanted() ? (int)WORLD(RT_PC, SYS_accept4, fd, (long)address, (long)length, flags) : REAL(name) args; \
		note_outcall(#name, got, RT_PC); \
		if (got >= 0) \
			peer_address(address, length, room, RT_PC); \
		return got; \
	}
ACCEPT_LIKE(accept, (int fd, __SOCKADDR_ARG from, socklen_t *length), (fd, from, length), 0)
ACCEPT_LIKE(accept4, (int fd, __SOCKADDR_ARG from, socklen_t *length, int flags), (fd, from, length, flags), flags)

/* ---- out ---- */

#define OUT_LIKE(name, params, args, number, calls) \
	INTERPOSE(ssize_t, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		note_output(fd, from, bytes, RT_PC); \
		ssize_t sent = world_wanted() ? WORLD(RT_PC, number, UNPACK calls) : REAL(name) args; \
		note_sent(fd, from, sent, bytes, RT_PC); \
		return sent; \
	}
OUT_LIKE(write, (int fd, const void *from, size_t bytes), (fd, from, bytes), SYS_write, (fd, (long)from, (long)bytes))
OUT_LIKE(pwrite, (int fd, const void *from, size_t bytes, off_t at), (fd, from, bytes, at),
	SYS_pwrite64, (fd, (long)from, (long)bytes, at))
OUT_LIKE(pwrite64, (int fd, const void *from, size_t bytes, __off64_t at), (fd, from, bytes, at),
	SYS_pwrite64, (fd, (long)from, (long)bytes, at))
OUT_LIKE(send, (int fd, const void *from, size_t bytes, int flags), (fd, from, bytes, flags),
	SYS_sendto, (fd, (long)from, (long)bytes, flags))
OUT_LIKE(sendto, (int fd, const void *from, size_t bytes, int flags, __CONST_SOCKADDR_ARG to, socklen_t length),
	(fd, from, bytes, flags, to, length), SYS_sendto, (fd, (long)from, (long)bytes, flags, (long)to.__sockaddr__, length))

#define WRITEV_LIKE(name, params, args, pieces, count, number, calls) \
	INTERPOSE(ssize_t, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		uint64_t all = gather_output(fd, pieces, (size_t)(count), RT_PC); \
		ssize_t sent = world_wanted() ? WORLD(RT_PC, number, UNPACK calls) : REAL(name) args; \
		note_sent(fd, NULL, sent, all, RT_PC); \
		return sent; \
	}
WRITEV_LIKE(writev, (int fd, const struct iovec *from, int many), (fd, from, many), from, many,
	SYS_writev, (fd, (long)from, many))
WRITEV_LIKE(pwritev, (int fd, const struct iovec *from, int many, off_t at), (fd, from, many, at), from, many,
	SYS_pwritev, (fd, (long)from, many, at))
WRITEV_LIKE(pwritev64, (int fd, const struct iovec *from, int many, __off64_t at), (fd, from, many, at), from, many,
	SYS_pwritev, (fd, (long)from, many, at))
WRITEV_LIKE(sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags), vector_of(message), vector_of(message) ? message->msg_iovlen : 0,
	SYS_sendmsg, (fd, (long)message, flags))

#define SENDFILE_LIKE(name, offset_type) \
	INTERPOSE(ssize_t, name, (int to, int from, offset_type *at, size_t bytes)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(to, from, at, bytes); \
		note_output(to, NULL, bytes, RT_PC); \
		ssize_t sent = world_wanted() ? WORLD(RT_PC, SYS_sendfile, to, from, (long)at, (long)bytes) : REAL(name)(to, from, at, bytes); \
		note_sent(to, NULL, sent, bytes, RT_PC); \
		effect_result(at, sizeof *at, RT_PC); \
		return sent; \
	}
SENDFILE_LIKE(sendfile, off_t)
SENDFILE_LIKE(sendfile64, __off64_t)

/* ---- waiting for either ---- */

/* A table of `bytes` bytes the kernel filled in, and the number it returned. */
static int ready(const char *name, int result, const void *table, size_t bytes, uint64_t pc)
{
	note_outcall(name, result, pc);
	if (result > 0 && bytes)
		note_input(NO_FD, table, (int64_t)bytes, pc);
	return result;
}

#define POLL_LIKE(name, params, args, number, calls) \
	INTERPOSE(int, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		int result = world_wanted() ? (int)WORLD(RT_PC, number, UNPACK calls) : REAL(name) args; \
		return ready(#name, result, fds, count * sizeof *fds, RT_PC); \
	}
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room);
POLL_LIKE(poll, (struct pollfd *fds, nfds_t count, int timeout), (fds, count, timeout),
	SYS_poll, ((long)fds, (long)count, timeout))
POLL_LIKE(__poll_chk, (struct pollfd *fds, nfds_t count, int timeout, size_t room), (fds, count, timeout, room),
	SYS_poll, ((long)fds, (long)count, timeout))
POLL_LIKE(ppoll, (struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
	(fds, count, timeout, mask), SYS_ppoll, ((long)fds, (long)count, (long)timeout, (long)mask, SIGSET_BYTES))
POLL_LIKE(__ppoll_chk, (struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room),
	(fds, count, timeout, mask, room), SYS_ppoll, ((long)fds, (long)count, (long)timeout, (long)mask, SIGSET_BYTES))

#define EPOLL_LIKE(name, params, args, mask) \
	INTERPOSE(int, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		int result = world_wanted() ? (int)WORLD(RT_PC, SYS_epoll_pwait, fd, (long)events, room, timeout, (long)(mask), SIGSET_BYTES) : \
			REAL(name) args; \
		return ready(#name, result, events, result > 0 ? (size_t)result * sizeof *events : 0, RT_PC); \
	}
EPOLL_LIKE(epoll_wait, (int fd, struct epoll_event *events, int room, int timeout), (fd, events, room, timeout), 0)
EPOLL_LIKE(epoll_pwait, (int fd, struct epoll_event *events, int room, int timeout, const sigset_t *mask),
	(fd, events, room, timeout, mask), mask)

static int selected(const char *name, int result, int count, fd_set *r, fd_set *w, fd_set *x, uint64_t pc)
{
	size_t bytes = (size_t)((count + 63) / 64 * 8);
	fd_set *sets[] = { r, w, x };
	ready(name, result, NULL, 0, pc);
	for (int i = 0; result >= 0 && i < 3; i++)
		if (sets[i] && bytes)
			note_input(NO_FD, sets[i], (int64_t)bytes, pc);
	return result;
}

INTERPOSE(int, select, (int count, fd_set *r, fd_set *w, fd_set *x, struct timeval *timeout))
{
	if (!rt_on())
		return REAL(select)(count, r, w, x, timeout);
	int result = world_wanted() ? (int)WORLD(RT_PC, SYS_select, count, (long)r, (long)w, (long)x, (long)timeout) :
		REAL(select)(count, r, w, x, timeout);
	effect_result(timeout, sizeof *timeout, RT_PC);
	return selected("select", result, count, r, w, x, RT_PC);
}

INTERPOSE(int, pselect, (int count, fd_set *r, fd_set *w, fd_set *x, const struct timespec *timeout, const sigset_t *mask))
{
	if (!rt_on())
		return REAL(pselect)(count, r, w, x, timeout, mask);
	const long masked[2] = { (long)mask, SIGSET_BYTES };
	int result = world_wanted() ? (int)WORLD(RT_PC, SYS_pselect6, count, (long)r, (long)w, (long)x, (long)timeout, (long)masked) :
		REAL(pselect)(count, r, w, x, timeout, mask);
	return selected("pselect", result, count, r, w, x, RT_PC);
}
