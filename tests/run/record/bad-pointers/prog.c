/* Pointers the kernel refuses: it answers EFAULT, recorded or not, and the program lives. */
#include "../check.h"
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define REFUSED(call) do { errno = 0; IS(call, -1); IS(errno, EFAULT); } while (0)

int main(void)
{
	int ends[2], pair[2];
	char *bad = (char *)8;
	struct iovec piece = { bad, 5 };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };
	IS(pipe(ends), 0);
	IS(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	REFUSED(write(ends[1], bad, 5));
	REFUSED(writev(ends[1], &piece, 1));
	REFUSED(writev(ends[1], (struct iovec *)bad, 1));
	REFUSED(send(pair[0], bad, 5, 0));
	REFUSED(sendmsg(pair[0], &message, 0));
	REFUSED(sendmsg(pair[0], (struct msghdr *)bad, 0));
	REFUSED(syscall(SYS_write, ends[1], bad, 5L));
	IS(write(ends[1], "abc", 3), 3);
	REFUSED(read(ends[0], bad, 3));
	REFUSED(syscall(SYS_read, ends[0], bad, 3L));
	REFUSED(poll((struct pollfd *)bad, 1, 0));
	REFUSED(nanosleep((struct timespec *)bad, NULL));
	REFUSED(open(bad, O_RDONLY));
	REFUSED(syscall(SYS_futex, bad, 0, 0, NULL, NULL, 0));
	return done();
}
