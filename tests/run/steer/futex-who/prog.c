/* One wake, two sleepers, both asleep for sure (the wake is repeated until it found one): either may be woken first.
 * Sleepers wait for the flag to change in between; the second wake finds the other. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, first;

static void *sleeper(void *letter)
{
	int none = 0;
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	atomic_compare_exchange_strong(&first, &none, *(char *)letter);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, sleeper, "a");
	pthread_create(&b, NULL, sleeper, "b");
	for (int woken = 0; woken < 2;) {
		long one = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		woken += one;
		if (!one)
			sched_yield();
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("first %c\n", first);
}
