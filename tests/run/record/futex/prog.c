/* A lock made by hand from one word and two system calls. */
#include "../check.h"
#include <linux/futex.h>

static int word;
static volatile pid_t tid;

static void *waits(void *unused)
{
	here(&tid);
	while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec little = { 0, 1000 };
	errno = 0;
	IS(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0), -1);
	IS(errno, EAGAIN);
	errno = 0;
	IS(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &little, NULL, 0), -1);
	IS(errno, ETIMEDOUT);
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	IS(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1), 1);
	IS(pthread_join(t, NULL), 0);
	IS(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1), 0);
	return done();
}
