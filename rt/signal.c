/* rt/signal.c -- signal handlers of the program: each run between SIGENTER and SIGLEAVE, in a segment of its own.
 *
 * The kernel is given on_signal for every handler of the program; the program's own stands in given[].  Instrumented code may
 * hold the cursor in a register when the signal comes, and the runtime itself may be in the middle of a record: so nothing a
 * handler does goes into the interrupted segment, and `inside` is set aside for the handler's time (rt_nest_begin).  Nothing is
 * dropped because of where the signal landed.
 *   (1) given[n] is what the program believes is installed; the program never sees on_signal or on_failure;
 *   (2) levels[0 .. depth) are the handlers this thread is inside of, innermost last; top is the stack pointer of its
 *       on_signal, 0 while the entry is being made or undone;
 *   (3) a level is left by returning, or by a jump to a frame outside of it: longjmp closes the levels it leaves, and a
 *       signal that finds the stack pointer outside a level (an exception left it) closes that one first.
 * Handlers nested deeper than LEVELS run unrecorded and are counted as lost.
 * In the child of vfork given[] is the parent's: there sigaction goes straight to the kernel. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <ucontext.h>

#include "rt/altstack.h"
#include "rt/effect.h"
#include "rt/ready.h"
#include "rt/segment.h"
#include "rt/signal.h"
#include "rt/stripe.h"

#define SIGNALS 65
#define LEVELS  (NEST_LEVELS - 2)       /* one stays for a failure inside the deepest */

typedef void handler(int, siginfo_t *, void *);

/* The kernel passes three arguments to any handler here; only the type differs. */
static sighandler_t plain(handler *run)
{
	return (union { handler *three; sighandler_t one; }){ run }.one;
}

struct level {
	struct rt_nest outer;
	struct stripe_use use;          /* of the code it interrupted */
	uint64_t top;                   /* stack pointer of on_signal */
	uint64_t alt_low, alt_high;     /* the alternate stack it runs on, or 0, 0 */
	int number;
	bool forked;                    /* in a child since it started */
};

static __thread struct level levels[LEVELS] __attribute__((tls_model("initial-exec")));
static __thread uint32_t depth __attribute__((tls_model("initial-exec")));

static struct sigaction given[SIGNALS];
static uint32_t table_lock;

#define barrier() __asm__ volatile("" ::: "memory")

/* ---- levels ---- */

/* Is the frame at `sp` part of what this level runs? */
static bool level_covers(const struct level *level, uint64_t sp)
{
	if (level->alt_high && (sp < level->alt_low || sp >= level->alt_high))
		return false;
	return sp <= level->top;
}

/* The interrupted instruction will never go on: it may have held a later cursor than raddle_tls, have begun a record behind it,
 * or have been on its way from one segment to the next. */
static void forget_begun_record(void)
{
	uint32_t seq;
	uint64_t end = segment_end_now(&seq);
	if (end != CURSOR_NONE) {
		raddle_tls.seq[raddle_tls.nest] = seq + 1;
		struct segment_head *head = (struct segment_head *)(end & ~(uint64_t)(SEGMENT_BYTES - 1));
		head->used = head->end_time = 0; /* it may have been about to be given up */
	}
	raddle_tls.cursor = end;
	if (end != CURSOR_NONE)
		rt_event(EV_TIME, 0, TIME_LEFT, 0, 0, 0);
}

/* Back in the segment the level interrupted; `jumped`: not to the interrupted instruction. */
static void level_leave(struct level *level, bool jumped)
{
	level->top = 0;
	barrier();
	if (!raddle_tls.area) {                  /* ended, or a child that could not join the recording */
		raddle_tls.inside = level->outer.inside;
	} else {
		if (!level->forked)
			rt_event(EV_SIGLEAVE, (uint64_t)level->number, jumped, 0, 0, 0);
		rt_nest_end(&level->outer);
	}
	if (level->forked && !jumped && raddle_tls.area)
		raddle_tls.area->lost++;         /* what the interrupted code does until it asks for a segment */
	if (jumped && raddle_tls.mode != MODE_OFF)
		forget_begun_record();
	stripe_resumed(jumped ? NULL : &level->use);
	level->forked = false;
	barrier();
	depth--;
}

/* Control is, or will be, in the frame at `sp`: the levels that do not cover it were left. */
static void levels_heal(uint64_t sp)
{
	bool left = false;
	while (depth && levels[depth - 1].top && !level_covers(&levels[depth - 1], sp)) {
		level_leave(&levels[depth - 1], true);
		left = true;
	}
	if (left)
		raddle_tls.inside = 0;           /* the runtime function it interrupted was left too */
}

void signals_at(uint64_t sp)
{
	if (depth)
		levels_heal(sp);
}

void signals_forked(void)
{
	__atomic_store_n(&table_lock, 0, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < depth; i++) {
		struct level *level = &levels[i];
		level->forked = true;
		if (level->outer.current)
			segment_disown(level->outer.current - 1);
		if (level->outer.taking)
			segment_disown(level->outer.taking - 1);
		level->outer.cursor = CURSOR_NONE;
		level->outer.current = level->outer.kept = level->outer.nest = 0;
	}
}

static void run_recorded(handler *run, int number, siginfo_t *info, ucontext_t *context, const struct stripe_use *use)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0), low = (uint64_t)context->uc_stack.ss_sp;
	struct level *level = &levels[depth++];
	bool on_alternate = context->uc_stack.ss_size && here - low < context->uc_stack.ss_size;
	barrier();
	level->use = *use;
	rt_nest_begin(&level->outer);
	level->number = number;
	level->alt_low = on_alternate ? low : 0;
	level->alt_high = on_alternate ? low + context->uc_stack.ss_size : 0;
	barrier();
	level->top = here;
	rt_event(EV_SIGENTER, (uint64_t)number, (uint64_t)run, 0, 0, (uint64_t)context->uc_mcontext.gregs[REG_RIP]);
	ready_taken(number, (uint64_t)context->uc_mcontext.gregs[REG_RIP]);
	run(number, info, context);
	level_leave(level, false);
}

bool signal_is_handled(int number)
{
	return given[number].sa_handler != SIG_DFL && given[number].sa_handler != SIG_IGN;
}

void signal_given(int number, struct sigaction *action)
{
	struct sigaction now;
	*action = given[number];
	if (action->sa_handler == SIG_DFL && !kernel_sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN)
		action->sa_handler = SIG_IGN;            /* ignored since before the program began */
}

struct taken { const struct sigaction *action; int number; siginfo_t *info; ucontext_t *context; const struct stripe_use *use; };

static void run_taken(void *with)
{
	const struct taken *t = with;
	if (depth < LEVELS)
		run_recorded(t->action->sa_sigaction, t->number, t->info, t->context, t->use);
	else
		t->action->sa_sigaction(t->number, t->info, t->context);
}

void signal_run(const struct sigaction *action, int number, siginfo_t *info, uint64_t pc)
{
	ucontext_t context = { .uc_flags = 0 };          /* no registers were stopped */
	struct stripe_use use;
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)__builtin_frame_address(0);
	if (action->sa_flags & (int)SA_RESETHAND) {
		struct sigaction standard = { .sa_handler = SIG_DFL };
		given[number] = standard;
		if (signal_is_failure(number))
			failure_install(number);
		else
			kernel_sigaction(number, &standard, NULL);
	}
	stripe_interrupted(&use, &context);
	levels_heal((uint64_t)__builtin_frame_address(0));
	struct taken taken = { action, number, info, &context, &use };
	if (!altstack_run(action->sa_flags, &context.uc_stack, run_taken, &taken))
		run_taken(&taken);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	if (raddle_tls.mode == MODE_STEER && !signal_is_failure(number) && number != SIGSYS) {
		signals_arrived(number, info);
		return;
	}
	handler *run = __atomic_load_n(&given[number].sa_sigaction, __ATOMIC_RELAXED);
	struct stripe_use use;
	if (signal_is_failure(number) && given[number].sa_flags & (int)SA_RESETHAND) {
		given[number].sa_handler = SIG_DFL;
		failure_install(number);
	}
	if ((uint64_t)run <= 1)                  /* replaced by SIG_DFL or SIG_IGN in this very moment */
		return;
	if (raddle_tls.mode == MODE_OFF || !raddle_tls.area) {
		run(number, info, context);
		return;
	}
	stripe_interrupted(&use, context);
	levels_heal((uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP]);
	if (depth < LEVELS) {
		run_recorded(run, number, info, context, &use);
		return;
	}
	uint32_t mode = raddle_tls.mode;
	raddle_tls.area->lost++;
	raddle_tls.mode = MODE_OFF;
	run(number, info, context);
	raddle_tls.mode = mode;
	stripe_resumed(&use);
}

/* ---- what is installed ---- */

int kernel_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	return REAL(sigaction)(number, action, old);
}

static void lock_table(sigset_t *before)
{
	uint64_t all = ~(SIGSYS_BIT | SIGSEGV_BIT);
	sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)before, 8, 0, 0);
	while (__atomic_exchange_n(&table_lock, 1, __ATOMIC_ACQUIRE))
		sys3(SYS_sched_yield, 0, 0, 0);
}

static void unlock_table(const sigset_t *before)
{
	__atomic_store_n(&table_lock, 0, __ATOMIC_RELEASE);
	sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)before, 0, 8, 0, 0);
}

static bool is_function(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* Does the program's view of this signal need translating? */
static bool ours(int number)
{
	return ring && number > 0 && number < SIGNALS && !process_is_borrowed();
}

/* What the kernel says, as the program knows it. */
static void as_given(struct sigaction *action, const struct sigaction *believed)
{
	if (action->sa_sigaction != on_signal && action->sa_sigaction != on_failure)
		return;
	int restart = action->sa_flags & SA_RESTART;             /* siginterrupt changes it behind our back */
	bool wrapped = action->sa_sigaction == on_signal;
	*action = *believed;
	if (!wrapped)
		action->sa_handler = SIG_DFL;
	else
		action->sa_flags = (action->sa_flags & ~SA_RESTART) | restart;
}

static int replace(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction install = *action, before = given[number];
	if (is_function(action)) {
		install.sa_sigaction = on_signal;
		if (signal_is_failure(number))
			install.sa_flags &= ~(int)SA_RESETHAND;
	} else if (action->sa_handler == SIG_DFL && signal_is_failure(number)) {
		install.sa_sigaction = on_failure;
		install.sa_flags = SA_SIGINFO | SA_ONSTACK;
		sigemptyset(&install.sa_mask);
	}
	given[number] = *action;
	int failed = kernel_sigaction(number, &install, old);
	if (failed)
		given[number] = before;
	else if (old)
		as_given(old, &before);
	return failed;
}

/* libc leaves untouched what the kernel has no bits for: whatever lay on the stack would be an effect of the call. */
static void fill_rest(struct sigaction *old)
{
	uint64_t *mask = (uint64_t *)&old->sa_mask;
	int flags = old->sa_flags;
	for (size_t i = 1; i < sizeof old->sa_mask / 8; i++)
		mask[i] = 0;
	mask[sizeof old->sa_mask / 8] = (unsigned)flags;        /* and what pads it */
}
_Static_assert(offsetof(struct sigaction, sa_flags) == offsetof(struct sigaction, sa_mask) + sizeof(sigset_t), "glibc's struct sigaction");

INTERPOSE(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old))
{
	if (!ours(number))
		return kernel_sigaction(number, action, old);
	sigset_t before;
	struct sigaction wanted;
	if (action) {
		wanted = *action;                /* may be the same object as *old */
		ready_prepared(number, RT_PC);
	}
	lock_table(&before);
	int failed;
	if (action) {
		failed = replace(number, &wanted, old);
	} else {
		failed = kernel_sigaction(number, NULL, old);
		if (!failed && old)
			as_given(old, &given[number]);
	}
	unlock_table(&before);
	if (!failed && old && rt_on()) {
		fill_rest(old);
		effect_result(old, sizeof *old, RT_PC);
	}
	return failed;
}

/* signal and its relatives differ in flags and masks, which are left to libc: it is asked to install on_signal. */
static sighandler_t install_by(sighandler_t (*real)(int, sighandler_t), int number, sighandler_t run)
{
	sigset_t mask;
	lock_table(&mask);
	struct sigaction before = given[number];
	bool wrap = run != SIG_DFL && run != SIG_IGN && run != SIG_ERR && run != SIG_HOLD;
	if (run != SIG_ERR && run != SIG_HOLD)
		given[number].sa_handler = run;
	sighandler_t old = real(number, wrap ? plain(on_signal) : run);
	if (old == SIG_ERR) {
		given[number] = before;
	} else if (run != SIG_HOLD) {
		kernel_sigaction(number, NULL, &given[number]);
		given[number].sa_handler = run;
		if (run == SIG_DFL && signal_is_failure(number))
			failure_install(number);
	}
	if (old == plain(on_signal))
		old = before.sa_handler;
	else if (old == plain(on_failure))
		old = SIG_DFL;
	unlock_table(&mask);
	return old;
}

#define SIGNAL_LIKE(name) \
	INTERPOSE(sighandler_t, name, (int number, sighandler_t run)) \
	{ \
		if (!ours(number)) \
			return REAL(name)(number, run); \
		ready_prepared(number, RT_PC); \
		return install_by(REAL(name), number, run); \
	}

sighandler_t bsd_signal(int number, sighandler_t run);
sighandler_t __sysv_signal(int number, sighandler_t run);
SIGNAL_LIKE(signal)
SIGNAL_LIKE(bsd_signal)
SIGNAL_LIKE(ssignal)
SIGNAL_LIKE(sysv_signal)
SIGNAL_LIKE(__sysv_signal)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
SIGNAL_LIKE(sigset)

/* ---- jumps out of handlers ---- */

#define JB_SP 6                 /* where glibc keeps the stack pointer, mangled with a word of the thread's control block */

static void before_jump(struct __jmp_buf_tag *to)
{
	uint64_t sp = (uint64_t)to->__jmpbuf[JB_SP];
	__asm__("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(sp));
	levels_heal(sp);
}

#define JUMP_LIKE(name) \
	INTERPOSE(_Noreturn void, name, (struct __jmp_buf_tag to[1], int value)) \
	{ \
		if (rt_unlikely(depth)) \
			before_jump(to); \
		REAL(name)(to, value); \
		__builtin_unreachable(); \
	}

_Noreturn void __longjmp_chk(struct __jmp_buf_tag to[1], int value);
JUMP_LIKE(longjmp)
JUMP_LIKE(_longjmp)
JUMP_LIKE(siglongjmp)
JUMP_LIKE(__longjmp_chk)
