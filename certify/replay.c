/* certify/replay.c -- see replay.h: runs the program by the witnesses of classes, and has each run followed (follow.c). */
#include "certify/replay.h"

#include <stdio.h>
#include <string.h>

#include "base/mix.h"
#include "certify/follow.h"
#include "drive/failure.h"
#include "drive/runs.h"
#include "drive/surroundings.h"

#define MOST_STEPS   1000000u           /* events of one run */
#define MOST_SECONDS 60u

static void schedule_of(const struct certificate *c, size_t from, size_t count, struct schedule *out)
{
	schedule_init(out);
	out->fixed_addresses = true;
	for (size_t i = 1; i < c->threads.count; i++)
		schedule_thread_add(out, c->threads.at[i], "");
	for (size_t i = 0; i < count; i++) {
		const struct step_said *s = &c->steps.at[from + i];
		enum step_what what = s->what == 'r' ? STEP_RUN : s->what == 'a' ? STEP_ANSWER : s->what == 'c' ? STEP_CHOICE : STEP_FLUSH;
		schedule_step_add(out, what, s->thread, s->nth)->answer = s->answer;
	}
}

static int say(struct replay *out, const char *of, uint32_t line, int got, const char *what)
{
	char copy[sizeof out->why];
	snprintf(copy, sizeof copy, "%s", what);
	snprintf(out->why, sizeof out->why, "the %s on line %u, executed: %.300s", of, line, copy);
	return got;
}

/* Did it end where the class says, and as the verdict says? */
static int judge(const struct certificate *c, const struct class_said *x, struct follower *f, const struct run_done *done, struct replay *out)
{
	static const struct failure_rule any = { 0 };
	if (done->result.late)
		return say(out, "class", x->line, -1, "it was still going on after 60 seconds");
	if (x->spins)
		return done->result.outcome == OUTCOME_LIVELOCK ? 1 : say(out, "class", x->line, 0, "it ends, and does not go round for ever");
	if (failure_is_unknown(done) || done->result.early.count)
		return say(out, "class", x->line, -1, "it could not be brought to its end, or calls code nobody watches while stores wait");
	if (!c->is_bug && failure_is(&any, done))
		return say(out, "class", x->line, 0, "it fails, and the certificate says that it is safe");
	for (uint32_t i = 0; i < c->threads.count; i++)
		if (spot_of_class(c, f->at[i]) != c->ends.at[x->ends + i])
			return say(out, "class", x->line, 0, "it does not end there");
	return 1;
}

struct replaying { const struct certificate *c; struct runs *runs; struct map touched; bool *seen; struct replay *out; struct err *error; };

/* The objects it loaded are those the certificate names; if not, *error. */
static bool is_surrounded_alike(struct replaying *r, const struct places *p)
{
	const char *path;
	for (size_t i = 1; (path = places_object_path(p, i)); i++)      /* the first is the program itself */
		if (!surroundings_has((const char *)r->c->around.at, path)) {
			err_set(r->error, "certificate '%s' is of runs that did not load '%s'", r->c->name, path);
			r->error->code = 3;
			return false;
		}
	return true;
}

/* One class, or one loop. */
static int run_one(struct replaying *r, const struct class_said *x, const struct loop_said *loop)
{
	struct schedule schedule;
	struct run_done done;
	struct follower f = { .c = r->c, .seen = r->seen, .touched = &r->touched, .why = r->out->why };
	const char *of = x ? "class" : "loop";
	uint32_t line = x ? x->line : loop->line;
	schedule_of(r->c, x ? x->steps : loop->steps, x ? x->step_count : loop->step_count, &schedule);
	runs_give(r->runs, &(struct run_order){ .schedule = &schedule, .events = MOST_STEPS, .max_steps = !x || x->spins ? 20000u : MOST_STEPS });
	int got = runs_take(r->runs, &done, r->error) == 1 ? 1 : -2;
	if (got == 1 && !is_surrounded_alike(r, done.result.places)) {
		run_done_release(&done);
		got = -2;
	}
	if (got == 1) {
		follow_run(&f, &done.result, records_live(done.records));
		r->out->runs += x != NULL;
		if (*f.why)
			got = say(r->out, of, line, f.is_unknown ? -1 : 0, f.why);
		else if (x)
			got = judge(r->c, x, &f, &done, r->out);
		else if (!r->seen[loop->spot])
			got = say(r->out, of, line, 0, "it does not come back there");
		run_done_release(&done);
	}
	follower_release(&f);
	schedule_release(&schedule);
	return got;
}

/* So many of `all` of either kind, drawn. */
static int run_some(struct replaying *r, const struct replay_setup *how, bool loops, uint64_t *seed)
{
	size_t all = loops ? r->c->loops.count : r->c->classes.count, *order = mem_take((all + 1) * sizeof *order);
	uint64_t count = how->sample && how->sample < all ? how->sample : all;
	int got = 1;
	for (size_t i = 0; i < all; i++)
		order[i] = i;
	for (size_t i = 0; i < count && got == 1; i++) {
		size_t k = i + mix_draw(seed) % (all - i), x = order[k];
		order[k] = order[i];
		if (how->goes_on && !how->goes_on()) {
			snprintf(r->out->why, sizeof r->out->why, "it was interrupted");
			got = -1;
		} else {
			got = run_one(r, loops ? NULL : &r->c->classes.at[x], loops ? &r->c->loops.at[x] : NULL);
		}
	}
	mem_free(order);
	return got;
}

int replay_classes(const struct certificate *c, const struct replay_setup *how, struct replay *out, struct err *error)
{
	struct runs_setup setup = { .jobs = 1, .records = true, .like = { .stays = true, .states = true, .argv = how->argv, .unchecked = true, .loose = true,
		.max_steps = MOST_STEPS, .max_seconds = MOST_SECONDS, .model = c->model, .heap = c->reuse ? HEAP_APART_REUSE : HEAP_APART } };
	uint64_t seed = how->seed;
	struct replaying r = { .c = c, .seen = mem_take(c->spots.count * sizeof *r.seen), .out = out, .error = error };
	memset(out, 0, sizeof *out);
	r.runs = runs_open(&setup, error);
	int got = r.runs ? run_some(&r, how, false, &seed) : -2;
	if (got == 1)
		got = run_some(&r, how, true, &seed);
	for (size_t i = 0; i < c->spots.count; i++) {
		bool counts = c->spots.at[i].act != ACT_UNKNOWN;
		out->places += counts;
		out->seen += counts && r.seen[i];
	}
	if (r.runs)
		runs_close(r.runs);
	map_release(&r.touched);
	mem_free(r.seen);
	return got;
}
