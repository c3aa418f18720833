/* Atomics of every size up to eight bytes and fences: each is an event with its order and what it read and wrote.  Of an operation several
 * threads make on one variable the versions say the order: each read what the one before it wrote. */
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
#define TIMES   500

static atomic_uchar one;
static atomic_ushort two;
static atomic_uint four, count;
static atomic_ulong eight;

static void *counts(void *unused)
{
	for (int i = 0; i < TIMES; i++)
		atomic_fetch_add_explicit(&count, 3, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	unsigned wanted = 0x40000;
	atomic_store_explicit(&one, 0x11, memory_order_relaxed);
	atomic_fetch_xor_explicit(&one, 0xff, memory_order_acquire);
	atomic_exchange_explicit(&two, 0x2222, memory_order_acq_rel);
	atomic_fetch_sub_explicit(&two, 0x2223, memory_order_release);
	atomic_store_explicit(&four, 0x40000, memory_order_release);
	atomic_thread_fence(memory_order_acquire);
	atomic_compare_exchange_strong_explicit(&four, &wanted, 0x40001, memory_order_acq_rel, memory_order_acquire);
	atomic_compare_exchange_strong(&four, &wanted, 7);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_fetch_or(&eight, 0x8000000000000001);
	int low = atomic_load_explicit(&eight, memory_order_acquire) == 0x8000000000000001;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, counts, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	return low && atomic_load(&count) == 3 * THREADS * TIMES ? 0 : 1;
}
