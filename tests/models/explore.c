/* tests/models/explore.c -- the outcomes of a litmus test by steered runs: every choice the runtime says it had is tried, of a thread's turn
 * and of a store that could reach memory, but for orders that differ only in steps that do not touch the same bytes (sleep sets).
 *
 * A run follows a script and goes on by itself; the ways it could have gone are noted step by step.  From each step behind the script every
 * other way is tried later, its sleep set those tried before it from there that are independent of it.  A turn that commutes with whatever
 * the others can do before it (is_lone) needs no other way beside it: a script takes all of them as soon as they come. */
#include "tests/models/explore.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/vec.h"
#include "drive/runs.h"

#define MOST_EVENTS 4096u
#define TEXT_BYTES  4096u
#define FIRST_EVENTS 2u         /* of the first thread before it creates: its begin, and a fence */

struct turn { uint32_t strand, part; uint64_t nth; bool flush; };
typedef VEC(struct turn) turns;
struct node { turns script, asleep; size_t sure; };         /* sure: turns of the script that are given, the rest is where it goes on */

struct work {
	const struct shape *s;
	bool sc;
	VEC(struct node) todo;
	struct runs *runs;
	struct explored *out;
};

/* ---- which steps depend on each other ---- */

struct effect { unsigned reads, writes; bool drains; };         /* sets of bytes */
struct state { const struct shape *s; bool sc; uint64_t flushed[SHAPE_THREADS + 1]; };          /* flushed: bit n, the store of event n */

static unsigned bytes_of(const struct op *o)
{
	return ((1u << o->size) - 1) << o->at;
}

static struct effect effect_of(const struct state *x, const struct turn *t)
{
	const struct shape *s = x->s;
	struct effect e = { 0 };
	unsigned first = 0, count = 0;
	if (t->strand == 0)
		return e;                       /* finding out what to do, creating, and joining what has ended */
	while (s->op[first].thread != t->strand - 1)
		first++;
	while (first + count < s->count && s->op[first + count].thread == t->strand - 1)
		count++;
	if (t->nth < 2)
		return e;                       /* begin */
	unsigned at = (unsigned)t->nth - 2;
	const struct op *o = at < count ? &s->op[first + at] : NULL;
	if (t->flush)
		return (struct effect){ .writes = bytes_of(o) };
	if (o && op_reads(o))
		e.reads = bytes_of(o);
	if (o && op_writes(o) && (x->sc || o->kind == 'X' || o->kind == 'S'))
		e.writes = bytes_of(o);
	e.drains = !x->sc && (!o || o->kind == 'F' || o->kind == 'X' || o->kind == 'S');
	for (unsigned i = 0; e.drains && i < count && i < at; i++)
		if (op_writes(&s->op[first + i]) && !(x->flushed[t->strand] >> (i + 2) & 1))
			e.writes |= bytes_of(&s->op[first + i]);
	return e;
}

static unsigned ops_of(const struct shape *s, uint32_t strand)
{
	unsigned ops = 0;
	for (unsigned i = 0; i < s->count; i++)
		ops += s->op[i].thread == strand - 1;
	return ops;
}

static bool is_end(const struct shape *s, const struct turn *t)
{
	return t->nth == ops_of(s, t->strand) + 2;
}

static bool independent(const struct state *s, const struct turn *a, const struct turn *b)
{
	struct effect x = effect_of(s, a), y = effect_of(s, b);
	if (a->strand == b->strand)
		return (a->flush || b->flush) && !x.drains && !y.drains;
	return !(x.writes & (y.reads | y.writes)) && !(y.writes & x.reads);
}

/* A turn that is independent of all that can come before it: the first thread's, that only creates and joins, begins, stores that wait,
 * and what empties a buffer that is empty. */
static bool is_lone(const struct state *x, const struct turn *t)
{
	struct effect e = effect_of(x, t);
	return !e.reads && !e.writes;
}

/* ---- nodes ---- */

static bool same(const struct turn *a, const struct turn *b)
{
	return a->strand == b->strand && a->nth == b->nth && a->flush == b->flush && a->part == b->part;
}

static bool has(const turns *list, const struct turn *t)
{
	for (size_t i = 0; i < list->count; i++)
		if (same(&list->at[i], t))
			return true;
	return false;
}

static void node_release(struct node *n)
{
	vec_release(&n->script);
	vec_release(&n->asleep);
}

static void to_schedule(const struct shape *s, const struct node *n, struct schedule *out)
{
	char path[32];
	schedule_init(out);
	for (unsigned t = 0; t < s->threads; t++) {
		snprintf(path, sizeof path, "T_0_%u", t);
		schedule_thread_add(out, path, "");
	}
	for (size_t i = 0; i < n->script.count; i++) {
		const struct turn *t = &n->script.at[i], *next = i + 1 < n->script.count ? t + 1 : NULL;
		if (t->flush || !next || next->flush || next->strand != t->strand)
			schedule_step_add(out, t->flush ? STEP_FLUSH : STEP_RUN, t->strand, t->nth)->answer = t->part;
	}
}

static void keep_independent(const struct state *s, turns *asleep, const struct turn *taken)
{
	size_t kept = 0;
	for (size_t i = 0; i < asleep->count; i++)
		if (independent(s, &asleep->at[i], taken))
			asleep->at[kept++] = asleep->at[i];
	asleep->count = kept;
}

static void note_taken(struct state *x, const struct turn *t)
{
	if (t->flush && t->nth < 64)
		x->flushed[t->strand] |= 1ull << t->nth;
	else if (effect_of(x, t).drains)
		x->flushed[t->strand] |= (2ull << t->nth) - 1;
}

/* Turns of a script yet to be made, and what is known then. */
struct ahead { struct state x; uint64_t done[SHAPE_THREADS + 1]; turns asleep; };

static void take(struct node *n, struct ahead *a, struct turn t)
{
	vec_push(&n->script, t);
	keep_independent(&a->x, &a->asleep, &t);
	note_taken(&a->x, &t);
	if (!t.flush)
		a->done[t.strand] = t.nth;
}

static void take_lone(struct node *n, struct ahead *a)
{
	for (uint32_t t = 1; t <= a->x.s->threads; t++)
		for (;;) {
			struct turn next = { .strand = t, .nth = a->done[t] + 1 };
			if (next.nth > ops_of(a->x.s, t) + 1 || !is_lone(&a->x, &next))
				break;
			take(n, a, next);
		}
}

/* The next operation of a thread, or the oldest store that waits, whichever does not sleep; false: all do. */
static bool awake(const struct ahead *a, struct turn *out)
{
	const struct shape *s = a->x.s;
	for (uint32_t t = 1; t <= s->threads; t++) {
		*out = (struct turn){ .strand = t, .nth = a->done[t] + 1 };
		if (out->nth <= ops_of(s, t) + 1 && !has(&a->asleep, out))
			return true;
	}
	for (uint32_t t = 1, first = 0; !a->x.sc && t <= s->threads; first += ops_of(s, t++)) {
		uint64_t nth = 2;
		while (nth <= a->done[t] && (!op_writes(&s->op[first + nth - 2]) || a->x.flushed[t] >> nth & 1))
			nth++;
		*out = (struct turn){ .strand = t, .nth = nth, .flush = true };
		if (nth <= a->done[t] && !has(&a->asleep, out))
			return true;
	}
	return false;
}

/* The script goes on with every lone turn, which is beyond question, then to the end with what does not sleep. */
static void go_on(struct work *w, struct node *n)
{
	struct ahead a = { .x = { .s = w->s, .sc = w->sc } };
	struct turn next;
	for (size_t i = 0; i < n->script.count; i++) {
		note_taken(&a.x, &n->script.at[i]);
		if (!n->script.at[i].flush)
			a.done[n->script.at[i].strand] = n->script.at[i].nth;
	}
	while (a.done[0] < FIRST_EVENTS + w->s->threads)
		take(n, &a, (struct turn){ .nth = a.done[0] + 1 });
	a.asleep = n->asleep;
	take_lone(n, &a);
	n->sure = n->script.count;
	n->asleep = a.asleep;
	a.asleep = (turns){ 0 };
	for (size_t i = 0; i < n->asleep.count; i++)
		vec_push(&a.asleep, n->asleep.at[i]);
	while (awake(&a, &next)) {
		take(n, &a, next);
		take_lone(n, &a);
	}
	vec_release(&a.asleep);
}

/* All turns of a run, from its log. */
static void taken(const struct steer_result *r, turns *out)
{
	uint64_t *done = mem_take((r->threads.count + 1) * sizeof *done);
	for (size_t k = 0; k < r->log.steps.count; k++) {
		const struct schedule_step *x = &r->log.steps.at[k];
		if (x->what == STEP_FLUSH)
			vec_push(out, ((struct turn){ .strand = x->thread, .nth = x->nth, .part = x->answer, .flush = true }));
		for (uint64_t n = done[x->thread] + 1; x->what == STEP_RUN && n <= x->nth; n++)
			vec_push(out, ((struct turn){ .strand = x->thread, .nth = n }));
		if (x->what == STEP_RUN)
			done[x->thread] = x->nth;
	}
	mem_free(done);
}

/* What could have come as the i-th turn. */
static void possible(const struct steer_result *r, const turns *all, size_t i, turns *out)
{
	uint64_t done[SHAPE_THREADS + 1] = { 0 };
	for (size_t k = 0; k < i; k++)
		if (!all->at[k].flush)
			done[all->at[k].strand] = all->at[k].nth;
	for (uint32_t t = 0; t < r->threads.count && t <= SHAPE_THREADS; t++)
		if (r->ways.at[i].go >> t & 1)
			vec_push(out, ((struct turn){ .strand = t, .nth = done[t] + 1 }));
	for (size_t k = 0; k < r->flushes.count; k++)
		if (r->flushes.at[k].step == i)
			vec_push(out, ((struct turn){ .strand = r->flushes.at[k].strand, .nth = r->flushes.at[k].nth,
				.part = r->flushes.at[k].part, .flush = true }));
}

/* A thread ends with stores in its buffer: what then reaches memory at once is tried store by store too. */
static bool is_same_as_flushes(const struct state *x, const struct turn *t)
{
	return t->nth >= 2 && t->strand && !t->flush && is_end(x->s, t) && effect_of(x, t).writes;
}

/* The other ways from the i-th turn on; false: the turn itself was asleep, nothing new lies behind it. */
static bool branch(struct work *w, const struct state *x, const struct steer_result *r, const turns *all, size_t i, turns *asleep)
{
	turns ways = { 0 }, tried = { 0 };
	bool slept = has(asleep, &all->at[i]) || is_same_as_flushes(x, &all->at[i]);
	possible(r, all, i, &ways);
	for (size_t k = 0; k < asleep->count; k++)
		vec_push(&tried, asleep->at[k]);
	vec_push(&tried, all->at[i]);
	for (size_t k = 0; k < ways.count; k++) {
		struct node n = { 0 };
		if (has(&tried, &ways.at[k]) || (!ways.at[k].flush && (!ways.at[k].strand || is_end(x->s, &ways.at[k]))))
			continue;
		for (size_t j = 0; j < i; j++)
			vec_push(&n.script, all->at[j]);
		vec_push(&n.script, ways.at[k]);
		for (size_t j = 0; j < tried.count; j++)
			vec_push(&n.asleep, tried.at[j]);
		keep_independent(x, &n.asleep, &ways.at[k]);
		vec_push(&w->todo, n);
		vec_push(&tried, ways.at[k]);
	}
	keep_independent(x, asleep, &all->at[i]);
	vec_release(&ways);
	vec_release(&tried);
	return !slept;
}

static void expand(struct work *w, const struct steer_result *r, struct node *n)
{
	turns all = { 0 };
	struct state x = { .s = w->s, .sc = w->sc };
	taken(r, &all);
	for (size_t i = 0; i < all.count && i < r->ways.count; i++) {
		const struct turn *t = &all.at[i];
		if (i >= n->sure && is_lone(&x, t))
			keep_independent(&x, &n->asleep, t);
		else if (i >= n->sure && !branch(w, &x, r, &all, i, &n->asleep))
			break;
		note_taken(&x, t);
	}
	vec_release(&all);
}

static bool visit(struct work *w, struct node *n)
{
	struct schedule schedule;
	struct run_done done;
	struct err why = { 0 };
	char line[64];
	go_on(w, n);
	to_schedule(w->s, n, &schedule);
	struct run_order order = { .schedule = &schedule, .ways = MOST_EVENTS };
	runs_give(w->runs, &order);
	bool good = runs_take(w->runs, &done, &why) == 1;
	w->out->runs++;
	if (!good) {
		snprintf(w->out->trouble, sizeof w->out->trouble, "%s", why.text);
	} else {
		size_t length = done.output.count ? done.output.count - 1 : 0;
		snprintf(line, sizeof line, "%.*s", (int)length, done.output.at);
		good = done.result.outcome == OUTCOME_EXIT && done.result.value == 0 && length;
		if (!good)
			steer_say(&done.result, w->out->trouble);
		outcomes_add(&w->out->outcomes, line);
		expand(w, &done.result, n);
		run_done_release(&done);
	}
	schedule_release(&schedule);
	return good;
}

/* ---- one program, many shapes ---- */

struct explorer { enum shape_model model; struct runs *runs; char file[32]; char *text; };

struct explorer *explorer_open(const char *program, enum shape_model model, char trouble[512])
{
	struct explorer *x = mem_take(sizeof *x);
	struct err why = { 0 };
	char *argv[] = { (char *)program, x->file, NULL };
	struct runs_setup setup = { .jobs = 1, .like = { .argv = argv, .model = model, .unchecked = true, .stays = true, .max_steps = MOST_EVENTS, .max_seconds = 20 } };
	x->model = model;
	strcpy(x->file, "/tmp/litmus-XXXXXX");
	int fd = mkstemp(x->file);
	x->text = fd >= 0 && ftruncate(fd, TEXT_BYTES) == 0 ? mmap(NULL, TEXT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (x->text != MAP_FAILED && (x->runs = runs_open(&setup, &why)))
		return x;
	snprintf(trouble, 512, "%s", *why.text ? why.text : "cannot make a file");
	explorer_close(x);
	return NULL;
}

void explorer_close(struct explorer *x)
{
	if (!x)
		return;
	runs_close(x->runs);
	if (x->text != MAP_FAILED)
		munmap(x->text, TEXT_BYTES);
	unlink(x->file);
	mem_free(x);
}

bool explore(struct explorer *x, const char *text, struct explored *out)
{
	struct shape s;
	struct work w = { .s = &s, .sc = x->model == SHAPE_SC, .runs = x->runs, .out = out };
	*out = (struct explored){ 0 };
	bool good = shape_parse(&s, text);
	if (!good)
		snprintf(out->trouble, sizeof out->trouble, "not a shape");
	else
		vec_push(&w.todo, ((struct node){ 0 }));
	snprintf(x->text, TEXT_BYTES, "%s", text);
	while (w.todo.count) {
		struct node n = w.todo.at[--w.todo.count];
		good = good && visit(&w, &n);
		node_release(&n);
	}
	vec_release(&w.todo);
	return good;
}
