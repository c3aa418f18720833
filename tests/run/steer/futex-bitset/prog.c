/* Two sleep with different bits; a wake for bit 2 can only wake the one that waits for it.  A wait for no bit is refused. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, woken;

static void *sleeper(void *letter)
{
	unsigned bits = *(char *)letter == 'a' ? 1 : 2;
	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, bits);
	int none = 0;
	atomic_compare_exchange_strong(&woken, &none, *(char *)letter);
	return NULL;
}

static void wake(unsigned bits)
{
	while (syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, bits) == 0)
		sched_yield();
}

int main(void)
{
	pthread_t a, b;
	long none = syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 0);
	int result = none < 0 ? errno : 0;
	pthread_create(&a, NULL, sleeper, "a");
	pthread_create(&b, NULL, sleeper, "b");
	wake(2);
	pthread_join(b, NULL);
	wake(1);
	pthread_join(a, NULL);
	printf("%s, woke %c\n", result == EINVAL ? "EINVAL" : "?", woken);
}
