/* certify/replay.c -- see replay.h: runs the program by the witnesses of classes, and has each run followed (follow.c). */
#include "certify/replay.h"

#include <stdio.h>
#include <string.h>

#include "certify/follow.h"
#include "drive/failure.h"
#include "drive/runs.h"

#define MOST_STEPS   1000000u           /* events of one run */
#define MOST_SECONDS 60u

static uint64_t drawn(uint64_t *seed)
{
	uint64_t x = *seed += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static void schedule_of(const struct certificate *c, const struct class_said *x, struct schedule *out)
{
	schedule_init(out);
	out->fixed_addresses = true;
	for (size_t i = 1; i < c->threads.count; i++)
		schedule_thread_add(out, c->threads.at[i], "");
	for (size_t i = 0; i < x->step_count; i++) {
		const struct step_said *s = &c->steps.at[x->steps + i];
		enum step_what what = s->what == 'r' ? STEP_RUN : s->what == 'a' ? STEP_ANSWER : s->what == 'c' ? STEP_CHOICE : STEP_FLUSH;
		schedule_step_add(out, what, s->thread, s->nth)->answer = s->answer;
	}
}

static int say(struct replay *out, const struct class_said *x, int got, const char *what)
{
	char copy[sizeof out->why];
	snprintf(copy, sizeof copy, "%s", what);
	snprintf(out->why, sizeof out->why, "the class on line %u, executed: %.300s", x->line, copy);
	return got;
}

/* Did it end where the class says, and as the verdict says? */
static int judge(const struct certificate *c, const struct class_said *x, struct follower *f, const struct run_done *done, struct replay *out)
{
	static const struct failure_rule any = { 0 };
	if (*f->why)
		return say(out, x, f->is_unknown ? -1 : 0, f->why);
	if (x->spins)
		return done->result.outcome == OUTCOME_LIVELOCK ? 1 : say(out, x, 0, "it ends, and does not go round for ever");
	if (failure_is_unknown(done) || done->result.early.count)
		return say(out, x, -1, "it could not be brought to its end, or calls code nobody watches while stores wait");
	if (!c->is_bug && failure_is(&any, done))
		return say(out, x, 0, "it fails, and the certificate says that it is safe");
	for (uint32_t i = 0; i < c->threads.count; i++)
		if (spot_of_class(c, f->at[i]) != c->ends.at[x->ends + i])
			return say(out, x, 0, "it does not end there");
	return 1;
}

static int run_one(const struct certificate *c, const struct class_said *x, struct runs *runs, struct map *touched, bool *seen, struct replay *out, struct err *error)
{
	struct schedule schedule;
	struct run_done done;
	struct follower f = { .c = c, .seen = seen, .touched = touched, .why = out->why };
	schedule_of(c, x, &schedule);
	runs_give(runs, &(struct run_order){ .schedule = &schedule, .events = MOST_STEPS, .max_steps = x->spins ? 20000u : MOST_STEPS });
	int got = runs_take(runs, &done, error) == 1 ? 1 : -2;
	if (got == 1) {
		follow_run(&f, &done.result, records_live(done.records));
		out->runs++;
		got = judge(c, x, &f, &done, out);
		run_done_release(&done);
	}
	follower_release(&f);
	schedule_release(&schedule);
	return got;
}

int replay_classes(const struct certificate *c, const struct replay_setup *how, struct replay *out, struct err *error)
{
	struct runs_setup setup = { .jobs = 1, .records = true, .like = { .stays = true, .states = true, .argv = how->argv, .unchecked = true, .loose = true,
		.max_steps = MOST_STEPS, .max_seconds = MOST_SECONDS, .model = c->model, .heap = c->reuse ? HEAP_APART_REUSE : HEAP_APART } };
	uint64_t seed = how->seed, count = how->sample && how->sample < c->classes.count ? how->sample : c->classes.count;
	size_t *order = mem_take(c->classes.count * sizeof *order);
	bool *seen = mem_take(c->spots.count * sizeof *seen);
	struct map touched = { 0 };
	int got = 1;
	memset(out, 0, sizeof *out);
	struct runs *runs = runs_open(&setup, error);
	for (size_t i = 0; i < c->classes.count; i++)
		order[i] = i;
	for (size_t i = 0; i < count && got == 1 && runs; i++) {
		size_t k = i + drawn(&seed) % (c->classes.count - i), x = order[k];
		order[k] = order[i];
		if (how->goes_on && !how->goes_on()) {
			snprintf(out->why, sizeof out->why, "it was interrupted");
			got = -1;
		} else {
			got = run_one(c, &c->classes.at[x], runs, &touched, seen, out, error);
		}
	}
	for (size_t i = 0; i < c->spots.count; i++) {
		bool counts = c->spots.at[i].act != ACT_UNKNOWN;
		out->places += counts;
		out->seen += counts && seen[i];
	}
	if (runs)
		runs_close(runs);
	map_release(&touched);
	mem_free(order);
	mem_free(seen);
	return runs ? got : -2;
}
