/* A work-stealing deque (Chase and Lev) with two tasks in it: the owner lowers `bottom`, then looks at `top`, and takes a task that is not
 * the last without asking; a thief looks at `top`, then `bottom`.  Without a fence between the owner's two, a thief that comes
 * twice still sees the old `bottom`, and task 1 is done twice. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom = 2;
static volatile int done[2], twice;

static void steal(void)
{
	int t = atomic_load_explicit(&top, memory_order_acquire);
	int b = atomic_load_explicit(&bottom, memory_order_acquire);
	if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
		done[t]++;
}

static void *thief(void *unused)
{
	steal();
	steal();
	return unused;
}

static void take(void)
{
	int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
	atomic_store_explicit(&bottom, b, memory_order_relaxed);
	/* atomic_thread_fence(memory_order_seq_cst) belongs here */
	int t = atomic_load_explicit(&top, memory_order_relaxed);
	if (t < b || (t == b && atomic_compare_exchange_strong(&top, &t, t + 1)))
		twice = b;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, thief, NULL);
	take();
	pthread_join(other, NULL);
	return twice == 1 && done[1];
}
