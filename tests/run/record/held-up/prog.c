/* A thread that was not running for long: between two of its records another one writes several blocks of them.  The clock says nothing
 * of which came first; the numbers of the atomic operations do. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counted, looked;
static volatile int sink[64];
static int done;

/* Waits without leaving a record. */
static void *late(void *unused)
{
	__asm__ volatile("1: pause; cmpl $0, %0; je 1b" : : "m"(done) : "memory");
	atomic_fetch_add(&counted, 1);
	atomic_store(&looked, 1);
	return unused;
}

static void *busy(void *unused)
{
	for (int i = 0; i < 600000; i++)
		sink[i % 64] = i;
	atomic_fetch_add(&counted, 1);
	int seen = atomic_load(&looked);
	__asm__ volatile("movl $1, %0" : "=m"(done) : : "memory");
	return seen ? NULL : unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, late, NULL);
	pthread_create(&b, NULL, busy, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return atomic_load(&counted) - 2;
}
