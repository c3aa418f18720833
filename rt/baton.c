/* rt/baton.c -- strands as kernel threads that pass a baton: whoever is not chosen sleeps in a futex.
 *   (1) at most one strand's `turn` is 1, or one strand runs;
 *   (2) a strand that has ended passes the baton, and whoever gets it waits until its kernel thread is gone: what libc still does there
 *       takes libc's own locks, which a strand would wait for that nobody steered gives back, and gives back a stack the next thread may get. */
#include <time.h>

#include "rt/steer.h"
#include "rt/sys.h"

#define LOOKS  20000u                   /* for one that does not go, as under a debugger */
#define NAP_NS 50000

static int32_t leaving;                 /* the kernel thread of the strand that passed the baton last, if it has ended; 0 */

/* The first thread stays as long as there are others. */
static void see_off(void)
{
	int32_t tid = __atomic_exchange_n(&leaving, 0, __ATOMIC_ACQ_REL);
	long process = sys3(SYS_getpid, 0, 0, 0);
	struct timespec nap = { .tv_nsec = NAP_NS };
	for (unsigned i = 0; tid && tid != process && i < LOOKS && sys3(SYS_tgkill, process, tid, 0) == 0; i++)
		sys3(SYS_nanosleep, (long)&nap, 0, 0);
}

/* Nothing to do: libc and the kernel do it. */
static void baton_nothing(struct strand *s)
{
	(void)s;
}

/* A new thread has come to rest before its creator goes on: what libc does in it before, it does beside no strand that could wait for it (setuid does). */
static void baton_created(struct strand *s)
{
	while (__atomic_load_n(&s->tid, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait((uint32_t *)&s->tid, 0, NULL);
}

static void baton_await(struct strand *s)
{
	if (!s->tid) {                          /* the first one has it already: libc's, which in a run of a server is not the kernel's */
		__atomic_store_n(&s->tid, (int32_t)sys3(SYS_gettid, 0, 0, 0), __ATOMIC_RELEASE);
		sys_futex_wake((uint32_t *)&s->tid, 1);
	}
	while (__atomic_load_n(&s->turn, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait(&s->turn, 0, NULL);
	__atomic_store_n(&s->turn, 0, __ATOMIC_RELAXED);
	see_off();
}

static void baton_ended(struct strand *s)
{
	__atomic_store_n(&leaving, s->tid, __ATOMIC_RELEASE);
}

static void baton_pass(struct strand *from, struct strand *to)
{
	__atomic_store_n(&to->turn, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&to->turn, 1);
	if (from)
		baton_await(from);
}

const struct switching baton_switching = { .name = SWITCH_BATON, .first = baton_nothing, .created = baton_created,
	.await = baton_await, .pass = baton_pass, .ended = baton_ended, .joined = baton_nothing };
