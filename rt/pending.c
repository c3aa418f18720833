/* rt/pending.c -- signals of a steered program: they wait until a strand takes them at a point.
 *
 * The kernel's masks and pending signals belong to kernel threads; strands have their own here.  A signal the program sends to
 * itself never reaches the kernel.  One that comes from outside is caught by on_signal (signal.c) and waits here as well.
 *   (1) pending[] holds signals for one strand (to) or for whoever takes them first (NULL); a standard signal is held once;
 *   (2) a strand at a point takes a signal its mask does not block when it is chosen: that is an event of its own, SIGENTER, and
 *       the strand stands at the same point again afterwards, unless what it waits for there is ended by handlers (EINTR);
 *   (3) what raise and kill promise holds: the signal is taken before they return, if nobody else could take it;
 *   (4) a default action is the kernel's: it is asked for when a strand takes the signal;
 *   (5) the kernel blocks what every strand blocks and no function handles, so that the outside does not end a program that
 *       waits for the signal by sigwait.
 * Faults are no signals of this kind: they are handled where they happen.  Those of timers come from timers.c. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "rt/children.h"
#include "rt/input.h"
#include "rt/restart.h"
#include "rt/signal.h"
#include "rt/steer.h"
#include "rt/sys.h"
#include "rt/timers.h"
#include "rt/world.h"

#define PENDING 512u
#define ARRIVED 128u
#define CHILD_NAP 1000000u              /* nanoseconds */
#define BIT(number) (1ull << ((number) - 1))
#define NEVER_BLOCKED (BIT(SIGKILL) | BIT(SIGSTOP))

enum { FREE = 0, FILLING, THERE };

static struct pending {
	uint32_t state;
	int number;
	struct strand *to;
	uint64_t order;
	siginfo_t info;
} pending[PENDING];
uint64_t signals_held;
static uint64_t sent_within;                    /* signals the program has sent to itself so far, or its timers */
volatile bool signals_have_arrived;

static uint64_t bits_of(const sigset_t *set)
{
	uint64_t bits;
	copy_bytes(&bits, set, sizeof bits);
	return bits;
}

/* ---- those that wait ---- */

bool signals_are_held(const struct strand *to, int number)
{
	for (uint32_t i = 0; i < PENDING; i++)
		if (__atomic_load_n(&pending[i].state, __ATOMIC_ACQUIRE) == THERE && pending[i].to == to && pending[i].number == number)
			return true;
	return false;
}

/* Also called in the middle of anything, by on_signal.  0, or EAGAIN: there is no room. */
static int hold(struct strand *to, int number, const siginfo_t *info)
{
	if (number < 32 && signals_are_held(to, number))
		return 0;
	for (uint32_t i = 0; i < PENDING; i++) {
		uint32_t state = FREE;
		struct pending *p = &pending[i];
		if (!__atomic_compare_exchange_n(&p->state, &state, FILLING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		p->number = number;
		p->to = to;
		p->order = __atomic_add_fetch(&signals_held, 1, __ATOMIC_RELAXED);
		copy_bytes(&p->info, info, sizeof *info);
		__atomic_store_n(&p->state, THERE, __ATOMIC_RELEASE);
		return 0;
	}
	return EAGAIN;
}

/* The next of `set` that `s` would take: its own before those for anybody, then by number, then by age. */
static struct pending *next_for(const struct strand *s, uint64_t set)
{
	struct pending *best = NULL;
	for (uint32_t i = 0; i < PENDING; i++) {
		struct pending *p = &pending[i];
		if (__atomic_load_n(&p->state, __ATOMIC_ACQUIRE) != THERE || (p->to && p->to != s) || !(set & BIT(p->number)))
			continue;
		if (!best || (p->to && !best->to) || (!p->to == !best->to && (p->number < best->number ||
			(p->number == best->number && p->order < best->order))))
			best = p;
	}
	return best;
}

bool signals_some_wait_for(const struct strand *s)
{
	if (s->seen->state == STRAND_ENDED || s->ask.kind == EV_BEGIN)
		return false;
	return next_for(s, ~(s->mask | s->awaits)) != NULL;
}

void signals_hold(struct strand *to, int number, const siginfo_t *info)
{
	sent_within |= BIT(number);
	hold(to, number, info);
}

/* From outside, in the middle of anything: it waits in a place of its own until the next choice, so that it can be said, and
 * replayed, in front of which event it came. */
static struct { uint32_t state; int number; siginfo_t info; } arrived[ARRIVED];

void signals_arrived(int number, const siginfo_t *info)
{
	for (uint32_t i = 0; i < ARRIVED; i++) {
		uint32_t state = FREE;
		if (!__atomic_compare_exchange_n(&arrived[i].state, &state, FILLING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		arrived[i].number = number;
		copy_bytes(&arrived[i].info, info, sizeof *info);
		__atomic_store_n(&arrived[i].state, THERE, __ATOMIC_RELEASE);
		signals_have_arrived = true;
		return;
	}
}

void signals_forget(int number)
{
	for (uint32_t i = 0; signals_have_arrived && i < ARRIVED; i++)
		if (__atomic_load_n(&arrived[i].state, __ATOMIC_ACQUIRE) == THERE && arrived[i].number == number) {
			__atomic_store_n(&arrived[i].state, FREE, __ATOMIC_RELEASE);
			return;
		}
}

void signals_take_in(void)
{
	if (rt_likely(!signals_have_arrived))
		return;
	signals_have_arrived = false;
	for (uint32_t i = 0; i < ARRIVED; i++) {
		if (__atomic_load_n(&arrived[i].state, __ATOMIC_ACQUIRE) != THERE)
			continue;
		if (!input_serving()) {                  /* a replay has its own */
			hold(NULL, arrived[i].number, &arrived[i].info);
			input_note_signal(arrived[i].number, &arrived[i].info);
		}
		__atomic_store_n(&arrived[i].state, FREE, __ATOMIC_RELEASE);
	}
}

/* ---- taking one ---- */

static bool is_ignored_by_default(int number)
{
	return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

static bool stops_by_default(int number)
{
	return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* The kernel does what it does by default; it may end the process.  Who would continue one of many runs, or a replay, that stops is not
 * there: it goes on at once. */
static void act_by_default(int number)
{
	struct sigaction standard = { .sa_handler = SIG_DFL };
	uint64_t bit = BIT(number);
	if (is_ignored_by_default(number) || (stops_by_default(number) && (steer->apart || input_serving())))
		return;
	steer_fault_is(FAULT_SENT, 0, 0);
	kernel_sigaction(number, &standard, NULL);
	sys6(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&bit, 0, 8, 0, 0);
	sys3(SYS_tgkill, sys3(SYS_getpid, 0, 0, 0), sys3(SYS_gettid, 0, 0, 0), number);
}

void signals_end(void)
{
	act_by_default((int)steer->ends_by);
}

enum signals_taken signals_take(struct strand *s)
{
	struct pending *p = next_for(s, ~(s->mask | s->awaits));
	struct sigaction action;
	siginfo_t info;
	if (!p)
		return TOOK_NOTHING;
	int number = p->number;
	info = p->info;
	__atomic_store_n(&p->state, FREE, __ATOMIC_RELEASE);
	signal_given(number, &action);
	if (action.sa_handler == SIG_IGN)
		return TOOK_NOTHING;
	if (action.sa_handler == SIG_DFL) {
		act_by_default(number);
		return TOOK_NOTHING;
	}
	uint64_t before = s->mask;
	s->mask = (before | bits_of(&action.sa_mask) | (action.sa_flags & SA_NODEFER ? 0 : BIT(number))) & ~NEVER_BLOCKED;
	signal_run(&action, number, &info, s->ask.place);
	s->mask = before;
	return action.sa_flags & SA_RESTART ? TOOK_AND_RESTARTS : TOOK_ONE;
}

/* ---- sending ---- */

static void tell_kernel(void);
static uint64_t told = ~0ull;                  /* what the kernel was last told, unless libc has changed it since */

static bool can_take(const struct strand *s, int number)
{
	return s->seen->state != STRAND_ENDED && !(s->mask & BIT(number));
}

static bool others_can_take(int number)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		const struct strand *s = steer_strand(i);
		if (s != own_strand && (can_take(s, number) || (s->awaits & BIT(number))) && s->seen->state != STRAND_ENDED)
			return true;
	}
	return false;
}

static uint64_t by_descriptor;                 /* signals the program means to read from a descriptor */

void signals_read_from_descriptor(uint64_t set)
{
	by_descriptor |= set;
}

bool signals_are_read(int number)
{
	return number > 0 && number <= 64 && by_descriptor & BIT(number);
}

/* Everybody blocks it: the kernel does too, and hands it to whoever reads the descriptor. */
static int send_to_descriptor(const struct strand *to, siginfo_t *info)
{
	tell_kernel();
	if (to || !(told & BIT(info->si_signo)))
		steer_give_up(OUTCOME_UNSUPPORTED, "a signal that a handler or another thread could have, and that is read by signalfd");
	if (input_serving())
		return 0;                                /* what was read is in the log */
	return (int)-sys3(SYS_rt_sigqueueinfo, steer->pid, info->si_signo, (long)info);
}

int signals_send(struct strand *to, int number, int code, const union sigval *value)
{
	siginfo_t info = { .si_signo = number, .si_code = code };
	if (number < 0 || number > 64)
		return EINVAL;
	if (number == 0)
		return 0;
	struct world_call who = { .number = SYS_getpid };
	info.si_pid = (pid_t)world_call(&who);          /* asked as the program would: a replay is told what it was then */
	info.si_uid = getuid();
	if (value)
		info.si_value = *value;
	sent_within |= BIT(number);
	if (to && steer_has_ended(to))
		return 0;
	if (rt_unlikely(by_descriptor & BIT(number)) && !can_take(own_strand, number) && !others_can_take(number))
		return send_to_descriptor(to, &info);
	int failed = hold(to, number, &info);
	if (!failed && (to == own_strand || (!to && !others_can_take(number))))
		while (can_take(own_strand, number) && next_for(own_strand, BIT(number)) && signals_take(own_strand))
			;
	return failed;
}

struct strand *signals_strand(int32_t tid)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		int32_t known = s->tid_told ? s->tid_told : s->number ? s->tid : pid_as_told();         /* as the program knows it */
		if (known == tid && !steer_has_ended(s))
			return s;
	}
	return NULL;
}

/* ---- waiting for one ---- */

static uint32_t ways_to_take(const struct strand *s)
{
	if (s->awaits && next_for(s, s->awaits))
		return WAY_GO;
	return s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
}

/* What the kernel holds for us of what it blocks: from outside. */
static void fetch_from_kernel(uint64_t set)
{
	static const struct timespec over = { 0, 0 };
	siginfo_t info;
	long number;
	while (!input_serving() && (number = sys6(SYS_rt_sigtimedwait, (long)&set, (long)&info, (long)&over, 8, 0, 0)) > 0) {
		hold(NULL, (int)number, &info);
		input_note_signal((int)number, &info);
	}
}

int signals_await(const sigset_t *set, siginfo_t *info, const struct timespec *span, uint64_t pc)
{
	struct strand *s = own_strand;
	struct steer_ask ask = { .kind = EV_INPUT, .place = pc, .ways = ways_to_take, .interrupts = INTERRUPTED_ALWAYS,
		.cancels = CANCEL_AT_ONCE };
	if (span && (span->tv_sec < 0 || span->tv_nsec < 0 || span->tv_nsec >= 1000000000))
		return -EINVAL;
	bool at_once = span && !span->tv_sec && !span->tv_nsec;
	if (at_once) {
		ask.ways = NULL;
		ask.interrupts = INTERRUPTED_NEVER;
	} else if (span)
		ask.deadline = steer_clock() + (uint64_t)span->tv_sec * 1000000000u + (uint64_t)span->tv_nsec;
	s->awaits = bits_of(set) & ~NEVER_BLOCKED;
	fetch_from_kernel(s->awaits);
	enum point_answer answer = steer_stop(&ask);
	uint64_t wanted = s->awaits;
	s->awaits = 0;
	struct pending *p = answer == ANSWER_GO ? next_for(s, wanted) : NULL;
	if (!p)
		return answer == ANSWER_INTERRUPTED ? -EINTR : -EAGAIN;
	int number = p->number;
	if (info)
		*info = p->info;
	__atomic_store_n(&p->state, FREE, __ATOMIC_RELEASE);
	return number;
}

static uint32_t ways_of_pause(const struct strand *s)
{
	(void)s;
	return 0;
}

static int wait_for_handler(bool begun, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_INPUT, .place = pc, .ways = ways_of_pause, .interrupts = INTERRUPTED_ALWAYS, .begun = begun,
		.cancels = CANCEL_AT_ONCE };
	while (steer_stop(&ask) != ANSWER_INTERRUPTED)
		;
	errno = EINTR;
	return -1;
}

INTERPOSE(int, pause, (void))
{
	return rt_steered() ? wait_for_handler(false, RT_PC) : REAL(pause)();
}

/* ---- from outside ---- */

uint64_t signals_handled(void)
{
	uint64_t set = 0;
	struct sigaction action;
	for (int number = 1; number <= 64; number++) {
		signal_given(number, &action);
		if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN && !signal_is_failure(number) && number != SIGSYS)
			set |= BIT(number);
	}
	return set;
}

/* What this strand waits for that only another process can send, as far as the program has shown. */
static uint64_t awaits_from_outside(const struct strand *s)
{
	if (s->seen->state != STRAND_AT_POINT)
		return 0;
	uint64_t set = s->ask.ways == ways_to_take ? s->awaits : s->ask.ways == ways_of_pause ? signals_handled() & ~s->mask : 0;
	return set & ~sent_within;
}

bool signals_can_come(void)
{
	bool some = !steer->apart || children_live();           /* nobody else is there for one run of many */
	for (uint32_t i = 0; some && !input_serving() && i < steer_strand_count(); i++)
		if (awaits_from_outside(steer_strand(i)))
			return true;
	return false;
}

/* Those some strand waits for by sigwait, which the kernel blocks. */
void signals_take_awaited(void)
{
	uint64_t set = 0;
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		set |= steer_strand(i)->awaits;
	if (set)
		fetch_from_kernel(set);
}

void signals_await_outside(void)
{
	static bool said;
	uint64_t set = 0;
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		set |= steer_strand(i)->awaits;
	bool mine = children_live();
	if (!said && !mine)
		rt_say("every thread waits, and only a signal from outside can end that: waiting for one (Ctrl-C ends the run)");
	said = said || !mine;
	int fd = (int)sys6(SYS_signalfd4, -1, (long)&set, sizeof set, O_CLOEXEC, 0, 0);     /* those the kernel blocks */
	steer_await_too(fd, mine ? CHILD_NAP : UINT64_MAX);      /* one may end without a signal */
	if (fd >= 0)
		sys3(SYS_close, fd, 0, 0);
}

/* ---- masks ---- */

void signals_kernel_told(uint64_t mask)
{
	told = mask;
}

void signals_kernel_asked(void)
{
	told = ~0ull;
}

bool signals_kernel_has(uint64_t mask)
{
	return told == mask;
}

/* What every strand blocks and no function handles, the kernel blocks too. */
static void tell_kernel(void)
{
	uint64_t all = ~0ull;
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		if (!steer_has_ended(steer_strand(i)))
			all &= steer_strand(i)->mask;
	for (uint64_t left = all; left; left &= left - 1) {
		int number = __builtin_ctzll(left) + 1;
		if (signal_is_failure(number) || number == SIGSYS || signal_is_handled(number))
			all &= ~BIT(number);
	}
	if (restart_on && all == told)
		return;
	told = all;
	sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8, 0, 0);
}

void signals_strand_ended(void)
{
	tell_kernel();
}

long signals_mask(int how, const uint64_t *set, uint64_t *old)
{
	struct strand *s = own_strand;
	uint64_t before = s->mask, bits = set ? *set & ~NEVER_BLOCKED : 0;
	if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
		return -EINVAL;
	if (set)
		s->mask = how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits;
	if (old)
		*old = before;
	return 0;
}

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t bits = set ? bits_of(set) : 0, before;
	long failed = signals_mask(how, set ? &bits : NULL, &before);
	if (failed)
		return (int)-failed;
	if (set)
		tell_kernel();
	if (old)
		copy_bytes(old, &before, sizeof before);                /* libc fills no more */
	while (next_for(own_strand, ~own_strand->mask) && signals_take(own_strand))
		;
	return 0;
}

/* Before it opens the mask, signals come as they do anywhere. */
INTERPOSE(int, sigsuspend, (const sigset_t *set))
{
	if (!rt_steered())
		return REAL(sigsuspend)(set);
	steer_point(EV_INPUT, 0, RT_PC);
	uint64_t before = own_strand->mask;
	own_strand->mask = bits_of(set) & ~NEVER_BLOCKED;
	tell_kernel();
	int result = wait_for_handler(true, RT_PC);
	own_strand->mask = before;
	tell_kernel();
	return result;
}

INTERPOSE(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old))
{
	return rt_steered() ? change_mask(how, set, old) : REAL(pthread_sigmask)(how, set, old);
}

INTERPOSE(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old))
{
	if (!rt_steered())
		return REAL(sigprocmask)(how, set, old);
	int error = change_mask(how, set, old);
	if (error)
		errno = error;
	return error ? -1 : 0;
}

INTERPOSE(int, sigpending, (sigset_t *out))
{
	uint64_t bits = 0;
	if (!rt_steered())
		return REAL(sigpending)(out);
	fetch_from_kernel(own_strand->mask);
	for (int number = 1; number <= 64; number++)
		if (own_strand->mask & BIT(number) && next_for(own_strand, BIT(number)))
			bits |= BIT(number);
	copy_bytes(out, &bits, sizeof bits);
	return 0;
}

void signals_first(struct strand *s)
{
	sys6(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&s->mask, 8, 0, 0);
}

/* Another program, or a child that nobody steers, is to find the mask it would have found. */
void signals_leave(void)
{
	if (own_strand)
		sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&own_strand->mask, 0, 8, 0, 0);
}

void signals_look(void)
{
	signals_take_in();
	timers_due();
}
