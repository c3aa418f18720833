/* Pipes and a socket pair between threads of one program; a write larger than any pipe. */
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int to[2], back[2], pair[2];
static char big[300000];

static void *echo(void *x)
{
	char b[64];
	ssize_t n;
	while ((n = read(to[0], b, sizeof b)) > 0)
		if (write(back[1], b, (size_t)n) != n)
			return NULL;
	close(back[1]);
	return x;
}

static void *writes(void *fd)
{
	struct iovec parts[2] = { { big, 100000 }, { big + 100000, 200000 } };
	printf("wrote %zd\n", fd == to ? writev(to[1], parts, 2) : write(pair[1], big, sizeof big));
	close(fd == to ? to[1] : pair[1]);
	return NULL;
}

static long drain(int fd)
{
	long all = 0;
	char b[1000];
	for (ssize_t n; (n = read(fd, b, sizeof b)) > 0;)
		all += n;
	return all;
}

int main(void)
{
	pthread_t t;
	char b[64];
	if (pipe(to) || pipe(back) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 1;
	pthread_create(&t, NULL, echo, NULL);
	for (int i = 0; i < 3; i++) {
		ssize_t n = write(to[1], "hello", 5) == 5 ? read(back[0], b, sizeof b) : 0;
		printf("%.*s\n", (int)n, b);
	}
	close(to[1]);
	printf("end %zd\n", read(back[0], b, sizeof b));
	pthread_join(t, NULL);
	if (pipe(to))
		return 1;
	pthread_create(&t, NULL, writes, to);
	printf("read %ld\n", drain(to[0]));
	pthread_join(t, NULL);
	pthread_create(&t, NULL, writes, pair);
	printf("read %ld\n", drain(pair[0]));
	pthread_join(t, NULL);
	return 0;
}
