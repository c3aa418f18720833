/* Bytes through a pipe: read, write, readv, writev, short reads, errors. */
#include "../check.h"
#include <signal.h>
#include <string.h>
#include <sys/uio.h>

int main(void)
{
	int ends[2];
	char in[16] = "", a[3], b[8];
	IS(pipe(ends), 0);
	IS(write(ends[1], "hello pipe", 10), 10);
	IS(read(ends[0], in, 5), 5);
	CHECK(!memcmp(in, "hello", 5));
	IS(read(ends[0], in, sizeof in), 5);
	CHECK(!memcmp(in, " pipe", 5));
	struct iovec out[] = { { "abc", 3 }, { "", 0 }, { "defg", 4 } }, into[] = { { a, 3 }, { b, 8 } };
	IS(writev(ends[1], out, 3), 7);
	IS(readv(ends[0], into, 2), 7);
	CHECK(!memcmp(a, "abc", 3) && !memcmp(b, "defg", 4));
	errno = 0;
	IS(read(-1, in, 1), -1);
	IS(errno, EBADF);
	errno = 0;
	IS(write(ends[0], in, 1), -1);
	IS(errno, EBADF);
	close(ends[1]);
	IS(read(ends[0], in, 1), 0);
	signal(SIGPIPE, SIG_IGN);
	IS(pipe(ends), 0);
	close(ends[0]);
	errno = 0;
	IS(write(ends[1], "x", 1), -1);
	IS(errno, EPIPE);
	return done();
}
