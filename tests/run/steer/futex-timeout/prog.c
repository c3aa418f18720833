/* A wait with a span: its time may be up, or the wake comes, or the word has changed.  A span that is none is refused. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *wake(void *unused)
{
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec span = { .tv_sec = 1 }, wrong = { .tv_nsec = 1000000000 };
	int refused = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &wrong, NULL, 0) ? errno : 0;
	pthread_create(&t, NULL, wake, NULL);
	int result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &span, NULL, 0) ? errno : 0;
	pthread_join(t, NULL);
	printf("%s, %s\n", refused == EINVAL ? "EINVAL" : "?",
		result == EAGAIN ? "EAGAIN" : result == ETIMEDOUT ? "ETIMEDOUT" : result ? "?" : "0");
}
