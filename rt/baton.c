/* rt/baton.c -- strands as kernel threads that pass a baton: whoever is not chosen sleeps in a futex.
 *   (1) at most one strand's `turn` is 1, or one strand runs;
 *   (2) a strand that has ended passes the baton and takes nothing with it: what libc still does on its kernel thread then
 *       touches nothing of the program. */
#include "rt/steer.h"
#include "rt/sys.h"

/* Nothing to do: libc and the kernel do it. */
static void baton_nothing(struct strand *s)
{
	(void)s;
}

static void baton_await(struct strand *s)
{
	if (!s->tid)                            /* the first one has it already: libc's, which in a run of a server is not the kernel's */
		s->tid = (int32_t)sys3(SYS_gettid, 0, 0, 0);
	while (__atomic_load_n(&s->turn, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait(&s->turn, 0, NULL);
	__atomic_store_n(&s->turn, 0, __ATOMIC_RELAXED);
}

static void baton_pass(struct strand *from, struct strand *to)
{
	__atomic_store_n(&to->turn, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&to->turn, 1);
	if (from)
		baton_await(from);
}

const struct switching baton_switching = { .name = SWITCH_BATON, .first = baton_nothing, .created = baton_nothing,
	.await = baton_await, .pass = baton_pass, .ended = baton_nothing, .joined = baton_nothing };
