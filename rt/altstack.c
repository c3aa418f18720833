/* rt/altstack.c -- alternate stacks for signal handlers, of strands that share a kernel thread.
 *   (1) the kernel knows the alternate stack of the strand that runs: it needs it when that strand faults.  Whoever comes to run tells
 *       the kernel its own, once any strand has one;
 *   (2) a signal a strand takes at a point never comes from the kernel: its handler is put on the alternate stack here. */
#include "rt/altstack.h"

#include "rt/context.h"

bool altstacks_on;

long altstack_call(const struct world_call *c)
{
	const stack_t *given = (const stack_t *)c->a[0];
	stack_t wanted = { .ss_flags = SS_DISABLE };
	if (given && sys_readable(given, sizeof *given))
		wanted = *given;
	long result = kernel_call(c);           /* what it says of the stack pointer holds: we are on the strand's stack */
	if (result == 0 && given) {
		own_strand->alternate = wanted;
		altstacks_on = true;
	}
	return result;
}

static bool has_one(const struct strand *s)
{
	return s->alternate.ss_size && !(s->alternate.ss_flags & SS_DISABLE);
}

void altstack_load(const struct strand *s)
{
	static const stack_t none = { .ss_flags = SS_DISABLE };
	sys3(SYS_sigaltstack, (long)(has_one(s) ? &s->alternate : &none), 0, 0);
}

bool altstack_run(int flags, stack_t *found, void (*run)(void *), void *with)
{
	const struct strand *s = own_strand;
	if (!s || !has_one(s))
		return false;
	*found = s->alternate;
	uint64_t low = (uint64_t)s->alternate.ss_sp, here = (uint64_t)__builtin_frame_address(0);
	if (!(flags & SA_ONSTACK) || here - low < s->alternate.ss_size)
		return false;
	context_call((char *)s->alternate.ss_sp + s->alternate.ss_size, run, with);
	return true;
}
