/* A futex by hand.  The word is changed and then the wake sent: a wait finds the new value (EAGAIN), or sleeps and is woken (0);
 * it never misses the wake.  The wake finds nobody or one. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static long woke;

static void *wake(void *unused)
{
	word = 1;
	woke = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, wake, NULL);
	int result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) ? errno : 0;
	pthread_join(t, NULL);
	printf("%s, woke %ld\n", result == EAGAIN ? "EAGAIN" : result ? "?" : "0", woke);
}
