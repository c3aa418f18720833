/* drive/hunt.c -- see hunt.h.
 *
 * The first run is by policy `first` and tells how long a run is.  Run i, from 1 on, is decided by i and the seed alone; runs are counted in
 * the order of their numbers (tally.h), and of those that fail the one with the lowest number counts, whose predecessors were all made:
 * the same hunt finds the same failure after as many runs, however many run at a time.
 *
 * Where that is possible, a stretch of runs is made in one process (run_order.runs), which must not be noticed:
 *   (1) a run that ends such a stretch, behind others, in any other way than the first run did is made again by itself, and what comes of
 *       that counts;
 *   (2) so is one in CHECK_ONE_IN of the others, by its number, and one of the first stretch of each size;
 *   (3) if such a run goes another way the second time, that is said (parted.h), and from then on each run has a process;
 *   (4) a stretch is as long as what takes STRETCH_SECONDS: a hunt that is to end does so soon. */
#include "drive/hunt.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "drive/endless.h"
#include "drive/tally.h"

#define STRETCH_FIRST   8u              /* runs of the first stretches, */
#define STRETCH_MOST    4096u           /* and of the longest */
#define STRETCH_SECONDS 0.05            /* of processor time */
#define CHECK_ONE_IN    100u
#define REFUSALS        8u              /* stretches that end early, before it is asked whether they are worth it: */
#define WORTH           4u              /* runs each, on average */

/* What a mix is made of, in turn.  No policy is best for all bugs: `pos` is for the order of few conflicting events, `pct` for long
 * runs and few switches (depth 2 and 3 are most of what is found in the field), `random` for odd answers (time-outs, spurious wake-ups)
 * and for what needs many switches. */
static const struct steer_turn mix[] = {
	{ STEER_POS, 0 }, { STEER_RANDOM, 0 }, { STEER_PCT, 2 }, { STEER_RANDOM, 0 }, { STEER_POS, 0 }, { STEER_PCT, 3 },
	{ STEER_RANDOM, 0 }, { STEER_PCT, 1 }, { STEER_POS, 0 }, { STEER_RANDOM, 0 }, { STEER_PCT, 2 }, { STEER_PCT, 4 },
};
#define MIX (sizeof mix / sizeof *mix)

struct stretch { uint64_t from, count; };         /* numbers of runs */

/* A run made among others that is to be made by itself. */
struct check_run {
	uint64_t number, from;          /* that, and the first one of its process */
	bool compare;                   /* the end was the run's own, not that of its process */
	uint64_t events, log_hash;
	enum steer_outcome outcome;
	int32_t value;
};

struct search {
	const struct hunt_setup *setup;
	struct hunt_result *out;
	struct runs *runs;
	double began;
	struct err *why;
	bool found;
	struct tally tally;
	uint64_t next;                  /* no order was given for it and those behind it */
	uint64_t length;                /* of stretches; 1: each run has a process */
	uint64_t refusals, sizes;       /* stretches that ended early; bit i: one of 2^i runs and more was checked */
	int go_on_with;
	uint64_t said_by;               /* number of the run counts.said is of */
	uint64_t outside_by;            /* the same of out->outside */
	VEC(struct stretch) given, again;       /* being made; to be made, before anything new */
	VEC(struct check_run) checks;
};

static struct run_order order_of(const struct search *s, uint64_t i)
{
	struct run_order o = { .policy = (uint32_t)s->setup->policy, .depth = s->setup->depth, .seed = s->setup->seed + i, .tag = i,
		.length = s->out->counts.events };
	if (s->setup->policy == HUNT_MIX) {
		o.policy = mix[i % MIX].policy;
		o.depth = mix[i % MIX].depth;
	}
	if (o.policy == STEER_PCT && o.depth == 0)
		o.depth = 1 + (uint32_t)(i % (HUNT_DEPTHS - 1));
	return o;
}

/* Policies come in turn, so many of them. */
static uint32_t turns(const struct search *s)
{
	return s->setup->policy == HUNT_MIX ? MIX : s->setup->policy == STEER_PCT && !s->setup->depth ? HUNT_DEPTHS - 1 : 0;
}

/* The stretch as one order. */
static struct run_order order_of_all(const struct search *s, const struct stretch *w)
{
	struct run_order o = order_of(s, w->from);
	if (w->count == 1)
		return o;
	o.runs = w->count;
	o.go_on_with = s->go_on_with;
	o.turn_count = turns(s);
	for (uint32_t i = 0; i < o.turn_count; i++) {
		struct run_order other = order_of(s, w->from + i);
		o.turns[i] = (struct steer_turn){ other.policy, other.depth };
	}
	return o;
}

/* ---------------------------------------------------------------- what came of a run */

static bool is_slow(const struct search *s, const struct run_done *run)
{
	return !s->setup->hang_fails && run->result.late;
}

static uint64_t last_that_counts(const struct search *s)
{
	return s->found ? s->out->order.tag : UINT64_MAX;
}

static void note_outside(struct search *s, const struct run_order *order, const struct steer_result *r)
{
	if (!*r->outside)
		return;
	if (!s->out->outside_runs++ || order->tag < s->outside_by) {
		snprintf(s->out->outside, sizeof s->out->outside, "%s", r->outside);
		s->outside_by = order->tag;
	}
}

static void count(struct search *s, const struct run_order *order, struct run_done *run)
{
	struct hunt_counts *c = &s->out->counts;
	struct told told = { .policy = order->policy, .depth = order->depth, .log_hash = steer_log_hash(&run->result), .events = run->result.steps,
		.threads = run->result.threads.count, .slow = is_slow(s, run), .unknown = failure_is_unknown(run) };
	if ((told.slow || told.unknown) && (!*c->said || order->tag < s->said_by)) {
		steer_say(&run->result, c->said);
		s->said_by = order->tag;
	}
	if (s->setup->runs.races)
		told.races = races_told_of(&s->out->races, &run->result.races, order->tag + 1);
	race_list_release(&run->result.races);                  /* its places end with the runs */
	run->result.races = (struct race_list){ 0 };
	early_add(&s->out->early, &run->result);
	note_outside(s, order, &run->result);
	tally_put(&s->tally, order->tag, &told);
}

/* Keeps the failed run, if it is the first so far. */
static void keep(struct search *s, const struct run_order *order, struct run_done *run)
{
	if (s->found && s->out->order.tag < order->tag) {
		run_done_release(run);
		return;
	}
	if (s->found)
		run_done_release(&s->out->run);
	s->found = true;
	s->out->order = *order;
	s->out->number = order->tag + 1;
	s->out->run = *run;
}

/* A run does not hang that ends if it gets ten times as long once more: some programs only take their time. */
static bool ends_after_all(const struct search *s, const struct run_order *order)
{
	struct runs_setup setup = { .like = s->out->like, .jobs = 1, .races = s->setup->runs.races };
	struct run_done run;
	struct err why;
	setup.like.max_steps *= ENDLESS_TIMES;
	struct runs *runs = runs_open(&setup, &why);
	if (!runs)
		return false;
	runs_give(runs, order);
	bool ends = runs_take(runs, &run, &why) > 0;
	if (ends) {
		ends = run.result.outcome != OUTCOME_LIVELOCK;
		run_done_release(&run);
	}
	runs_close(runs);
	return ends;
}

/* Nor one that would end if everybody got turns from there on. */
static bool ends_with_fair_turns(const struct search *s, const struct run_done *run)
{
	struct runs_setup setup = { .like = s->out->like, .jobs = 1, .races = s->setup->runs.races };
	enum fair_turns came = FAIR_UNKNOWN;
	uint64_t made = 0;
	struct err why;
	struct runs *runs = runs_open(&setup, &why);
	bool known = runs && endless_fair(runs, &run->result, &came, &made, &why) == 0;
	runs_close(runs);
	return known && came == FAIR_ENDS;
}

static bool has_failed(const struct search *s, const struct run_order *order, const struct run_done *run)
{
	if (!failure_is(s->setup->rule, run) || is_slow(s, run))
		return false;
	if (run->result.outcome != OUTCOME_LIVELOCK || s->setup->runs.like.max_steps)
		return true;
	return !ends_with_fair_turns(s, run) && !ends_after_all(s, order);
}

/* ---------------------------------------------------------------- many of them in one process */

static bool has_parted(const struct check_run *c, const struct run_done *run)
{
	const struct steer_result *r = &run->result;
	return c->compare && (r->steps != c->events || steer_log_hash(r) != c->log_hash || r->outcome != c->outcome || r->value != c->value);
}

/* The run by itself is done: is it what it was among others?  false: nobody wanted to know. */
static bool compare(struct search *s, const struct run_order *order, const struct run_done *run)
{
	struct parted *p = &s->out->parted;
	for (size_t i = 0; i < s->checks.count; i++) {
		struct check_run c = s->checks.at[i];
		if (c.number != order->tag)
			continue;
		s->checks.at[i] = s->checks.at[--s->checks.count];
		s->out->checked++;
		if (is_slow(s, run) || !has_parted(&c, run))
			return true;
		s->length = 1;
		if (!p->number || c.number + 1 < p->number)
			*p = (struct parted){ .number = c.number + 1, .order = *order,
				.among = order_of_all(s, &(struct stretch){ c.from, c.number - c.from + 1 }) };
		return true;
	}
	return false;
}

static void check_by_itself(struct search *s, const struct check_run *c)
{
	vec_push(&s->checks, *c);
	vec_push(&s->again, ((struct stretch){ c->number, 1 }));
}

/* Is it one of those that are made again?  The last one of the first stretch of a size is. */
static bool is_chosen(struct search *s, const struct stretch *w, uint64_t number, bool last)
{
	uint64_t size = 1ull << (63 - __builtin_clzll(w->count));
	bool first = last && !(s->sizes & size);
	if (first)
		s->sizes |= size;
	return first || steer_mix(s->setup->seed, number) % CHECK_ONE_IN == 0;
}

/* The runs before the last one of a process. */
static void look_at_briefs(struct search *s, const struct stretch *w, const struct run_done *run)
{
	uint64_t count = run->result.before.count;
	struct row_told races;
	row_told_open(&races, &s->out->races, &run->result.races_before);
	for (uint64_t i = 0; i < count; i++) {
		const struct steer_brief *b = &run->result.before.at[i];
		struct run_order order = order_of(s, w->from + i);
		struct check_run again = { .number = order.tag, .from = w->from, .compare = true, .events = b->steps, .log_hash = b->log_hash,
			.outcome = OUTCOME_EXIT, .value = s->go_on_with };
		struct told told = { .policy = order.policy, .depth = order.depth, .log_hash = b->log_hash, .events = b->steps,
			.threads = b->threads < STEER_STRANDS ? b->threads : STEER_STRANDS, .races = row_told_next(&races, i, order.tag + 1) };
		if (is_chosen(s, w, order.tag, i + 1 == count)) {
			check_by_itself(s, &again);
			mem_free(told.races);            /* it will tell them itself */
		} else {
			tally_put(&s->tally, order.tag, &told);
		}
	}
	row_told_close(&races);
	s->out->restarted += count;
}

/* Longer stretches, shorter ones, or none any more? */
static void learn(struct search *s, const struct stretch *w, const struct run_done *run, bool usual)
{
	uint64_t made = run->result.before.count + 1;
	uint32_t refused = run->result.restart_refused;
	if (s->length == 1)
		return;
	if (made == w->count && made == s->length && run->seconds < STRETCH_SECONDS / 2 && s->length < STRETCH_MOST)
		s->length *= 2;
	else if (run->seconds > STRETCH_SECONDS && s->length > 2)
		s->length /= 2;
	s->refusals += refused || (made == 1 && usual);
	if ((refused == RESTART_NEVER && made == 1) || (s->refusals >= REFUSALS && s->out->restarted < WORTH * s->refusals)) {
		s->length = 1;
		s->out->refused = refused ? refused : RESTART_NEVER;
	}
}

/* Did its process end it? */
static bool was_ended(const struct steer_result *r)
{
	return r->late || (r->outcome == OUTCOME_SIGNAL && r->value == SIGKILL) ||
		r->restart_refused == RESTART_SIGNAL;
}

/* Runs that have a process each: is this one of those that are made again? */
static bool is_made_again(struct search *s, const struct run_order *order, const struct run_done *run)
{
	if (s->length > 1 || s->out->parted.number || !order->tag || is_slow(s, run) || failure_is_unknown(run) ||
		steer_mix(s->setup->seed, order->tag) % CHECK_ONE_IN != 0)
		return false;
	check_by_itself(s, &(struct check_run){ .number = order->tag, .from = order->tag, .compare = true, .events = run->result.steps,
		.log_hash = steer_log_hash(&run->result), .outcome = run->result.outcome, .value = run->result.value });
	return true;
}

static void look_at_one(struct search *s, struct run_done *run)
{
	struct run_order order = order_of(s, run->tag);
	if (run->tag == 0)
		order.policy = STEER_FIRST;
	if (run->result.interrupted) {
		s->out->interrupted = true;
		run_done_release(run);
		return;
	}
	bool again = compare(s, &order, run);
	bool failed = has_failed(s, &order, run);
	if (!again && !failed && is_made_again(s, &order, run)) {
		run_done_release(run);
		return;
	}
	count(s, &order, run);
	if (failed)
		keep(s, &order, run);
	else
		run_done_release(run);
}

static void look_at_stretch(struct search *s, const struct stretch *w, struct run_done *run)
{
	struct steer_result *r = &run->result;
	uint64_t number = w->from + r->before.count, end = w->from + w->count;
	struct run_order order = order_of(s, number);
	bool usual = r->outcome == OUTCOME_EXIT && !failure_is(s->setup->rule, run) && r->restart_refused != RESTART_SIGNAL;
	look_at_briefs(s, w, run);
	learn(s, w, run, usual);
	s->out->interrupted |= r->interrupted;
	if (number + 1 < end)
		vec_push(&s->again, ((struct stretch){ number + 1, end - number - 1 }));
	if (!r->before.count && r->restart_refused != RESTART_SIGNAL) {          /* nothing came before it: as if it were by itself */
		look_at_one(s, run);
		return;
	}
	if (usual && !r->interrupted)
		count(s, &order, run);
	else if (!r->interrupted)
		check_by_itself(s, &(struct check_run){ .number = number, .from = w->from, .compare = !was_ended(r), .events = r->steps,
			.log_hash = steer_log_hash(r), .outcome = r->outcome, .value = r->value });
	run_done_release(run);
}

static struct stretch given_as(struct search *s, uint64_t from)
{
	for (size_t i = 0; i < s->given.count; i++)
		if (s->given.at[i].from == from) {
			struct stretch w = s->given.at[i];
			s->given.at[i] = s->given.at[--s->given.count];
			return w;
		}
	return (struct stretch){ from, 1 };
}

static void look_at(struct search *s, struct run_done *run)
{
	struct stretch w = given_as(s, run->tag);
	if (w.count > 1)
		look_at_stretch(s, &w, run);
	else
		look_at_one(s, run);
	tally_count(&s->tally, last_that_counts(s));
	s->out->counts.seconds = clock_seconds() - s->began;
}

/* ---------------------------------------------------------------- the first run */

/* By policy first; whatever its length is.  1 it failed, 0, -1. */
static int first_run(struct search *s)
{
	struct runs_setup setup = { .like = s->out->like, .jobs = 1, .races = s->setup->runs.races };
	struct run_order order = { .policy = STEER_FIRST };
	struct run_done run;
	struct runs *runs = runs_open(&setup, s->why);
	if (!runs)
		return -1;
	runs_give(runs, &order);
	int got = runs_take(runs, &run, s->why);
	if (got > 0) {
		s->go_on_with = run.result.value;
		look_at(s, &run);
		s->next = 1;
		s->out->counts.events = s->out->counts.most_events;
	}
	runs_close(runs);
	return got < 0 ? -1 : s->found;
}

/* The first run says nothing about what others would: there is no point in going on. */
static bool is_hopeless(const struct search *s)
{
	return s->out->interrupted || s->out->counts.unknown || s->out->counts.slow;
}

/* ---------------------------------------------------------------- the others */

static bool is_stopped(const struct search *s)
{
	return s->out->interrupted || (s->setup->go_on && !s->setup->go_on(&s->out->counts));
}

static bool is_over(const struct search *s)
{
	const struct hunt_setup *u = s->setup;
	return s->found || (u->most && s->next >= u->most) || (u->seconds > 0 && clock_seconds() - s->began >= u->seconds);
}

/* What was begun is finished, as far as it counts: there are no gaps before the run a hunt ends with. */
static bool take_again(struct search *s, struct stretch *out)
{
	while (s->again.count) {
		struct stretch *w = &s->again.at[s->again.count - 1];
		if (w->from > last_that_counts(s)) {
			s->again.count--;
			continue;
		}
		*out = (struct stretch){ w->from, w->count < s->length ? w->count : s->length };
		w->from += out->count;
		w->count -= out->count;
		s->again.count -= w->count == 0;
		return true;
	}
	return false;
}

static bool take_new(struct search *s, struct stretch *out)
{
	uint64_t room = s->tally.next + TALLY_AHEAD - s->next, left = s->setup->most ? s->setup->most - s->next : UINT64_MAX, count = s->length;
	count = count < room ? count : room;
	count = count < left ? count : left;
	*out = (struct stretch){ s->next, count };
	s->next += count;
	return count > 0;
}

static void give(struct search *s)
{
	struct stretch w;
	while (runs_room(s->runs) && !is_stopped(s) && (take_again(s, &w) || (!is_over(s) && take_new(s, &w)))) {
		struct run_order order = order_of_all(s, &w);
		vec_push(&s->given, w);
		runs_give(s->runs, &order);
	}
}

static int others(struct search *s)
{
	for (;;) {
		struct run_done run;
		give(s);
		int got = runs_take(s->runs, &run, s->why);
		if (got < 0)
			return -1;
		if (got == 0)
			return s->found;
		look_at(s, &run);
	}
}

/* The output of runs that others follow is not kept. */
static uint64_t first_length(const struct hunt_setup *u)
{
	return u->rule->by == FAIL_OUTPUT ? 1 : STRETCH_FIRST;
}

static int hunt_others(struct search *s)
{
	struct runs_setup runs = s->setup->runs;
	if (!s->out->like.max_steps)
		s->out->like.max_steps = endless_after(s->out->counts.events);
	runs.like = s->out->like;
	s->runs = runs_open(&runs, s->why);
	int result = s->runs ? others(s) : -1;
	tally_close(&s->tally, last_that_counts(s));
	runs_close(s->runs);
	return result;
}

static void search_release(struct search *s)
{
	tally_close(&s->tally, 0);
	vec_release(&s->given);
	vec_release(&s->again);
	vec_release(&s->checks);
}

int hunt(const struct hunt_setup *setup, struct hunt_result *out, struct err *why)
{
	struct search s = { .setup = setup, .out = out, .why = why, .length = first_length(setup) };
	memset(out, 0, sizeof *out);
	out->like = setup->runs.like;
	tally_open(&s.tally, out);
	s.began = clock_seconds();
	int result = first_run(&s);
	if (result == 0 && !is_hopeless(&s))
		result = hunt_others(&s);
	out->counts.seconds = clock_seconds() - s.began;
	if (s.found)
		failure_key(setup->rule, &out->run, &out->key);
	if (out->parted.number && !out->interrupted)
		parted_locate(&out->parted, &out->like);
	search_release(&s);
	return result;
}

void hunt_result_release(struct hunt_result *r)
{
	if (r->number)
		run_done_release(&r->run);
	buffer_release(&r->key);
	map_release(&r->seen);
	races_kept_release(&r->races);
	early_release(&r->early);
	r->number = 0;
}

double hunt_missed(const struct hunt_counts *c, uint32_t depth)
{
	double threads = (double)(c->most_threads ? c->most_threads : 1), events = (double)(c->events ? c->events : 1);
	double found = 1 / (threads * pow(events, (double)depth - 1));
	return depth > 64 ? 1 : exp((double)c->pct_by_depth[depth] * log1p(-found));
}
