/* rt/create.c -- threads: create, join, detach, exit, name; pthread and C11.
 *
 * Every recorded thread has a slot in a fixed table: it carries the birth record from creator to child (no allocation on
 * the way), and afterwards answers "whose pthread_t is this?".  Lock-free:
 *   (1) a slot in use has state != 0; owners[i] is its pthread_t as soon as creator or child knows it, whoever is first;
 *   (2) it is given back when three things have happened, in any order, each marked by one bit: the creator is done with
 *       it, the thread has ended, and nobody can name it any more (it was joined or detached);
 *   (3) libc may use a pthread_t again the moment a thread is joined, before its slot is given back: of two slots with
 *       the same pthread_t the one whose owner became known later is meant (uids are given too early to tell).
 * After fork the threads that do not exist in the child are thrown out at the first use of the table.
 *
 * FORK is written before the thread is made; if it could not be made, a second FORK with the errno takes it back.
 * END is written by the destructor of a key of our own, which puts itself off until the last round, so that it follows
 * thread_local destructors and those of the program's keys; return, pthread_exit and cancellation all come by there.
 * Signals wait while a thread is not yet, or no longer, being recorded: no handler runs unseen. */
#include <execinfo.h>
#include <limits.h>
#include <signal.h>

#include "rt/behind.h"
#include "rt/effect.h"
#include "rt/names.h"
#include "rt/pool.h"
#include "rt/restart.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/sys.h"
#include "rt/world.h"

#define SLOTS RING_THREADS
#define NAME_BYTES 16u

enum how { HOW_RETURN = 0, HOW_EXIT = 1, HOW_CANCEL = 2 };
enum slot_bit { SLOT_USED = 1, SLOT_CREATOR_DONE = 2, SLOT_ENDED = 4, SLOT_LET_GO = 8, SLOT_ALL = 15 };

struct slot {
	uint32_t state;                       /* enum slot_bit */
	uint32_t how, rounds;
	uint64_t known;                       /* when its owner became known: counts up */
	union {
		void *(*posix)(void *);
		thrd_start_t c11;
	} start;
	void *arg;
	struct rt_birth birth;
	struct strand *strand;                /* in a steered run */
	uint64_t mask;                        /* signals the thread starts with, if it has them from its creator */
	uint64_t virtual_mask;                /* of the creator, in a steered run */
	bool inherits;
	bool is_named;                        /* by another thread, perhaps before this one had begun */
	char name[NAME_BYTES];
};

static struct slot slots[SLOTS];
static pthread_t owners[SLOTS];               /* 0 unknown; apart from the slots so that a search reads little */
static uint32_t slots_high;                   /* no slot at or above was ever used */
static uint64_t owners_known;                 /* last number given to slot.known */
static uint32_t slots_process;                /* process_index + 1 whose threads these are */

static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static pthread_key_t end_key;
static bool end_key_made, end_key_exists;

/* ---- slots ---- */

static void slot_mark(struct slot *s, uint32_t bits)
{
	uint32_t before = __atomic_fetch_or(&s->state, bits, __ATOMIC_ACQ_REL);
	if (before == SLOT_ALL || (before | bits) != SLOT_ALL)
		return;
	__atomic_store_n(&owners[s - slots], 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->state, 0, __ATOMIC_RELEASE);
}

/* A fork happened since: the only thread there is, is the calling one. */
static void slots_clean(void)
{
	uint32_t mine = process_index + 1;
	if (rt_likely(__atomic_load_n(&slots_process, __ATOMIC_RELAXED) == mine))
		return;
	for (uint32_t i = 0; slots_process && i < slots_high; i++)
		if (owners[i] == pthread_self())
			slots[i].birth.uid = rt_uid();
		else
			owners[i] = 0, slots[i].state = 0;
	__atomic_store_n(&slots_process, mine, __ATOMIC_RELAXED);
}

static struct slot *slot_take(void)
{
	slots_clean();
	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t free = 0;
		if (__atomic_load_n(&slots[i].state, __ATOMIC_RELAXED) != 0 ||
			!__atomic_compare_exchange_n(&slots[i].state, &free, SLOT_USED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		uint32_t high = __atomic_load_n(&slots_high, __ATOMIC_RELAXED);
		while (high <= i && !__atomic_compare_exchange_n(&slots_high, &high, i + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			;
		slots[i].rounds = 0;
		slots[i].strand = NULL;
		slots[i].is_named = false;
		slots[i].how = HOW_CANCEL;            /* unless the thread says otherwise on its way out */
		return &slots[i];
	}
	return NULL;
}

/* Said by creator and child, once each; the first counts. */
static void slot_own(struct slot *s, pthread_t thread)
{
	pthread_t unknown = 0;
	__atomic_store_n(&s->known, __atomic_add_fetch(&owners_known, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&owners[s - slots], &unknown, thread, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static bool is_younger(const struct slot *a, const struct slot *b)
{
	return __atomic_load_n(&a->known, __ATOMIC_RELAXED) > __atomic_load_n(&b->known, __ATOMIC_RELAXED);
}

static struct slot *slot_of(pthread_t thread)
{
	struct slot *found = NULL;
	slots_clean();
	uint32_t high = __atomic_load_n(&slots_high, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < high; i++)
		if (__atomic_load_n(&owners[i], __ATOMIC_ACQUIRE) == thread && (!found || is_younger(&slots[i], found)))
			found = &slots[i];
	return found;
}

static uint32_t uid_of(const struct slot *s)
{
	return s ? s->birth.uid : 0;
}

uint32_t thread_uid(pthread_t thread)
{
	return uid_of(slot_of(thread));
}

struct strand *thread_strand(pthread_t thread)
{
	struct slot *s = slot_of(thread);
	return s ? s->strand : NULL;
}

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
	rt_thread_begin(&s->birth, (uint64_t)s->start.posix);
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
		steer_give_up(OUTCOME_UNSUPPORTED, "more than 4096 threads in one steered run");
	strand->is_named = own_strand->is_named;
	copy_bytes(strand->name, own_strand->name, STRAND_NAME);
	return strand;
}

/* `handle` is where libc will put the pthread_t, before the child starts: contents not known yet. */
static struct slot *prepare(const pthread_t *handle, void *arg, uint64_t start, uint64_t pc)
{
	steer_point(EV_FORK, 0, pc);
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
	if (__atomic_load_n(&owners[s - slots], __ATOMIC_ACQUIRE) == 0)
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
	if (!attr && s->strand && create_pooled(s, run_posix, thread))
		return 0;
	starting(s, attr);
	uint64_t mask = s->mask;
	int result = behind_make_thread(thread, attr, run_posix, s);
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

/* ---- join and detach: who it is must be asked before, for afterwards the pthread_t may mean another thread ---- */

/* Steered.  That a thread is waited for is seen by others (EINVAL, EDEADLK), so coming to wait is one event, the end of the
 * wait another; the join of a thread that has ended is one. */
static uint32_t ways_to_join(const struct strand *s)
{
	if (steer_has_ended(s->ask.first) || steer_is_cancelled(s))
		return WAY_GO;
	return s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
}

static int await_end(struct strand *other, uint32_t uid, uint64_t deadline, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_JOIN, .object = uid, .place = pc, .ways = ways_to_join, .first = other,
		.deadline = deadline, .cancels = CANCEL_BY_CALLER };
	other->joiner = own_strand;
	enum point_answer answer = steer_stop(&ask);
	if (answer == ANSWER_GO && !steer_has_ended(other)) {
		other->joiner = NULL;
		steer_act_on_cancel();
		return await_end(other, uid, deadline, pc);
	}
	other->joiner = NULL;
	own_strand->told++;                                     /* one point to those who read the trace: wire/ring.h */
	return answer == ANSWER_TIMEOUT ? ETIMEDOUT : 0;
}

static bool can_be_joined(const struct slot *s)
{
	return s && s->strand && s->strand != own_strand && !(__atomic_load_n(&s->state, __ATOMIC_RELAXED) & SLOT_LET_GO);
}

/* 0: libc is to be asked and will answer at once; otherwise what it would answer.  `until` NULL: without end. */
static int join_point(const struct slot *s, clockid_t clock, const struct timespec *until, uint64_t pc)
{
	int refused = 0;
	if (!rt_steered() || !can_be_joined(s) || (until && !deadline_is_valid(clock, until)))
		return 0;
	struct strand *other = s->strand;
	if (own_strand->joiner == other && !steer_is_cancelled(own_strand) && !other->cancel_sent)
		refused = EDEADLK;
	else if (other->joiner)
		refused = EINVAL;
	else if (!steer_has_ended(other))
		refused = await_end(other, uid_of(s), steer_deadline(clock, until), pc);
	if (!refused)
		steer_joined(other);
	return refused;
}

/* Its strand has ended: libc's own join comes back at once. */
static bool settled(const struct slot *s)
{
	return can_be_joined(s) && steer_has_ended(s->strand);
}

static void note_join(struct slot *s, uint32_t uid, bool tried, int result, const void *value, size_t bytes, uint64_t pc)
{
	rt_event(EV_JOIN, uid, tried && !result ? LOCK_TRIED : 0, 0, result, pc);
	if (result == 0)
		effect_result(value, bytes, pc);
	if (result == 0 && s)
		slot_mark(s, SLOT_ENDED | SLOT_LET_GO);
	if (result == 0 && rt_steered())
		pool_joined();
}

INTERPOSE(int, pthread_join, (pthread_t thread, void **value))
{
	if (!rt_on())
		return REAL(pthread_join)(thread, value);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	int result = join_point(s, 0, NULL, RT_PC);
	if (rt_steered())                                       /* its strand has ended, so will its kernel thread */
		result = result ? result : REAL(pthread_join)(thread, value);
	else if ((result = REAL(pthread_tryjoin_np)(thread, value)) == EBUSY)
		result = BLOCKING(EV_JOIN, uid, RT_PC, REAL(pthread_join)(thread, value));
	note_join(s, uid, false, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, pthread_tryjoin_np, (pthread_t thread, void **value))
{
	if (!rt_on())
		return REAL(pthread_tryjoin_np)(thread, value);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	int result = 0;
	if (!rt_steered() || !can_be_joined(s) || !steer_has_ended(s->strand))
		result = REAL(pthread_tryjoin_np)(thread, value);
	else if ((result = join_point(s, 0, NULL, RT_PC)) == 0)
		result = REAL(pthread_join)(thread, value);
	note_join(s, uid, true, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, pthread_timedjoin_np, (pthread_t thread, void **value, const struct timespec *until))
{
	if (!rt_on())
		return REAL(pthread_timedjoin_np)(thread, value, until);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	int result = join_point(s, CLOCK_REALTIME, until, RT_PC);
	if (rt_steered())
		result = result ? result : settled(s) ? REAL(pthread_join)(thread, value) : REAL(pthread_timedjoin_np)(thread, value, until);
	else if ((result = REAL(pthread_tryjoin_np)(thread, value)) == EBUSY)
		result = BLOCKING(EV_JOIN, uid, RT_PC, REAL(pthread_timedjoin_np)(thread, value, until));
	note_join(s, uid, true, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, pthread_clockjoin_np, (pthread_t thread, void **value, clockid_t clock, const struct timespec *until))
{
	if (!rt_on())
		return REAL(pthread_clockjoin_np)(thread, value, clock, until);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	int result = join_point(s, clock, until, RT_PC);
	if (rt_steered())
		result = result ? result : settled(s) ? REAL(pthread_join)(thread, value) : REAL(pthread_clockjoin_np)(thread, value, clock, until);
	else if ((result = REAL(pthread_tryjoin_np)(thread, value)) == EBUSY)
		result = BLOCKING(EV_JOIN, uid, RT_PC, REAL(pthread_clockjoin_np)(thread, value, clock, until));
	note_join(s, uid, true, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, thrd_join, (thrd_t thread, int *value))
{
	if (!rt_on())
		return REAL(thrd_join)(thread, value);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	void *wide;
	int answer = thrd_success;
	if (rt_steered())
		answer = join_point(s, 0, NULL, RT_PC) ? thrd_error : REAL(thrd_join)(thread, value);
	else if (REAL(pthread_tryjoin_np)(thread, &wide) != 0)
		answer = BLOCKING(EV_JOIN, uid, RT_PC, REAL(thrd_join)(thread, value));
	else if (value)
		*value = (int)(intptr_t)wide;
	note_join(s, uid, false, errno_of_thrd(answer), value, sizeof *value, RT_PC);
	return answer;
}

/* To detach a thread that somebody waits for has no effect in libc, which knows of nobody who waits in a steered run. */
static bool is_awaited(const struct slot *s)
{
	return s && s->strand && s->strand->joiner;
}

static void note_detach(struct slot *s, uint32_t uid, int result, uint64_t pc)
{
	rt_event(EV_DETACH, uid, 0, 0, result, pc);
	if (result == 0 && s && !is_awaited(s))
		slot_mark(s, SLOT_LET_GO);
}

INTERPOSE(int, pthread_detach, (pthread_t thread))
{
	if (!rt_on())
		return REAL(pthread_detach)(thread);
	steer_point(EV_DETACH, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	int result = is_awaited(s) ? 0 : REAL(pthread_detach)(thread);
	note_detach(s, uid, result, RT_PC);
	return result;
}

INTERPOSE(int, thrd_detach, (thrd_t thread))
{
	if (!rt_on())
		return REAL(thrd_detach)(thread);
	steer_point(EV_DETACH, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = uid_of(s);
	int answer = is_awaited(s) ? thrd_success : REAL(thrd_detach)(thread);
	note_detach(s, uid, errno_of_thrd(answer), RT_PC);
	return answer;
}

static struct thread_area *area_of(uint32_t uid)
{
	for (uint32_t i = 0; i < RING_THREADS; i++) {
		struct thread_area *area = ring_area((uid + i) % RING_THREADS);
		if (area->thread == uid && __atomic_load_n(&area->state, __ATOMIC_ACQUIRE) == AREA_LIVE)
			return area;
	}
	return NULL;
}

/* NULL: libc is to be asked. */
static struct strand *named_strand(pthread_t thread)
{
	if (!names_are_ours())
		return NULL;
	struct slot *s = thread == pthread_self() ? NULL : slot_of(thread);
	return thread == pthread_self() ? own_strand : s ? s->strand : NULL;
}

INTERPOSE(int, pthread_getname_np, (pthread_t thread, char *name, size_t room))
{
	const struct strand *strand = named_strand(thread);
	int result = strand ? names_get(strand, name, room) : REAL(pthread_getname_np)(thread, name, room);
	if (result == 0 && effects_on())
		effect_result(name, STRAND_NAME, RT_PC);
	return result;
}

/* For a thread that has no area yet: it looks here when it has one, as its namer looks for the area afterwards. */
static void leave_name(struct slot *s, const char *name, unsigned bytes)
{
	copy_bytes(s->name, name, bytes);
	s->name[bytes] = 0;
	__atomic_store_n(&s->is_named, true, __ATOMIC_SEQ_CST);
}

INTERPOSE(int, pthread_setname_np, (pthread_t thread, const char *name))
{
	struct strand *strand = named_strand(thread);
	int result = strand ? names_set(strand, name) : REAL(pthread_setname_np)(thread, name);
	if (result || !rt_on())
		return result;
	struct slot *s = thread == pthread_self() ? NULL : slot_of(thread);
	unsigned bytes = 0;
	while (bytes < NAME_BYTES - 1 && name[bytes])
		bytes++;
	if (s)
		leave_name(s, name, bytes);
	struct thread_area *area = s ? area_of(uid_of(s)) : raddle_tls.area;
	if (area) {
		copy_bytes(area->name, name, bytes);
		area->name[bytes] = 0;
	}
	rt_event_bytes(EV_NAME, uid_of(s), bytes, 0, name, bytes, NAME_BYTES, RT_PC);
	return 0;
}
