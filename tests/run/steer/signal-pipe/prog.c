/* Who writes to a pipe nobody reads from is sent SIGPIPE, and nobody else; who blocks it is told EPIPE and can take it. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Thread_local int me;
static int ends[2], who = -1, blocked[3];

static void on_pipe(int number)
{
	who = number == SIGPIPE ? me : 9;
}

static void *writer(void *unused)
{
	me = 1;
	int result = (int)write(ends[1], "x", 1), error = errno;
	printf("%d %d, taken by %d\n", result, error == EPIPE, who);
	return unused;
}

static void *blocks(void *unused)
{
	sigset_t set;                           /* libc fills its first word alone: the rest is whatever the stack had there */
	struct timespec over = { 0, 0 };
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	blocked[0] = (int)write(ends[1], "y", 1);
	blocked[1] = errno == EPIPE;
	blocked[2] = sigtimedwait(&set, NULL, &over);
	return unused;
}

int main(void)
{
	pthread_t a;
	if (pipe(ends))
		return 1;
	close(ends[0]);
	pthread_create(&a, NULL, blocks, NULL);         /* nothing handles it yet */
	pthread_join(a, NULL);
	printf("blocked: %d %d %d\n", blocked[0], blocked[1], blocked[2] == SIGPIPE);
	signal(SIGPIPE, on_pipe);
	pthread_create(&a, NULL, writer, NULL);
	pthread_join(a, NULL);
}
