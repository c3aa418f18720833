/* drive/minimize.c -- see minimize.h.  Delta debugging over turns.
 *
 * A *turn* is one STEP_RUN with the answers, choices and flushes that stand in front of it: a thread runs up to its nth event.  A script is a list
 * of turns; to leave a turn out is to let its thread do those events in its next turn, or when the policy `first` comes to it.
 * Every candidate is run; a candidate is taken when the run fails the same way and
 *   (1) costs less than the best so far, or
 *   (2) costs the same and its script is lighter: shorter, or a turn lasts until its thread cannot go on, where nobody need be interrupted,
 *       or else the run has fewer events.
 * So cost never rises, and each candidate taken makes cost, script or run smaller: it ends.
 *
 * What is tried: cutting the end off; leaving out halves, quarters, ... single turns; bringing a turn forward to the one its
 * thread had before; letting a turn last as long as it can; the usual answers in place of odd ones; two threads in each other's place, since of threads that do the same one
 * is often nearer to what `first` would run.  Again until nothing can be left out. */
#include "drive/minimize.h"

#include <string.h>

#include "base/str.h"
#include "drive/prefix.h"

#define BATCH_MOST      64u
#define UNTIL_IT_WAITS  SCHEDULE_NTH_MAX
#define EXCHANGED_MOST  8u              /* threads that are tried in each other's place, */
#define EXCHANGED_TURNS 24u             /* in scripts of so many turns at most */

struct turn {
	uint32_t thread;
	uint64_t nth;
	size_t first, answers;          /* in the answers of its script */
};

struct script {
	VEC(struct turn) turns;
	VEC(struct schedule_step) answers;
};

struct work {
	const struct minimize_setup *setup;
	const struct schedule *from;
	struct minimize_result *out;
	struct script best;
	struct script log;              /* every turn of the best run: those of the script and those `first` made of the rest */
	struct minimize_cost cost;
	uint64_t keep_unit;             /* events a checkpoint must save; 0: none is kept */
	bool lighter;                   /* (2) counts too */
	bool stopped;
	struct err *why;
};

/* ---------------------------------------------------------------- scripts */

static void script_release(struct script *s)
{
	vec_release(&s->turns);
	vec_release(&s->answers);
}

static void script_of(struct script *s, const struct schedule *from)
{
	size_t first = 0;
	for (size_t i = 0; i < from->steps.count; i++) {
		const struct schedule_step *step = &from->steps.at[i];
		if (step->what != STEP_RUN) {
			vec_push(&s->answers, *step);
			continue;
		}
		struct turn t = { .thread = step->thread, .nth = step->nth, .first = first, .answers = s->answers.count - first };
		vec_push(&s->turns, t);
		first = s->answers.count;
	}
}

static void add_answers(struct script *to, const struct script *from, const struct turn *t, const bool *kept)
{
	for (size_t i = 0; i < t->answers; i++)
		if (!kept || kept[t->first + i])
			vec_push(&to->answers, from->answers.at[t->first + i]);
}

/* Does a store reach memory in front of the turn whose answers begin at `first`? */
static bool has_flush(const struct script *s, size_t first)
{
	while (first < s->answers.count && s->answers.at[first].what != STEP_FLUSH)
		first++;
	return first < s->answers.count;
}

/* Another turn at the end; one that follows a turn of its own thread makes that longer. */
static void add_turn(struct script *to, uint32_t thread, uint64_t nth, size_t first)
{
	struct turn *last = to->turns.count ? &to->turns.at[to->turns.count - 1] : NULL;
	if (last && last->thread == thread && !has_flush(to, first)) {
		last->nth = nth > last->nth ? nth : last->nth;
		last->answers = to->answers.count - last->first;
		return;
	}
	struct turn t = { .thread = thread, .nth = nth, .first = first, .answers = to->answers.count - first };
	vec_push(&to->turns, t);
}

/* Without the turns and answers that are not kept (NULL: all are).  A turn left out leaves its answers to its thread's next one. */
static void script_part(struct script *to, const struct script *from, const bool *turns, const bool *answers)
{
	for (size_t i = 0; i < from->turns.count; i++) {
		const struct turn *t = &from->turns.at[i];
		size_t first = to->answers.count, before = i;
		if (turns && !turns[i])
			continue;
		while (turns && before > 0 && !(from->turns.at[before - 1].thread == t->thread && turns[before - 1]))
			before--;
		for (; turns && before < i; before++)
			if (from->turns.at[before].thread == t->thread)
				add_answers(to, from, &from->turns.at[before], answers);
		add_answers(to, from, t, answers);
		add_turn(to, t->thread, t->nth, first);
	}
}

/* Turn i is done together with its thread's turn before it; false: there is none. */
static bool script_forward(struct script *to, const struct script *from, size_t i)
{
	size_t before = i;
	while (before > 0 && from->turns.at[before - 1].thread != from->turns.at[i].thread)
		before--;
	if (before == 0)
		return false;
	before--;
	for (size_t k = 0; k < from->turns.count; k++) {
		const struct turn *t = &from->turns.at[k];
		size_t first = to->answers.count;
		if (k == i)
			continue;
		add_answers(to, from, t, NULL);
		if (k == before)
			add_answers(to, from, &from->turns.at[i], NULL);
		add_turn(to, t->thread, k == before ? from->turns.at[i].nth : t->nth, first);
	}
	return true;
}

static void script_print(const struct script *s, const struct schedule *like, struct schedule *out)
{
	schedule_init(out);
	for (size_t i = 1; i < like->threads.count; i++)
		schedule_thread_add(out, like->threads.at[i].path, "");
	for (size_t i = 0; i < s->turns.count; i++) {
		const struct turn *t = &s->turns.at[i];
		for (size_t k = 0; k < t->answers; k++) {
			const struct schedule_step *a = &s->answers.at[t->first + k];
			schedule_step_add(out, a->what, a->thread, a->nth)->answer = a->answer;
		}
		schedule_step_add(out, STEP_RUN, t->thread, t->nth);
	}
}

/* ---------------------------------------------------------------- cost */

struct minimize_cost minimize_cost(const struct steer_result *r)
{
	struct minimize_cost c = { .switches = r->switches, .events = r->steps };
	bool *seen = mem_take(r->threads.count + 1);
	for (size_t i = 0; i < r->log.steps.count; i++) {
		const struct schedule_step *s = &r->log.steps.at[i];
		c.answers += s->what == STEP_FLUSH || (s->what != STEP_RUN && s->answer != 0);
		c.threads += s->what == STEP_RUN && !seen[s->thread];
		seen[s->thread] = true;
	}
	mem_free(seen);
	return c;
}

static int compare(const struct minimize_cost *a, const struct minimize_cost *b)
{
	const uint64_t x[] = { a->switches, a->answers, a->threads }, y[] = { b->switches, b->answers, b->threads };
	for (int i = 0; i < 3; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static size_t weight(const struct script *s)
{
	size_t sum = s->answers.count;
	for (size_t i = 0; i < s->turns.count; i++)
		sum += s->turns.at[i].nth == UNTIL_IT_WAITS ? 1 : 2;
	return sum;
}

static bool is_better(const struct work *w, const struct minimize_cost *cost, const struct script *s)
{
	int c = compare(cost, &w->cost);
	size_t now = weight(s), before = weight(&w->best);
	return c < 0 || (c == 0 && w->lighter && (now < before || (now == before && cost->events < w->cost.events)));
}

/* ---------------------------------------------------------------- trying */

struct candidate {
	struct script script;
	struct schedule schedule;
	bool empty;                     /* there is nothing to try */
	bool good;
	struct minimize_cost cost;
	struct script log;
};

static bool fails_so(const struct minimize_setup *setup, struct run_done *run)
{
	struct buffer key = { 0 };
	bool same = false;
	if (failure_is(setup->rule, run) && !run->result.log_lost) {
		failure_key(setup->rule, run, &key);
		same = strcmp((const char *)key.at, setup->key) == 0;
	}
	buffer_release(&key);
	return same;
}

/* From a checkpoint it went one way, made again another. */
static void locate(struct work *w, const struct run_order *order)
{
	struct parted *p = &w->out->parted;
	*p = (struct parted){ .number = w->out->runs, .order = *order, .among = *order };
	parted_locate(p, w->setup->like);
	p->order.schedule = p->among.schedule = NULL;
}

/* What the first run took says how long one of its events takes. */
static void measure(struct work *w, const struct run_done *run)
{
	double seconds = run->seconds > 1e-9 ? run->seconds : 1e-9, unit = w->setup->keep_seconds / seconds * (double)run->result.steps;
	w->keep_unit = w->setup->keep_seconds < 0 ? 0 : unit < 1 ? 1 : unit < 1e15 ? (uint64_t)unit : 0;
}

static struct run_order order_of(const struct candidate *c, const struct schedule *best, const struct work *w, size_t tag)
{
	return (struct run_order){ .schedule = &c->schedule, .policy = STEER_FIRST, .keep = prefix_keep(&c->schedule, best, w->keep_unit), .tag = tag };
}

static void judge(struct work *w, struct candidate *c, struct run_done *run)
{
	w->stopped = w->stopped || run->result.interrupted;
	if (w->out->runs == 1)
		measure(w, run);
	c->good = fails_so(w->setup, run);
	if (!c->good)
		return;
	c->cost = minimize_cost(&run->result);
	script_of(&c->log, &run->result.log);
}

static int run_all(struct work *w, struct candidate *list, size_t count)
{
	int result = 0, got = 1;
	struct schedule best;
	script_print(&w->best, w->from, &best);
	for (size_t next = 0; got != 0;) {
		struct run_done done;
		for (; next < count && runs_room(w->setup->runs); next++) {
			struct run_order order = order_of(&list[next], &best, w, next);
			if (!list[next].empty)
				runs_give(w->setup->runs, &order);
		}
		got = runs_take(w->setup->runs, &done, w->why);
		w->out->runs += got != 0;
		if (got < 0)
			result = -1;
		if (got <= 0)
			continue;
		check(done.tag < count);
		judge(w, &list[done.tag], &done);
		if (done.differs) {
			struct run_order order = order_of(&list[done.tag], &best, w, done.tag);
			locate(w, &order);
		}
		run_done_release(&done);
	}
	schedule_release(&best);
	w->stopped = w->stopped || w->out->runs >= w->setup->most || (w->setup->go_on && !w->setup->go_on(w->setup->with));
	return result;
}

static void exchange(struct script *a, struct script *b)
{
	struct script kept = *a;
	*a = *b;
	*b = kept;
}

/* Runs the candidates; the first that is better is the best from now on, and its number is returned.  count: none is.  -1. */
static long try_all(struct work *w, struct candidate *list, size_t count)
{
	long found = (long)count;
	for (size_t i = 0; i < count; i++)
		script_print(&list[i].script, w->from, &list[i].schedule);
	int result = run_all(w, list, count);
	for (size_t i = 0; i < count; i++) {
		if (result == 0 && found == (long)count && list[i].good && is_better(w, &list[i].cost, &list[i].script)) {
			exchange(&w->best, &list[i].script);
			exchange(&w->log, &list[i].log);
			w->cost = list[i].cost;
			found = (long)i;
		}
		script_release(&list[i].script);
		script_release(&list[i].log);
		schedule_release(&list[i].schedule);
	}
	memset(list, 0, count * sizeof *list);
	return result < 0 ? -1 : found;
}

static size_t batch(const struct work *w)
{
	unsigned room = runs_room(w->setup->runs);
	return room < 1 ? 1 : room < BATCH_MOST ? room : BATCH_MOST;
}

/* ---------------------------------------------------------------- what is tried */

/* The k-th way to make the best script smaller, of one kind.  NOTHING: this one changes nothing, others may. */
enum way_found { NO_MORE, NOTHING, FOUND };
typedef enum way_found way(const struct work *w, size_t k, size_t size, struct script *out);

static enum way_found without_turns(const struct work *w, size_t k, size_t size, struct script *out)
{
	size_t count = w->best.turns.count;
	if (k * size >= count)
		return NO_MORE;
	bool *kept = mem_take(count);
	for (size_t i = 0; i < count; i++)
		kept[i] = i < k * size || i >= (k + 1) * size;
	script_part(out, &w->best, kept, NULL);
	mem_free(kept);
	return FOUND;
}

static enum way_found without_answers(const struct work *w, size_t k, size_t size, struct script *out)
{
	size_t count = w->best.answers.count;
	if (k * size >= count)
		return NO_MORE;
	bool *kept = mem_take(count);
	for (size_t i = 0; i < count; i++)
		kept[i] = i < k * size || i >= (k + 1) * size;
	script_part(out, &w->best, NULL, kept);
	mem_free(kept);
	return FOUND;
}

/* The first turns only, twice as many each time. */
static enum way_found beginning(const struct work *w, size_t k, size_t size, struct script *out)
{
	size_t count = w->best.turns.count, most = k == 0 ? 0 : k < 63 ? (size_t)1 << (k - 1) : SIZE_MAX;
	(void)size;
	if (most >= count)
		return NO_MORE;
	for (size_t i = 0; i < most; i++) {
		size_t first = out->answers.count;
		add_answers(out, &w->best, &w->best.turns.at[i], NULL);
		add_turn(out, w->best.turns.at[i].thread, w->best.turns.at[i].nth, first);
	}
	return FOUND;
}

static enum way_found brought_forward(const struct work *w, size_t k, size_t size, struct script *out)
{
	(void)size;
	if (k >= w->best.turns.count)
		return NO_MORE;
	return script_forward(out, &w->best, k) ? FOUND : NOTHING;
}

static enum way_found lengthened(const struct work *w, size_t k, size_t size, struct script *out)
{
	(void)size;
	if (k >= w->best.turns.count)
		return NO_MORE;
	if (w->best.turns.at[k].nth == UNTIL_IT_WAITS)
		return NOTHING;
	script_part(out, &w->best, NULL, NULL);
	if (out->turns.count != w->best.turns.count)
		return NOTHING;
	out->turns.at[k].nth = UNTIL_IT_WAITS;
	return FOUND;
}

static uint32_t in_place_of(uint32_t thread, uint32_t a, uint32_t b)
{
	return thread == a ? b : thread == b ? a : thread;
}

/* The threads of a pair have changed places, and one turn is left out, or none: alone the exchange seldom costs less.  T_0 has nobody
 * to change with. */
static enum way_found exchanged(const struct work *w, size_t k, size_t size, struct script *out)
{
	size_t threads = w->from->threads.count < EXCHANGED_MOST ? w->from->threads.count : EXCHANGED_MOST, turns = w->best.turns.count;
	size_t left_out = k % (turns + 1), pair = k / (turns + 1);
	uint32_t a = (uint32_t)(pair / threads), b = (uint32_t)(pair % threads);
	(void)size;
	if (a >= threads || turns > EXCHANGED_TURNS)
		return NO_MORE;
	if (a == 0 || b <= a)
		return NOTHING;
	bool kept[EXCHANGED_TURNS + 1];
	for (size_t i = 0; i <= turns; i++)
		kept[i] = i != left_out;
	script_part(out, &w->best, kept, NULL);
	for (size_t i = 0; i < out->turns.count; i++)
		out->turns.at[i].thread = in_place_of(out->turns.at[i].thread, a, b);
	for (size_t i = 0; i < out->answers.count; i++)
		out->answers.at[i].thread = in_place_of(out->answers.at[i].thread, a, b);
	return FOUND;
}

/* All ways of one kind.  1 something was better, 0, -1. */
static int pass(struct work *w, way *how, size_t size)
{
	struct candidate list[BATCH_MOST] = { 0 };
	int better = 0;
	for (size_t k = 0, count; !w->stopped; k += count) {
		size_t most = batch(w);
		enum way_found found_way;
		for (count = 0; count < most && (found_way = how(w, k + count, size, &list[count].script)) != NO_MORE; count++)
			list[count].empty = found_way == NOTHING;
		if (count == 0)
			break;
		long found = try_all(w, list, count);
		if (found < 0)
			return -1;
		better |= found < (long)count;
		if (found < (long)count)
			count = (size_t)found;          /* what was the next way is at this number now */
	}
	return better;
}

static int passes(struct work *w, bool lighter)
{
	w->lighter = lighter;
	int better = pass(w, beginning, 0);
	for (size_t size = w->best.turns.count / 2; better >= 0 && size >= 2; size /= 2)
		if (pass(w, without_turns, size) < 0)
			better = -1;
	for (better = better < 0 ? -1 : 1; better > 0 && !w->stopped;) {
		int a = pass(w, without_turns, 1);
		int b = a < 0 ? -1 : pass(w, brought_forward, 1);
		int c = b < 0 ? -1 : pass(w, without_answers, 1);
		int d = c < 0 ? -1 : pass(w, lengthened, 1);
		int e = d < 0 ? -1 : pass(w, exchanged, 1);
		better = e < 0 ? -1 : a | b | c | d | e;
	}
	return better;
}

/* What a light script leaves to `first` cannot be left out of it: so when nothing is better any more, all turns of the best run are its
 * script again, as long as that helps. */
static int again_and_again(struct work *w)
{
	for (uint64_t before = UINT64_MAX; w->cost.switches < before && !w->stopped;) {
		before = w->cost.switches;
		if (passes(w, false) < 0 || passes(w, true) < 0)
			return -1;
		script_release(&w->best);
		script_part(&w->best, &w->log, NULL, NULL);
	}
	return 0;
}

/* The whole schedule once: does it fail so, followed loosely? */
static int start(struct work *w)
{
	struct candidate first = { 0 };
	script_of(&w->best, w->from);
	script_part(&first.script, &w->best, NULL, NULL);
	w->cost = (struct minimize_cost){ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	long found = try_all(w, &first, 1);
	return found < 0 ? -1 : (int)found;
}

int minimize(const struct minimize_setup *setup, const struct schedule *from, struct minimize_result *out, struct err *why)
{
	struct work w = { .setup = setup, .from = from, .out = out, .why = why };
	memset(out, 0, sizeof *out);
	int result = start(&w);
	out->before = w.cost;
	if (result == 0 && again_and_again(&w) < 0)
		result = -1;
	out->after = w.cost;
	out->complete = !w.stopped;
	script_print(&w.best, from, &out->script);
	script_release(&w.best);
	script_release(&w.log);
	return result;
}

void minimize_result_release(struct minimize_result *r)
{
	schedule_release(&r->script);
}
