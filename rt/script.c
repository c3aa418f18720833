/* rt/script.c -- the script a steered run follows and the log it writes: steps in, steps out (wire/steer.h).
 *   (1) the log names an event by strand and number, with kind and place as a check; steps stand in the order they were
 *       taken, so a log is a script for the same run;
 *   (2) a loose script is advice: what cannot be done is passed over, and the policy goes on behind it as behind any other;
 *   (3) a script is hostile: every number is checked before it is used, and a run that cannot follow it ends. */
#include "rt/script.h"

#include <sys/mman.h>

#include "rt/buffer.h"
#include "rt/segment.h"
#include "rt/strands.h"
#include "rt/sys.h"
#include "rt/words.h"

#define PAGE        4096ull
#define READY_BYTES (64 * PAGE)
#define PATIENCE       1000000000ull            /* nanoseconds one run of many waits for the outside where others could go on, */
#define PATIENCE_ALONE 5000000000ull            /* and where nobody could */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23                  /* where the system does not know it, pages come one by one */
#endif

static uint64_t log_ready = READY_BYTES / 4 / sizeof(uint64_t);      /* pages up to there are there, or come one by one */

static struct steer_step *script(void)
{
	return (struct steer_step *)((char *)steer + steer->script_at);
}

static uint64_t *log_at(uint64_t i)
{
	return (uint64_t *)((char *)steer + steer->log_at) + i;
}

/* ---- the log ---- */

/* A page that is written to first costs as much as dozens of switches: in a long log many are asked for at once. */
static void make_ready(uint64_t count)
{
	uint64_t from = (uint64_t)log_at(count) & ~(PAGE - 1), end = (uint64_t)log_at(steer->log_room);
	sys3(SYS_madvise, (long)from, (long)(end - from < READY_BYTES ? end - from : READY_BYTES), MADV_POPULATE_WRITE);
	log_ready = count + READY_BYTES / sizeof(uint64_t);
}

void log_step(enum step_what what, const struct strand *s, uint64_t nth, enum event_kind kind, uint32_t answer, uint64_t place)
{
	uint64_t count = steer->log_count, length = logged_length(what);
	if (rt_unlikely(steer->log_lost || count >= steer->log_room || steer->log_room - count < length || nth > LOGGED_NTH_MAX)) {
		steer->log_lost++;
		return;
	}
	if (rt_unlikely(count >= log_ready))
		make_ready(count);
	struct steer_step step = { .what = what, .strand = s->number, .nth = nth, .kind = kind, .answer = answer, .place = place };
	logged_put(log_at(count), &step);
	__atomic_store_n(&steer->log_count, count + length, __ATOMIC_RELEASE);          /* whoever kills us now: it is whole */
}

void log_ran(struct strand *s)
{
	uint64_t done = s->seen->done, count = steer->log_count;
	if (rt_unlikely(done <= s->logged))
		return;
	s->logged = done;
	if (rt_unlikely(s->logged_place != s->last_place || s->logged_kind != s->last_kind || s->last_kind == 0 || steer->log_lost ||
		count >= steer->log_room || count >= log_ready || done > LOGGED_NTH_MAX)) {
		log_step(STEP_RUN, s, done, s->last_kind, 0, s->last_place);
		s->logged_place = s->last_place;
		s->logged_kind = s->last_kind;
		return;
	}
	*log_at(count) = logged_head(LOGGED_AGAIN, s->number, done, 0);
	__atomic_store_n(&steer->log_count, count + 1, __ATOMIC_RELEASE);
}

void log_running(void)
{
	if (strands[steer->running].seen)
		log_ran(&strands[steer->running]);
}

/* ---- the script ---- */

static uint64_t module_offset(uint64_t place)
{
	place &= RECORD_ADDRESS_MASK;
	for (uint32_t i = 0; place && i < RING_MODULES && ring && i < ring->next_module; i++) {
		const struct module_entry *m = ring_module(i);
		if (m->state && m->process == process_index && place >= m->low && place < m->high)
			return (uint64_t)i << 48 | (place - m->base + 1);
	}
	return 0;
}

_Noreturn void script_leave(const char *why, const struct steer_step *step)
{
	char text[STEER_TEXT];
	unsigned at = words_add(text, 0, sizeof text, why);
	if (step->strand < strand_count) {
		at = words_add(text, at, sizeof text, ": ");
		at = words_add(text, at, sizeof text, strands[step->strand].seen->path);
		at = words_add(text, at, sizeof text, ", event ");
		at = words_add_number(text, at, sizeof text, step->nth);
	}
	steer_give_up(OUTCOME_LEFT, text);
}

static void check_event(const struct strand *s, const struct steer_step *step)
{
	enum event_kind kind = signals_wait_for(s) ? EV_SIGENTER : s->ask.kind;
	if (step->kind && step->kind != kind)
		script_leave("another kind of event came", step);
	uint64_t came = step->place ? module_offset(s->ask.place) : 0;
	bool loads = !came && s->ask.place;             /* code of an object that is being loaded: its place is not known yet */
	if (step->place && step->place != came && !loads)
		script_leave("it came from another place", step);
}

static bool is_there(const struct steer_step *step)
{
	return step->strand < strand_count && strands[step->strand].seen->state != STRAND_NONE;
}

/* Neither an answer nor a choice, which belong to the event of a turn behind them. */
static bool is_turn(const struct steer_step *step)
{
	return step->what == STEP_RUN || step->what == STEP_FLUSH;
}

/* Marks every step used up that is complete; the next one to follow, or NULL when the script is at its end. */
const struct steer_step *script_next_run(uint64_t *index)
{
	uint64_t i = steer->script_next;
	while (script_has(i)) {
		const struct steer_step *step = &script()[i];
		if (!is_there(step)) {
			if (steer->loose)
				break;
			script_leave("the thread does not exist", step);
		}
		if (step->what == STEP_RUN && strands[step->strand].seen->done < step->nth)
			break;
		if (is_turn(step) && steer->script_next < i && !steer->loose)
			script_leave("it was not asked for what the schedule answers", &script()[steer->script_next]);
		if (step->what == STEP_FLUSH)
			break;
		if (step->what == STEP_RUN)
			steer->script_next = i + 1;
		i++;
	}
	*index = i;
	return i < steer->script_count ? &script()[i] : NULL;
}

bool script_was_killed(void)
{
	uint64_t index;
	return steer->ends_by && steer->steps >= steer->ends_at && !script_next_run(&index);
}

/* The store a step takes to memory; false: it is not there, or not its turn. */
static bool flushes(const struct steer_step *step, struct choice *c)
{
	struct strand *s = &strands[step->strand];
	uint32_t which = buffer_find(s, step->nth, step->answer);
	*c = (struct choice){ .strand = s, .flush = true, .which = which };
	return which < buffer_count(s) && buffer_can_flush(s, which);
}

/* The answer or choice the script has for event `nth` of `s`, if it is the next one it has. */
bool script_answer(enum step_what what, const struct strand *s, uint64_t nth, uint32_t *answer)
{
	if (!script_has(steer->script_next))
		return false;
	const struct steer_step *step = &script()[steer->script_next];
	if (step->what != what || step->strand != s->number || step->nth != nth)
		return false;
	*answer = step->answer;
	steer->script_next++;
	return true;
}

/* What it is told where the script says nothing: to go, or, asleep, that the time is up: a sleep has no other end. */
static uint32_t usual_answer(const struct strand *s)
{
	return s->ask.kind == EV_YIELD && steer_ways_now(s) == WAY(ANSWER_TIMEOUT) ? ANSWER_TIMEOUT : ANSWER_GO;
}

/* ---- a loose script ---- */

/* Answers nobody will ask for any more: other strands', and those to events that are over. */
static void drop_stale(const struct strand *s, uint64_t nth)
{
	while (script_has(steer->script_next)) {
		const struct steer_step *step = &script()[steer->script_next];
		if (is_turn(step) || (step->strand == s->number && step->nth >= nth))
			return;
		steer->script_next++;
	}
}

static bool others_can_go(const struct strand *but)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		const struct strand *s = steer_strand(i);
		if (s != but && s->at_point && (steer_ways_now(s) & WAY_GO))
			return true;
	}
	return false;
}

/* Can the step be taken, and with which answer? */
static bool goes_on(const struct steer_step *step, struct choice *c)
{
	if (!is_there(step) || strands[step->strand].seen->state != STRAND_AT_POINT)
		return false;
	if (step->what == STEP_FLUSH)
		return flushes(step, c);
	struct strand *s = &strands[step->strand];
	if (waiting_in_vain(s) && others_can_go(s))
		return false;
	uint32_t answer = usual_answer(s);
	drop_stale(s, s->seen->done + 1);
	script_answer(STEP_ANSWER, s, s->seen->done + 1, &answer);
	if (answer > ANSWER_SPURIOUS || !(steer_ways_now(s) & WAY(answer)))
		answer = usual_answer(s);
	*c = (struct choice){ .strand = s, .answer = answer };
	return steer_ways_now(s) & WAY(answer);
}

static bool follow_loosely(struct choice *c, const struct strand *only)
{
	uint64_t index;
	for (const struct steer_step *step; (step = script_next_run(&index)); steer->script_next = index + 1) {
		if (only && step->strand != only->number)
			return false;
		if (goes_on(step, c)) {
			steer->script_next += c->flush;
			return true;
		}
	}
	return false;
}

/* The outside is slower this time; or it waits itself, for what the script holds back.  One run of many is not to stand there until its time is over:
 * it leaves its schedule. */
static void await_outside(const struct strand *s, const struct steer_step *step)
{
	uint64_t most = UINT64_MAX, began = 0;
	while (!(steer_ways_now(s) & WAY_GO) && steer_is_outside(s)) {
		uint64_t now = steer->apart ? steer_real_now() : 0;
		if (steer->apart && !began) {
			began = now;
			most = others_can_go(s) ? PATIENCE : PATIENCE_ALONE;
		}
		if (steer->apart && now - began >= most)
			script_leave(LEFT_OUTSIDE, step);
		steer_await_outside(steer->apart ? most - (now - began) : UINT64_MAX);
	}
}

/* only: NULL, or who must not be interrupted here. */
bool script_follow(struct choice *c, const struct strand *only)
{
	uint64_t index;
	if (steer->loose)
		return follow_loosely(c, only);
	const struct steer_step *step = script_next_run(&index);
	if (!step)
		return false;
	struct strand *s = &strands[step->strand];
	if (s->seen->state != STRAND_AT_POINT)
		script_leave("the thread has ended", step);
	if (only && (s != only || step->what == STEP_FLUSH))
		script_leave("another thread is not to be interrupted here", step);
	if (step->what == STEP_FLUSH) {
		if (!flushes(step, c))
			script_leave("the store does not wait to reach memory, or others go first", step);
		steer->script_next = index + 1;
		return true;
	}
	if (s->seen->done + 1 == step->nth)
		check_event(s, step);
	uint32_t answer = usual_answer(s);
	script_answer(STEP_ANSWER, s, s->seen->done + 1, &answer);
	if (answer == ANSWER_GO)
		await_outside(s, step);
	if (answer > ANSWER_SPURIOUS || !(steer_ways_now(s) & WAY(answer)))
		script_leave("the thread cannot go on", step);
	*c = (struct choice){ .strand = s, .answer = answer };
	return true;
}

bool script_number(const struct strand *s, uint32_t n, uint32_t *number)
{
	if (steer->loose)
		drop_stale(s, s->seen->done);
	if (!script_answer(STEP_CHOICE, s, s->seen->done, number))
		return false;
	if (*number >= n && steer->loose)
		*number = 0;
	else if (*number >= n)
		script_leave("there is no such choice", &script()[steer->script_next - 1]);
	return true;
}
