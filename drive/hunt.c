/* drive/hunt.c -- see hunt.h.
 *
 * The first run is by policy `first` and tells how long a run is.  Run i, from 1 on, is decided by i and the seed alone, and of several
 * that fail at a time the first one counts: the same hunt finds the same failure, however many run at a time. */
#include "drive/hunt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/str.h"

/* What a mix is made of, in turn.  No policy is best for all bugs: `pos` is for the order of few conflicting events, `pct` for long
 * runs and few switches (depth 2 and 3 are most of what is found in the field), `random` for odd answers (time-outs, spurious wake-ups)
 * and for what needs many switches. */
static const struct { uint32_t policy, depth; } mix[] = {
	{ STEER_POS, 0 }, { STEER_RANDOM, 0 }, { STEER_PCT, 2 }, { STEER_RANDOM, 0 }, { STEER_POS, 0 }, { STEER_PCT, 3 },
	{ STEER_RANDOM, 0 }, { STEER_PCT, 1 }, { STEER_POS, 0 }, { STEER_RANDOM, 0 }, { STEER_PCT, 2 }, { STEER_PCT, 4 },
};
#define MIX (sizeof mix / sizeof *mix)

struct search {
	const struct hunt_setup *setup;
	struct hunt_result *out;
	struct runs *runs;
	struct timespec began;
	struct err *why;
	bool found;
};

static double seconds_since(const struct timespec *then)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

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

/* ---------------------------------------------------------------- what came of a run */

static uint64_t mixed(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct schedule *log)
{
	uint64_t hash = 1;
	for (size_t i = 0; i < log->steps.count; i++) {
		const struct schedule_step *s = &log->steps.at[i];
		hash = mixed(mixed(hash, s->nth), (uint64_t)s->thread << 34 | (uint64_t)s->answer << 2 | s->what);
	}
	return hash;
}

static bool is_slow(const struct search *s, const struct run_done *run)
{
	return !s->setup->hang_fails && run->result.outcome == OUTCOME_LIVELOCK &&
		(!s->out->like.max_steps || run->result.steps < s->out->like.max_steps);
}

static void count(struct search *s, const struct run_order *order, const struct run_done *run)
{
	struct hunt_counts *c = &s->out->counts;
	bool fresh, slow = is_slow(s, run), unknown = failure_is_unknown(run);
	c->runs++;
	c->by_policy[order->policy]++;
	if (order->policy == STEER_PCT)
		c->pct_by_depth[order->depth]++;
	c->slow += slow;
	c->unknown += unknown;
	if ((slow || unknown) && !*c->said)
		steer_say(&run->result, c->said);
	map_put(&s->out->seen, hash_of(&run->result.log), &fresh);
	c->distinct += fresh;
	if (run->result.steps > c->most_events)
		c->most_events = run->result.steps;
	if (run->result.threads.count > c->most_threads)
		c->most_threads = run->result.threads.count;
	c->seconds = seconds_since(&s->began);
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

/* A run that was too long gets ten times as long once more: some programs only take their time. */
static bool ends_after_all(const struct search *s, const struct run_order *order)
{
	struct runs_setup setup = { .like = s->out->like, .jobs = 1, .races = s->setup->runs.races };
	struct run_done run;
	struct err why;
	setup.like.max_steps *= HUNT_LIVELOCK;
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

static bool has_failed(const struct search *s, const struct run_order *order, const struct run_done *run)
{
	if (!failure_is(s->setup->rule, run) || is_slow(s, run))
		return false;
	return run->result.outcome != OUTCOME_LIVELOCK || s->setup->runs.like.max_steps || !ends_after_all(s, order);
}

static void look_at(struct search *s, struct run_done *run)
{
	struct run_order order = order_of(s, run->tag);
	if (run->tag == 0)
		order.policy = STEER_FIRST;
	if (run->result.interrupted) {
		s->out->interrupted = true;
		run_done_release(run);
		return;
	}
	count(s, &order, run);
	early_add(&s->out->early, &run->result);
	races_kept_add(&s->out->races, &run->result.races, run->tag + 1);
	if (has_failed(s, &order, run))
		keep(s, &order, run);
	else
		run_done_release(run);
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
		look_at(s, &run);
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

static bool is_over(const struct search *s, uint64_t next)
{
	const struct hunt_setup *u = s->setup;
	return s->found || s->out->interrupted || (u->most && next >= u->most) || (u->seconds > 0 && seconds_since(&s->began) >= u->seconds) ||
		(u->go_on && !u->go_on(&s->out->counts));
}

static int others(struct search *s)
{
	uint64_t next = 1;
	for (;;) {
		struct run_done run;
		bool over = is_over(s, next);
		for (; !over && runs_room(s->runs); next++) {
			struct run_order order = order_of(s, next);
			runs_give(s->runs, &order);
			over = s->setup->most && next + 1 >= s->setup->most;
		}
		int got = runs_take(s->runs, &run, s->why);
		if (got < 0)
			return -1;
		if (got == 0)
			return s->found;
		look_at(s, &run);
	}
}

static uint64_t livelock(uint64_t events)
{
	return events * HUNT_LIVELOCK > HUNT_SHORTEST ? events * HUNT_LIVELOCK : HUNT_SHORTEST;
}

int hunt(const struct hunt_setup *setup, struct hunt_result *out, struct err *why)
{
	struct search s = { .setup = setup, .out = out, .why = why };
	memset(out, 0, sizeof *out);
	out->like = setup->runs.like;
	clock_gettime(CLOCK_MONOTONIC, &s.began);
	int result = first_run(&s);
	if (result == 0 && !is_hopeless(&s)) {
		struct runs_setup runs = setup->runs;
		if (!out->like.max_steps)
			out->like.max_steps = livelock(out->counts.events);
		runs.like = out->like;
		s.runs = runs_open(&runs, why);
		result = s.runs ? others(&s) : -1;
		runs_close(s.runs);
	}
	out->counts.seconds = seconds_since(&s.began);
	if (s.found)
		failure_key(setup->rule, &out->run, &out->key);
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
