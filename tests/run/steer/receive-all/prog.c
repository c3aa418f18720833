/* MSG_WAITALL waits for all bytes, and no other thread waits with it; the end of the stream ends it early. */
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];

static void *sender(void *unused)
{
	send(ends[1], "ab", 2, 0);
	send(ends[1], "cdef", 4, 0);
	close(ends[1]);
	return unused;
}

int main(void)
{
	pthread_t a;
	char text[6] = "", head[3] = "", tail[4] = "";
	struct iovec pieces[2] = { { head, 2 }, { tail, 3 } };
	struct msghdr message = { .msg_iov = pieces, .msg_iovlen = 2 };
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	pthread_create(&a, NULL, sender, NULL);
	long first = recv(ends[0], text, 3, MSG_WAITALL), second = recvmsg(ends[0], &message, MSG_WAITALL);
	pthread_join(a, NULL);
	printf("%ld %s, %ld %s%s\n", first, text, second, head, tail);
}
