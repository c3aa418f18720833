#include "../two.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int right, wrong;

static void lock(void)
{
	int free = 0;
	while (!atomic_compare_exchange_strong_explicit(&word, &free, 1, memory_order_acquire, memory_order_relaxed)) {
		syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
		free = 0;
	}
}

static void unlock(void)
{
	atomic_store_explicit(&word, 0, memory_order_release);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void *a(void *x)
{
	lock();
	right++;
	unlock();
	wrong++;
	return x;
}

static void *b(void *x)
{
	lock();
	right++;
	unlock();
	wrong++;
	return x;
}

int main(void)
{
	two(a, b);
	return right + wrong - 4;
}
