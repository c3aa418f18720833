/* rt/steer.c -- a steered run: strands stop at points, one is chosen and performs its event.
 *
 *   strand at a point --> next_strand(): script.c, else policy.c --> log --> ghost.c or baton.c --> the chosen one performs its event
 *
 *   (1) between two points exactly one strand runs, so nothing here needs a lock;
 *   (2) `done` of a strand counts the events it was chosen for; its point asks for event done + 1. */
#include "rt/steer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "rt/access.h"
#include "rt/altstack.h"
#include "rt/buffer.h"
#include "rt/input.h"
#include "rt/random.h"
#include "rt/left.h"
#include "rt/reopen.h"
#include "rt/restart.h"
#include "rt/script.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/state.h"
#include "rt/strands.h"
#include "rt/sys.h"
#include "rt/timers.h"
#include "rt/words.h"
#include "rt/world.h"
#include "wire/hooks.h"
#include "wire/version.h"

#define SETTLED         256u         /* events in a row after which a strand gets a quota */
#define QUOTA           4096u        /* at most; then it is watched again, for so many points: */
#define WATCHED         64u

struct steer_head *steer;
static const struct switching *switching;
__thread struct strand *own_strand __attribute__((tls_model("initial-exec")));

uint64_t steer_writes;
uint64_t steer_changes;
uint32_t steer_deadlines;

static uint64_t real_time(clockid_t clock)
{
	struct timespec t;
	sys3(SYS_clock_gettime, clock, (long)&t, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* With --time=real it is the system's; a replay has it from the log. */
uint64_t steer_clock(void)
{
	if (steer->time == TIME_REAL && !input_serving())
		return real_time(CLOCK_MONOTONIC) - steer->monotonic_base;
	return steer->clock + steer->steps * STEP_NS;
}

uint64_t steer_deadline(clockid_t clock, const struct timespec *until)
{
	if (!until)
		return 0;
	uint64_t base = time_base(clock);
	uint64_t moment = (uint64_t)until->tv_sec * 1000000000u + (uint64_t)until->tv_nsec;
	return until->tv_sec >= 0 && moment > base ? moment - base : 1;
}

/* ---- the end ---- */

static void put_text(const char *text)
{
	unsigned at = 0;
	for (; text && text[at] && at + 1 < STEER_TEXT; at++)
		steer->text[at] = text[at];
	steer->text[at] = 0;
}

/* ---- under a debugger ----  cli/raddle-gdb.py has breakpoints on these two, and says so; any other debugger gets a trap. */

static volatile uint32_t debugger_knows;

/* Everything is loaded, nothing of the program has run. */
static __attribute__((noinline)) void debugger_begins(void)
{
	__asm__ volatile("" : : "r"(&debugger_knows) : "memory");
}

/* Here is the place to look around. */
static __attribute__((noinline)) void debugger_stops(void)
{
	if (!debugger_knows)
		__asm__ volatile("int3");
}

/* Who could not go on now. */
static void tell_waits(void)
{
	for (uint32_t i = 0; i < strand_count; i++)
		strands[i].seen->waits = strands[i].at_point && !(steer_ways_now(&strands[i]) & WAY_GO);
}

void steer_exits(void)
{
	steer_settle();
	if (rt_steered() && steer->states)
		tell_waits();
}

_Noreturn void steer_give_up(enum steer_outcome outcome, const char *text)
{
	steer_settle();
	buffers_tell();
	put_text(text);
	tell_waits();
	log_running();
	__atomic_store_n(&steer->outcome, outcome, __ATOMIC_RELEASE);
	restart_ended(outcome, 0);
	if (steer->stop_at)
		debugger_stops();
	for (;;)
		sys3(SYS_exit_group, 1, 0, 0);
}

void steer_failing(uint64_t address, int number, const char *text)
{
	if (!steer)
		return;
	put_text(text);
	steer->address = address;
	steer->value = number;
}

/* In a static program nobody knows whose code it is. */
static bool is_program(uint64_t pc)
{
#ifndef RADDLE_STATIC
	return pc && !rt_is_ours((const void *)pc);
#else
	return pc && false;
#endif
}

void steer_fault_is(enum steer_fault fault, uint64_t pc, enum event_kind kind)
{
	if (!steer)
		return;
	bool ahead = pc && own_strand && own_strand->looks_at;
	steer->fault = fault;
	steer->fault_kind = ahead ? own_strand->looks_kind : kind;
	steer->fault_place = ahead ? own_strand->looks_at : is_program(pc) ? pc + 1 : 0;         /* readers look in front of a return address */
}

/* ---- what a strand could do ---- */

/* Chosen now, it would not do what it asked for but act on a request to cancel it. */
static bool acts_on_cancel(const struct strand *s)
{
	if (!steer_is_cancelled(s) || s->ask.cancels == CANCEL_BY_CALLER)
		return false;
	return s->ask.cancels == CANCEL_AT_ONCE || s->cancel_async;
}

uint32_t steer_ways_asked(const struct strand *s)
{
	if (s->unmade)
		return 0;
	if (signals_wait_for(s) || acts_on_cancel(s))
		return WAY_GO;
	if (rt_unlikely(buffers_on))
		buffers_show(s);                /* what blocks it is what it would see */
	return s->ask.ways(s);
}

/* Events that leave stores in the buffer, or see to it themselves; all others empty it, unless they say otherwise (steer_ask.keeps). */
static const uint8_t waits_in_buffer[EV_COUNT] = { [EV_READ] = 1, [EV_WRITE] = 1, [EV_ALOAD] = 1, [EV_ASTORE] = 1, [EV_FENCE] = 1,
	[EV_LIBREAD] = 1, [EV_LIBWRITE] = 1, [EV_COPY] = 1, [EV_ALLOC] = 1, [EV_FREE] = 1, [EV_REALLOC] = 1, [EV_CHOICE] = 1, [EV_LABEL] = 1, [EV_LEFT] = 1, [EV_ASSUME] = 1 };

bool steer_drains(const struct strand *s)
{
	return !waits_in_buffer[s->ask.kind] && !s->ask.keeps;
}

static const uint8_t changes_nothing[EV_COUNT] = { [EV_READ] = 1, [EV_LIBREAD] = 1, [EV_ALOAD] = 1, [EV_YIELD] = 1, [EV_FENCE] = 1,
	[EV_TRYFAIL] = 1, [EV_LEFT] = 1, [EV_ATOMIC] = 1, [EV_ASSUME] = 1 };

static const uint8_t locks[EV_COUNT] = { [EV_LOCK] = 1, [EV_UNLOCK] = 1 };
static const uint8_t accesses[EV_COUNT] = { [EV_READ] = 1, [EV_WRITE] = 1, [EV_ALOAD] = 1, [EV_ASTORE] = 1, [EV_RMW] = 1, [EV_CAS] = 1 };

/* ---- choosing ---- */

static uint32_t how_of(const struct steer_ask *ask)
{
	return ask->how | (ask->ways ? POINT_MAY_WAIT : 0) | (ask->deadline ? POINT_HAS_DEADLINE : 0);
}

static void note_event(const struct strand *s, enum event_kind kind, uint64_t place, uint32_t how)
{
	struct steer_event *events = (struct steer_event *)((char *)steer + steer->events_at);
	if (steer->steps < steer->events_room)
		events[steer->steps] = (struct steer_event){ .strand = s->number, .kind = (uint16_t)kind, .how = (uint16_t)how, .place = place,
			.state = s->state };
}

/* Its time is up: it passes. */
static __attribute__((noinline)) void pass_time(const struct strand *s)
{
	uint64_t time = s->ask.deadline - steer_clock();
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		const struct strand *other = steer_strand(i);
		if (other != s && other->at_point && !steer_spins(other) && (steer_ways_now(other) & WAY_GO)) {
			steer->hurried += time;
			break;
		}
	}
	steer->clock += time;
}

static inline __attribute__((always_inline)) void take_turn(const struct choice *c)
{
	struct strand *s = c->strand;
	if (c->answer == ANSWER_TIMEOUT && steer->time == TIME_VIRTUAL && s->ask.deadline > steer_clock())
		pass_time(s);
	steer_deadlines -= s->ask.deadline != 0;
	if (rt_unlikely(c->answer != ANSWER_GO))
		log_step(STEP_ANSWER, s, s->seen->done + 1, s->ask.kind, (uint32_t)c->answer, s->ask.place);
	s->answer = c->answer;
	s->yields = false;
	s->takes_signal = signals_wait_for(s);
	s->last_kind = s->takes_signal ? EV_SIGENTER : s->ask.kind;
	s->last_place = s->ask.place;
	s->seen->state = STRAND_RUNNING;
	s->at_point = false;
	s->seen->done++;
	note_event(s, (enum event_kind)s->ask.kind, s->ask.place, how_of(&s->ask));
	s->state = 0;
	steer->steps++;
	uint64_t changes = !changes_nothing[s->last_kind];
	steer_changes += changes;
	s->own_changes += changes;
	s->own_writes += changes & !locks[s->last_kind];
	steer_writes += changes & !locks[s->last_kind];
}

static void note_flushes(const struct strand *s, struct steer_ways *w)
{
	struct steer_flush *list = (struct steer_flush *)((char *)steer + steer->flushes_at);
	for (uint32_t i = 0; i < buffer_count(s); i++) {
		if (!buffer_can_flush(s, i))
			continue;
		struct buffered b = buffer_about(s, i);
		w->flush |= s->number < 64 ? 1ull << s->number : 0;
		if (steer->flushes_count < steer->flushes_room)
			list[steer->flushes_count++] = (struct steer_flush){ .step = steer->steps, .nth = b.nth, .strand = s->number, .part = b.part };
		else
			steer->flushes_lost++;
	}
}

static __attribute__((noinline)) void note_ways(const struct strand *only)
{
	struct steer_ways *w = (struct steer_ways *)((char *)steer + steer->ways_at) + steer->steps;
	if (steer->steps < steer->ways_room)
		*w = (struct steer_ways){ 0 };          /* a server's memory has another run's */
	for (uint32_t i = 0; steer->steps < steer->ways_room && i < steer_by_path_count; i++) {
		const struct strand *s = steer_strand(i);
		uint32_t ways = s->at_point && (!only || s == only) ? steer_ways_now(s) : 0;
		uint64_t bit = s->number < 64 ? 1ull << s->number : 0;
		w->go |= ways & WAY_GO ? bit : 0;
		w->timeout |= ways & WAY(ANSWER_TIMEOUT) ? bit : 0;
		w->spurious |= ways & WAY(ANSWER_SPURIOUS) ? bit : 0;
		if (!only)
			note_flushes(s, w);
	}
}

bool steer_waits_for_process(void)
{
	for (uint32_t i = 0; i < steer_by_path_count; i++) {
		const struct strand *s = steer_strand(i);
		if (s->at_point && map_is_lent(s->ask.object))
			return true;
	}
	return false;
}

/* Somebody has created as many threads as it may: what would come of more is not looked at. */
static bool stops_at_bound(void)
{
	for (uint32_t i = 0; steer->bound && i < steer_by_path_count; i++)
		if (steer_strand(i)->at_point && steer_strand(i)->ask.kind == EV_FORK)
			return true;
	return false;
}

static _Noreturn __attribute__((noinline)) void nobody_can(void)
{
	if (stops_at_bound())
		steer_give_up(OUTCOME_ASSUME, "more threads than this run is to have");
	if (steer_waits_for_process())
		steer_give_up(OUTCOME_UNSUPPORTED, "a wait for another process, in memory the two share");
	steer_give_up(OUTCOME_DEADLOCK, "every thread waits");
}

static uint64_t watch_again;

void steer_watch(void)
{
	watch_again = 0;
}

static inline __attribute__((always_inline)) void choose(struct strand *from, struct choice *c)
{
	if (steer->max_steps && steer->steps >= steer->max_steps)
		steer_give_up(OUTCOME_LIVELOCK, STEER_STILL_RUNS);
	if (rt_unlikely(steer->steps >= watch_again))
		watch_again = steer->steps + waiting_watch();
	if (rt_unlikely(steer->input == INPUT_SERVE))
		input_clock_due();
	if (rt_unlikely(steer->ends_by) && script_was_killed())
		signals_end();
	signals_due();
	bool alone = rt_unlikely(from->unbroken) && from->at_point && (steer_ways_now(from) & WAY_GO);
	if (rt_unlikely(steer->ways_room))
		note_ways(alone ? from : NULL);
	if (rt_likely(!script_has(steer->script_next)) || !script_follow(c, alone ? from : NULL)) {
		if (alone)
			*c = (struct choice){ .strand = from, .answer = ANSWER_GO };
		else
			policy_choose(from, c);
	}
	if (rt_unlikely(!c->strand))
		nobody_can();
}

/* A store reaches memory: a step of its own, between two events. */
static __attribute__((noinline)) void take_flush(const struct choice *c)
{
	struct buffered b = buffer_about(c->strand, (uint32_t)c->which);
	log_running();
	log_step(STEP_FLUSH, c->strand, b.nth, b.kind, b.part, b.place);
	note_event(c->strand, EV_FLUSH, b.place, 0);
	buffer_flush(c->strand, (uint32_t)c->which);
	steer->steps++;
	steer_changes++;
	steer_writes++;
}

/* What others have stored where `s` is about to look reaches memory first, if that is how the run is to be. */
static void take_prompt(const struct strand *s)
{
	struct strand *whose;
	uint32_t which;
	while (steer->prompt && !s->unbroken && buffer_due(s, &whose, &which))
		take_flush(&(struct choice){ .strand = whose, .flush = true, .which = which });
}

static __attribute__((noinline)) void choose_again(struct strand *from, struct choice *c)
{
	for (; c->flush; choose(from, c))
		take_flush(c);
	take_prompt(c->strand);
}

static inline __attribute__((always_inline)) struct strand *next_strand(struct strand *from)
{
	struct choice c;
	choose(from, &c);
	if (rt_unlikely(buffers_on))
		choose_again(from, &c);
	if (c.strand != from || from->seen->state == STRAND_ENDED)
		log_ran(from);
	take_turn(&c);
	if (c.strand != from) {
		steer->switches++;
		steer->running = c.strand->number;
	}
	if (rt_unlikely(buffers_on))
		buffers_show(c.strand);
	return c.strand;
}

/* ---- long stretches ----  A strand that has run for a while makes plain accesses on a quota, without points, as long as nothing
 * can be decided meanwhile.  Which events happen in which order does not depend on it. */

void steer_settle(void)
{
	struct strand *s = own_strand;
	if (!s || !s->quota)
		return;
	uint64_t used = s->quota - access_quota;
	access_quota = s->quota = 0;
	if (!used)
		return;
	s->seen->done += used;
	for (uint64_t i = steer->steps; i < steer->steps + used && i < steer->events_room; i++)
		((struct steer_event *)((char *)steer + steer->events_at))[i] = (struct steer_event){ 0 };      /* nobody knows */
	steer->steps += used;
	s->last_kind = 0;                       /* not known: the log checks nothing there */
	s->last_place = 0;
	s->own_changes++;
	s->own_writes++;
	steer_changes++;
	steer_writes++;
	policy_used(used);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void give_quota(struct strand *s)
{
	uint64_t index, quota = QUOTA;
	if (++s->in_a_row < SETTLED || s->seen->done - s->gave_way < SETTLED || ring_keeps() || s->ignores || steer->lingers || steer->ways_room || buffers_on || left_standing)
		return;
	s->in_a_row = SETTLED - WATCHED;
	const struct steer_step *step = script_next_run(&index);
	if (!step)
		quota = steer->ends_by ? 0 : least(quota, policy_quota(s));
	else if (step->strand != s->number)
		return;
	else                                    /* the last event of a step is checked, so it comes to a point */
		quota = least(quota, step->nth > s->seen->done ? step->nth - s->seen->done - 1 : 0);
	if (steer->max_steps)
		quota = least(quota, steer->max_steps > steer->steps ? steer->max_steps - steer->steps - 1 : 0);
	if (steer->stop_at > steer->steps)
		quota = least(quota, steer->stop_at - steer->steps - 1);
	access_quota = s->quota = least(quota, timers_quota());
}

/* Locks and their like are memory too, and may be freed. */
static void check_object(const struct steer_ask *ask)
{
	static const uint8_t is_memory[EV_COUNT] = { [EV_LOCK] = 1, [EV_UNLOCK] = 1, [EV_CWAIT] = 1, [EV_CSIGNAL] = 1, [EV_CBROADCAST] = 1,
		[EV_BENTER] = 1, [EV_SWAIT] = 1, [EV_SPOST] = 1, [EV_FWAIT] = 1, [EV_ALOAD] = 1, [EV_ASTORE] = 1, [EV_RMW] = 1, [EV_CAS] = 1 };
	if (is_memory[ask->kind] && memory_is_watched((void *)ask->object))
		memory_check_range((void *)ask->object, 1, ask->kind != EV_ALOAD);
}

/* The strand was chosen for an event: is it the one somebody wants to look at? */
static void stop_for_debugger(void)
{
	if (steer->stop_at && steer->steps == steer->stop_at)
		debugger_stops();
}

static void stop_once(struct strand *s, const struct steer_ask *ask)
{
	rt_enter();
	if (s->quota)
		steer_settle();
	if (!accesses[ask->kind])
		waiting_comes(s, ask);
	s->ask = *ask;
	s->seen->kind = ask->kind;
	s->seen->object = ask->object;
	s->seen->place = ask->place;
	s->seen->deadline = ask->deadline;
	s->seen->how = how_of(ask);
	steer_deadlines += ask->deadline != 0;
	s->seen->state = STRAND_AT_POINT;
	s->at_point = true;
	if (rt_unlikely(s->gone_count))
		s->low = left_stack(s);
	if (rt_unlikely(buffers_on))
		buffer_rests(s);
	struct strand *next = next_strand(s);
	if (next != s) {
		s->in_a_row = 0;
		s->turns++;
		if (rt_likely(switching == &ghost_switching))
			context_swap(&s->rests_at, next->rests_at, next->thread_pointer);
		else
			switching->pass(s, next);
		if (rt_unlikely(altstacks_on))
			altstack_load(s);
	}
	if (rt_unlikely(buffers_on)) {
		buffers_tell();
		if ((!waits_in_buffer[ask->kind] && !ask->keeps) || s->takes_signal)
			buffer_drain();
	}
	check_object(ask);
	give_quota(s);
	stop_for_debugger();
	rt_leave();
}

enum point_answer steer_stop(const struct steer_ask *ask)
{
	struct strand *s = own_strand;
	if (!s)
		return ANSWER_GO;
	if (rt_unlikely(serve_waits))
		serve();
	for (bool begun = ask->begun;;) {
		stop_once(s, ask);
		if (rt_unlikely(s->takes_signal)) {
			bool waits = ask->interrupts && !(ask->ways(s) & WAY_GO);
			begun = begun || (waits && steer_choose(2) == 0);
			enum signals_taken taken = signals_take(s);
			if (taken && waits && begun && (ask->interrupts == INTERRUPTED_ALWAYS || taken == TOOK_ONE))
				return ANSWER_INTERRUPTED;
		} else if (rt_unlikely(acts_on_cancel(s))) {
			steer_act_on_cancel();
		} else {
			return s->answer;
		}
	}
}

void steer_changed(void)
{
	steer_changes++;
	steer_writes++;
}

void steer_unchanged(void)
{
	if (own_strand) {
		steer_changes--;
		own_strand->own_changes--;
		own_strand->own_writes -= !locks[own_strand->last_kind];
		steer_writes -= !locks[own_strand->last_kind];
	}
}

/* It is about to read: if it cannot, that is found here. */
static void yield_in_vain(struct strand *s, enum event_kind kind, const void *address, uint32_t what, const void *site)
{
	s->looks_kind = kind;
	s->looks_at = (uint64_t)site | (uint64_t)(what >> 8) << 48;
	waiting_looks(s, address, what, site);
	s->looks_at = 0;
}

void steer_point_access(enum event_kind kind, const void *address, uint32_t what, const void *site)
{
	struct strand *s = own_strand;
	if (!s || (s->ignores && (kind == EV_READ || kind == EV_WRITE)))
		return;
	if (kind != EV_WRITE && kind != EV_ASTORE)
		yield_in_vain(s, kind, address, what, site);
	if (rt_unlikely(states_on)) {
		s->state = state_taken(s);
		waiting_state(s, (uint64_t)address);
	}
	struct steer_ask ask = { .kind = kind, .object = (uint64_t)address, .log2size = (uint8_t)what,
		.place = (uint64_t)site | (uint64_t)(what >> 8) << 48 };
	steer_stop(&ask);
}

struct weak { uint64_t expected; uint32_t what; };

static uint32_t ways_of_weak(const struct strand *s)
{
	const struct weak *w = s->ask.second;
	return WAY_GO | (waiting_value(s->ask.first, w->what) == w->expected ? WAY(ANSWER_SPURIOUS) : 0);
}

bool steer_point_weak(const void *address, uint64_t expected, uint32_t what, const void *site)
{
	struct weak w = { expected, what };
	if (own_strand)
		yield_in_vain(own_strand, EV_CAS, address, what, site);
	struct steer_ask ask = { .kind = EV_CAS, .object = (uint64_t)address, .log2size = (uint8_t)what, .place = (uint64_t)site, .ways = ways_of_weak,
		.first = address, .second = &w };
	return steer_stop(&ask) == ANSWER_SPURIOUS;
}

void steer_yield(uint64_t place)
{
	struct strand *s = own_strand;
	if (!s || !rt_steered())
		return;
	waiting_gives_way(s);
	steer_point(EV_YIELD, 0, place);
}

uint32_t steer_choose(uint32_t n)
{
	struct strand *s = own_strand;
	uint32_t number = 0;
	if (!s || n < 2)
		return 0;
	if (!script_number(s, n, &number) && !script_has(steer->script_next))
		number = policy_number(n);
	log_step(STEP_CHOICE, s, s->seen->done, s->last_kind, number, s->last_place);
	return number;
}

/* ---- the life of a strand ---- */

void steer_act_on_cancel(void)
{
	own_strand->cancel_off = true;          /* cleanup handlers are not disturbed */
	REAL(pthread_testcancel)();
}

void steer_begin(struct strand *s)
{
	if (!s->thread_pointer)                 /* else it was made in advance, and comes from there (pool.c) */
		switching->await(s);
	own_strand = s;
	if (switching->name == SWITCH_BATON)
		dispatch_thread();
	else if (altstacks_on)
		altstack_load(s);
	stop_for_debugger();
}

void steer_created(struct strand *s)
{
	s->unmade = false;
	switching->created(s);
}

void steer_joined(struct strand *s)
{
	switching->joined(s);
}

void steer_end(void)
{
	struct strand *s = own_strand;
	if (!s)
		return;
	buffer_drain();
	own_strand = NULL;
	strand_has_ended(s);
	left_ends(s);
	switching->ended(s);
	if (switching->name == SWITCH_GHOST)
		signals_strand_ended();
	if (steer_by_path_count)
		switching->pass(NULL, next_strand(s));
	else if (switching->name == SWITCH_GHOST)
		exit(0);                        /* libc still counts the others: it would not do it */
}

void steer_forked(void)
{
	world_forked();
	if (steer)
		signals_leave();
	steer = NULL;
	own_strand = NULL;
}

/* ---- joining ---- */

static bool head_is_sound(const struct steer_head *h, uint64_t bytes)
{
	return h->magic == STEER_MAGIC && h->version == WIRE_STEER_VERSION && h->bytes <= bytes &&
		h->strands_at % 8 == 0 && h->strands_at <= h->bytes &&
		h->bytes - h->strands_at >= STEER_STRANDS * sizeof(struct steer_strand) &&
		h->script_at % 8 == 0 && h->script_at <= h->bytes && h->script_count <= (h->bytes - h->script_at) / sizeof(struct steer_step) &&
		h->log_at % 8 == 0 && h->log_at <= h->bytes && h->log_room <= (h->bytes - h->log_at) / sizeof(uint64_t) &&
		h->ways_at % 8 == 0 && h->ways_at <= h->bytes && h->ways_room <= (h->bytes - h->ways_at) / sizeof(struct steer_ways) &&
		h->briefs_at % 8 == 0 && h->briefs_at <= h->bytes && h->briefs_room <= (h->bytes - h->briefs_at) / sizeof(struct steer_brief) &&
		h->events_at % 8 == 0 && h->events_at <= h->bytes && h->events_room <= (h->bytes - h->events_at) / sizeof(struct steer_event) &&
		h->flushes_at % 8 == 0 && h->flushes_at <= h->bytes && h->flushes_room <= (h->bytes - h->flushes_at) / sizeof(struct steer_flush);
}

#define GUARD 65536u                             /* bytes in front of it and behind it nobody may touch: as of the ring (process.c) */

static long map_orders(long fd, uint64_t bytes)
{
	long space = sys6(SYS_mmap, 0, (long)(bytes + 2 * GUARD), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((unsigned long)space >= -4095ul)
		return space;
	return sys6(SYS_mmap, space + GUARD, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
}

bool steer_join(void)
{
	const char *where = getenv(STEER_ENV);
	struct steer_head head;
	if (!where)
		return false;
	long fd = (long)words_number(&where);
	if (sys6(SYS_pread64, fd, (long)&head, sizeof head, 0, 0, 0) != sizeof head || !head_is_sound(&head, head.bytes))
		rt_fatal("cannot take orders from raddle: the memory shared with it is not what was expected; rebuild the program");
	if (head.pid)
		return false;                   /* some descendant of the steered process */
	long map = map_orders(fd, head.bytes);
	if ((unsigned long)map >= -4095ul)
		rt_fatal("cannot map the memory shared with raddle; is there a limit on address space?");
	steer = (struct steer_head *)map;
	steer->pid = (int32_t)sys3(SYS_getpid, 0, 0, 0);
	bool ghosts = steer->switching != SWITCH_BATON && ghost_is_possible();
	switching = ghosts ? &ghost_switching : &baton_switching;
	steer->switched_by = switching->name;
	if (steer->heap != HEAP_LIBC && !heap_start(steer->heap))
		steer->heap = HEAP_LIBC;        /* raddle sees that and says it */
	if (steer->time == TIME_REAL || !steer->monotonic_base) {
		steer->monotonic_base = real_time(CLOCK_MONOTONIC);
		steer->realtime_base = real_time(CLOCK_REALTIME);
	}
	buffers_start();
	serve_waits = steer->serve != 0;
	if (steer->keep_at == KEEP_PARTS)
		reopen_start();
	rt_real_all();
	world_join();
	return true;
}

void steer_ordered(void)
{
	states_on = steer->states;
	strands_named();
	policy_start();
	policy_new_strand(own_strand);
}

extern void *__libc_stack_end;

void steer_first_strand(void)
{
	static const char first[PATH_BYTES] = "T_0";
	own_strand = steer_new_strand(first);
	own_strand->unmade = false;
	own_strand->stack_top = (uint64_t)__libc_stack_end;
	own_strand->seen->state = STRAND_RUNNING;
	own_strand->at_point = false;
	own_strand->tid = steer->pid;
	switching->first(own_strand);
	signals_first(own_strand);
	buffers_show(own_strand);
	own_strand->seen->done = 1;
	own_strand->last_kind = EV_BEGIN;
	steer->steps = 1;
	steer->running = 0;
	if (!serve_waits)
		steer_ordered();
	random_start();
	if (steer->stop_at)
		debugger_begins();
	dispatch_start();
}
