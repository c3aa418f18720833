/* rt/create.c -- threads: made and ended; pthread and C11.  Whose pthread_t is whose: slots.c; join and detach: join.c; names: names.c.
 *
 * FORK is written before the thread is made; if it could not be made, a second FORK with the errno takes it back.
 * END is written by the destructor of a key of our own, which puts itself off until the last round, so that it follows
 * thread_local destructors and those of the program's keys; return, pthread_exit and cancellation all come by there.
 * Signals wait while a thread is not yet, or no longer, being recorded: no handler runs unseen. */
#include <execinfo.h>
#include <limits.h>
#include <signal.h>

#include "rt/behind.h"
#include "rt/buffer.h"
#include "rt/context.h"
#include "rt/effect.h"
#include "rt/left.h"
#include "rt/pool.h"
#include "rt/restart.h"
#include "rt/segment.h"
#include "rt/slots.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/sys.h"
#include "rt/world.h"

static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static pthread_key_t end_key;
static bool end_key_made, end_key_exists;

/* ---- the life of one thread ---- */

static void ending(void *value)
{
	struct slot *s = value;
	if (++s->rounds < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(end_key, s) == 0)
		return;
	steer_stack(UINT64_MAX);                                /* the program's frames are all gone */
	steer_point(EV_END, 0, 0);
	if (!steer || steer->switched_by != SWITCH_GHOST)       /* a ghost has no kernel thread of its own to block them in */
		sys_block_signals(NULL);
	rt_thread_end((int)s->how);
	slot_mark(s, SLOT_ENDED);
	steer_end();
}

static void make_end_key(void)
{
	if (!end_key_made)                                      /* a child of a steered process has its parent's */
		end_key_exists = REAL(pthread_key_create)(&end_key, ending) == 0;
	end_key_made = true;
}

/* Arranges for END to be written when the calling thread ends.  No key left: it is written when its routine returns. */
static void arm_end(struct slot *s)
{
	if (!own_strand)
		REAL(pthread_once)(&end_key_once, make_end_key);
	else if (!end_key_made)                                 /* one strand at a time; libc's way would make a system call */
		make_end_key();
	if (end_key_exists && pthread_setspecific(end_key, s) == 0)
		return;
	s->rounds = PTHREAD_DESTRUCTOR_ITERATIONS;
}

/* The slot of the calling thread; the main thread gets one when it first needs it. */
static struct slot *slot_of_me(void)
{
	struct slot *s = slot_of(pthread_self());
	if (s || rt_uid() == 0 || !(s = slot_take()))
		return s;
	s->birth.uid = rt_uid();
	s->strand = own_strand;
	slot_own(s, pthread_self());
	rt_enter();
	arm_end(s);
	rt_leave();
	slot_mark(s, SLOT_CREATOR_DONE);
	return s;
}

/* top: above all that the program's functions will have on this stack. */
static void begin(struct slot *s, uint64_t top)
{
	if (s->strand) {
		steer_begin(s->strand);
		s->strand->stack_top = top;
	}
	slot_own(s, pthread_self());
	rt_enter();
	arm_end(s);
	rt_leave();
	if (s->frames_bytes)
		rt_thread_frames(s->frames_low, s->frames_bytes);
	rt_thread_begin(&s->birth, (uint64_t)s->start.posix, top);
	if (s->strand)
		left_begins(s->strand, !s->has_own_stack);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);                /* its area can be found before it looks: leave_name() */
	if (raddle_tls.area && __atomic_load_n(&s->is_named, __ATOMIC_ACQUIRE))
		copy_bytes(raddle_tls.area->name, s->name, NAME_BYTES);
	buffers_tell();
	if (s->inherits)
		sys_set_signals(&s->mask);
}

static void returned(struct slot *s)
{
	s->how = HOW_RETURN;
	if (s->rounds == PTHREAD_DESTRUCTOR_ITERATIONS)
		ending(s);
}

/* On the stack the program has brought; libc and the runtime have one of their own above it. */
struct elsewhere { struct slot *slot; void *value; };

static void start_elsewhere(void *with)
{
	struct elsewhere *e = with;
	e->value = e->slot->start.posix(e->slot->arg);
}

static void *run_elsewhere(void *slot)
{
	struct slot *s = slot;
	struct elsewhere e = { .slot = s };
	uint64_t top = (s->frames_low + s->frames_bytes) & ~63ull;
	begin(s, top);
	context_call((void *)top, start_elsewhere, &e);
	returned(s);
	return e.value;
}

static void *run_posix(void *slot)
{
	struct slot *s = slot;
	begin(s, (uint64_t)__builtin_frame_address(0));
	void *value = s->start.posix(s->arg);
	returned(s);
	return value;
}

/* By libc as by the pool, which keeps the value so: one function, as what the program has on its stack is to lie at the same addresses under either. */
static void *run_c11(void *slot)
{
	struct slot *s = slot;
	begin(s, (uint64_t)__builtin_frame_address(0));
	int value = s->start.c11(s->arg);
	returned(s);
	return (void *)(intptr_t)value;
}

static struct strand *new_strand(const struct slot *s)
{
	char path[PATH_BYTES] = "";
	rt_birth_path(&s->birth, path);
	struct strand *strand = steer_new_strand(path);
	if (!strand)
		steer_give_up(OUTCOME_UNSUPPORTED, STEER_TOO_MANY);
	strand->is_named = own_strand->is_named;
	copy_bytes(strand->name, own_strand->name, STRAND_NAME);
	return strand;
}

static uint32_t ways_at_bound(const struct strand *s)
{
	(void)s;
	return 0;
}

/* The point in front of a create; beyond the bound nothing follows it. */
static void create_point(uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_FORK, .place = pc };
	uint64_t generation = 0;
	if (!rt_steered() || !own_strand)
		return;
	for (const char *at = own_strand->seen->path; *at; at++)
		generation += *at == '_';
	if (steer->bound && (raddle_tls.children >= steer->bound || generation > steer->bound))
		ask.ways = ways_at_bound;
	steer_stop(&ask);
}

/* `handle` is where libc will put the pthread_t, before the child starts: contents not known yet. */
static struct slot *prepare(const pthread_t *handle, void *arg, uint64_t start, uint64_t pc)
{
	create_point(pc);
	slot_of_me();
	struct slot *s = slot_take();
	if (!s) {
		__atomic_fetch_add(&ring->lost_threads, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	s->arg = arg;
	if (effects_on())
		rt_event_bytes(EV_LIBWRITE, AS_OBJECT(handle), sizeof *handle, 0, handle, sizeof *handle, 0, pc);
	rt_event(EV_FORK, rt_birth_prepare(&s->birth), start, 0, 0, pc);
	s->strand = rt_steered() ? new_strand(s) : NULL;
	return s;
}

/* A thread that is given a scheduler or processors of its own waits for its creator to do that. */
static bool starts_at_once(const pthread_attr_t *attr)
{
	cpu_set_t set;
	int inherits;
	if (!attr)
		return true;
	if (pthread_attr_getinheritsched(attr, &inherits) || inherits != PTHREAD_INHERIT_SCHED ||
		pthread_attr_getaffinity_np(attr, sizeof set, &set))
		return false;
	for (size_t i = 0; i < sizeof set; i++)
		if (((const unsigned char *)&set)[i] != 0xff)
			return false;
	return true;
}

/* Does the program say where its stack is to lie?  libc has nothing there that it could say otherwise. */
static bool has_own_stack(const pthread_attr_t *attr)
{
	void *low;
	size_t bytes;
	return attr && pthread_attr_getstack(attr, &low, &bytes) == 0 && (uint64_t)low + bytes != 0;
}

/* Until the thread is made its creator's signals wait, and its own until it has begun.  libc takes and gives back memory meanwhile:
 * events at which nobody else may go on, least of all the strand that is not there yet. */
static void starting(struct slot *s, const pthread_attr_t *attr)
{
	if (s->strand) {
		own_strand->unbroken++;
		s->virtual_mask = own_strand->mask;
		own_strand->makes_thread = true;
		own_strand->makes_ghost = steer->switched_by == SWITCH_GHOST && starts_at_once(attr);
		own_strand->makes_default = !attr;
		if (attr)
			pool_close();
	}
	sigset_t own;
	s->inherits = !attr || pthread_attr_getsigmask_np(attr, &own) == PTHREAD_ATTR_NO_SIGMASK_NP;
	sys_block_signals(&s->mask);
}

static void made(const struct slot *s)
{
	own_strand->makes_thread = own_strand->makes_ghost = own_strand->makes_default = false;
	own_strand->mask = s->virtual_mask;             /* libc has put it back, in the kernel alone */
	dispatch_lets_pass(false);
}

/* The child may have begun, ended and freed what `thread` points to: its own word counts more. */
static void created(struct slot *s, const pthread_t *thread)
{
	if (!slot_is_owned(s))
		slot_own(s, *thread);
	if (s->strand) {
		own_strand->unbroken--;
		made(s);
		steer_created(s->strand);
	}
	slot_mark(s, SLOT_CREATOR_DONE);
}

/* Signals need not wait: it is there already. */
static bool create_pooled(struct slot *s, void *(*run)(void *), pthread_t *thread)
{
	own_strand->unbroken++;
	s->inherits = false;
	s->virtual_mask = own_strand->mask;
	if (pool_give(thread, s->strand, run, s) < 0) {
		own_strand->unbroken--;
		return false;
	}
	created(s, thread);
	return true;
}

static void not_created(struct slot *s, uint64_t start, int result, uint64_t pc)
{
	rt_event(EV_FORK, s->birth.uid, start, 0, result, pc);
	if (s->strand) {
		own_strand->unbroken--;
		made(s);
		steer_forget_strand(s->strand);
	}
	slot_mark(s, SLOT_ALL);
}

/* A stack the program wants small is small for its own frames: what the runtime needs beneath them comes on top.  One it brings itself has its frames,
 * and libc makes another one for itself and the runtime. */
#define STACK_SMALL (1u << 20)
#define STACK_OURS  (256u << 10)
#define FLAG_STACK  8u                  /* of libc's attributes: there is a stack */

struct libc_attr { int32_t priority, policy, flags; uint64_t guard, stack_top, stack_bytes; };

static bool without_stack(pthread_attr_t *ours, uint64_t top)
{
	struct libc_attr *a = (struct libc_attr *)ours;
	void *low;
	size_t bytes;
	if (a->stack_top != top || !(a->flags & FLAG_STACK))
		return false;
	a->flags &= ~(int32_t)FLAG_STACK;
	a->stack_top = 0;
	return pthread_attr_getstack(ours, &low, &bytes) == 0 && (uint64_t)low + bytes == 0;
}

static const pthread_attr_t *with_room(struct slot *s, const pthread_attr_t *attr, pthread_attr_t *ours)
{
	void *low = NULL;
	size_t bytes = 0;
	s->frames_bytes = 0;
	if (!attr || pthread_attr_getstack(attr, &low, &bytes) || pthread_attr_getstacksize(attr, &bytes) || bytes >= STACK_SMALL)
		return attr;
	copy_bytes(ours, attr, sizeof *ours);                   /* what it points to stays the program's */
	if (s->has_own_stack && !without_stack(ours, (uint64_t)low + bytes))
		return attr;
	if (pthread_attr_setstacksize(ours, bytes + STACK_OURS))
		return attr;
	if (s->has_own_stack) {
		s->frames_low = (uint64_t)low;
		s->frames_bytes = bytes;
	}
	return ours;
}

/* Of a thread whose frames lie elsewhere: what the program knows of. */
INTERPOSE(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *attr))
{
	int result = REAL(pthread_getattr_np)(thread, attr);
	const struct slot *s = result == 0 ? slot_of(thread) : NULL;
	if (s && s->frames_bytes)
		pthread_attr_setstack(attr, (void *)s->frames_low, s->frames_bytes);
	return result;
}

INTERPOSE(int, pthread_create, (pthread_t *restrict thread, const pthread_attr_t *restrict attr, void *(*start)(void *),
	void *restrict arg))
{
	if (behind_is_asked_again())
		return behind_libc_thread(thread, attr, start, arg);
	struct slot *s = rt_on() ? prepare(thread, arg, (uint64_t)start, RT_PC) : NULL;
	if (!s)
		return behind_make_thread(thread, attr, start, arg);
	int detached = PTHREAD_CREATE_JOINABLE;
	if (attr)
		pthread_attr_getdetachstate(attr, &detached);
	if (detached == PTHREAD_CREATE_DETACHED)
		slot_mark(s, SLOT_LET_GO);
	s->start.posix = start;
	s->has_own_stack = has_own_stack(attr);
	s->frames_bytes = 0;
	if (!attr && s->strand && create_pooled(s, run_posix, thread))
		return 0;
	starting(s, attr);
	uint64_t mask = s->mask;
	pthread_attr_t ours;
	const pthread_attr_t *used = with_room(s, attr, &ours);
	int result = behind_make_thread(thread, used, s->frames_bytes ? run_elsewhere : run_posix, s);
	sys_set_signals(&mask);
	if (result == 0)
		created(s, thread);
	else
		not_created(s, (uint64_t)start, result, RT_PC);
	return result;
}

INTERPOSE(int, thrd_create, (thrd_t *thread, thrd_start_t start, void *arg))
{
	struct slot *s = rt_on() ? prepare(thread, arg, (uint64_t)start, RT_PC) : NULL;
	if (!s)
		return REAL(thrd_create)(thread, start, arg);
	s->start.c11 = start;
	s->has_own_stack = false;
	s->frames_bytes = 0;
	if (s->strand && create_pooled(s, run_c11, thread))
		return thrd_success;
	starting(s, NULL);
	uint64_t mask = s->mask;
	int answer = REAL(thrd_create)(thread, (thrd_start_t)(void *)run_c11, s);       /* an int is the lower half of what it returns */
	sys_set_signals(&mask);
	if (answer == thrd_success)
		created(s, thread);
	else
		not_created(s, (uint64_t)start, errno_of_thrd(answer), RT_PC);
	return answer;
}

/* libc loads it when it first needs it, with locks of the loader held: nobody else is to run meanwhile. */
static void load_unwinder(void)
{
#ifndef RADDLE_STATIC
	void *frame;
	rt_enter();
	backtrace(&frame, 1);
	rt_leave();
#endif
}

static void note_exit(void)
{
	struct slot *s = slot_of_me();
	if (s)
		s->how = HOW_EXIT;
	if (own_strand) {
		own_strand->cancel_off = true;                  /* as in libc: cleanup handlers are not disturbed */
		load_unwinder();
	}
}

INTERPOSE(void, pthread_exit, (void *value))
{
	if (rt_on())
		note_exit();
	REAL(pthread_exit)(value);
	__builtin_unreachable();
}

INTERPOSE(void, thrd_exit, (int value))
{
	if (rt_on())
		note_exit();
	REAL(thrd_exit)(value);
	__builtin_unreachable();
}
