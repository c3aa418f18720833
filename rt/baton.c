/* rt/baton.c -- strands as kernel threads that pass a baton: whoever is not chosen sleeps in a futex.
 *   (1) at most one strand's `turn` is 1, or one strand runs;
 *   (2) a strand that has ended passes the baton and takes nothing with it: what libc still does on its kernel thread then
 *       touches nothing of the program. */
#include "rt/steer.h"
#include "rt/sys.h"

void switch_await(struct strand *s)
{
	while (__atomic_load_n(&s->turn, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait(&s->turn, 0, NULL);
	__atomic_store_n(&s->turn, 0, __ATOMIC_RELAXED);
}

void switch_to(struct strand *from, struct strand *to)
{
	__atomic_store_n(&to->turn, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&to->turn, 1);
	if (from)
		switch_await(from);
}
