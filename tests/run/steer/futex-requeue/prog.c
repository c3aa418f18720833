/* One is woken and one moved to a second word: the second word's wake finds it there.  The word compared must be as expected.
 * Before both sleep the call may find none or one; it is repeated until both are accounted for (woken plus moved). */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, second, gone;

static void *sleeper(void *unused)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	gone++;
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, sleeper, NULL);
	pthread_create(&b, NULL, sleeper, NULL);
	int wrong = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1L, &second, 7) < 0 ? errno : 0;
	long all = 0, calls = 0;
	while (all < 2) {
		long now = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1L, &second, 0);
		all += now;
		calls += now > 0;
		if (!now)
			sched_yield();
	}
	long then = syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%s, woken %ld moved %ld, then %ld\n", wrong == EAGAIN ? "EAGAIN" : "?", calls, 2 - calls, then);
}
