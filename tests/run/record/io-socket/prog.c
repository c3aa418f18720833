/* A client and a server in one process: connect, accept, send, recv, sendmsg, recvmsg, poll, select, epoll. */
#include "../check.h"
#include <arpa/inet.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
	int pair[2], listener = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	char in[32] = "";
	snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "raddle-test-%d", (int)getpid());
	IS(bind(listener, (struct sockaddr *)&name, sizeof name), 0);
	IS(listen(listener, 1), 0);
	pair[0] = socket(AF_UNIX, SOCK_STREAM, 0);
	IS(connect(pair[0], (struct sockaddr *)&name, sizeof name), 0);
	pair[1] = accept(listener, NULL, NULL);
	CHECK(pair[1] >= 0);
	IS(send(pair[0], "request", 7, 0), 7);
	struct pollfd wait = { .fd = pair[1], .events = POLLIN };
	IS(poll(&wait, 1, 1000), 1);
	IS(wait.revents, POLLIN);
	IS(recv(pair[1], in, sizeof in, 0), 7);
	CHECK(!memcmp(in, "request", 7));
	struct iovec out[] = { { "ans", 3 }, { "wer", 3 } }, into = { in, sizeof in };
	struct msghdr sent = { .msg_iov = out, .msg_iovlen = 2 }, got = { .msg_iov = &into, .msg_iovlen = 1 };
	IS(sendmsg(pair[1], &sent, 0), 6);
	fd_set set;
	FD_ZERO(&set);
	FD_SET(pair[0], &set);
	IS(select(pair[0] + 1, &set, NULL, NULL, NULL), 1);
	CHECK(FD_ISSET(pair[0], &set));
	IS(recvmsg(pair[0], &got, 0), 6);
	CHECK(!memcmp(in, "answer", 6));
	int many = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = 77 };
	IS(epoll_ctl(many, EPOLL_CTL_ADD, pair[0], &event), 0);
	IS(sendto(pair[1], "more", 4, 0, NULL, 0), 4);
	event.data.u64 = 0;
	IS(epoll_wait(many, &event, 1, 1000), 1);
	IS(event.data.u64, 77);
	IS(recvfrom(pair[0], in, sizeof in, 0, NULL, NULL), 4);
	return done();
}
