/* tests/model/witness.c -- dependences seen in runs, held against the model's answers.
 *   witness <program> <trace> <trace>...        traces of runs of the same program with the same arguments: steered by several schedules
 *                                               (model.sh), or with one bit of one read flipped (altered.sh)
 *
 * Two runs of one thread: as long as every event is the same but for values read, nothing else of the thread can differ.  The first event
 * that does differ, in where control is, what it touches or what it writes, therefore depends on one of the reads that returned something
 * else: one of them must be in the model's answer for it.  No claim is made once something else came from outside the
 * thread: the result of a call, an address from the heap.
 * Also: every site of the tables is an instruction of the right kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/known.h"
#include "model/model.h"
#include "trace/reader.h"

struct tally { uint64_t claims, missing, unexplained, everything, by_reach, sites; };

struct test {
	struct model *model, *built;            /* lifted, which is asked; instruction by instruction */
	struct known known;
	struct depend *depend;
	struct tally tally;
};

static uint32_t site_of(struct test *t, const struct event *ev)
{
	if (!event_is_access(ev) || ev->place->ordinal == UINT32_MAX || !*ev->place->linkage)
		return NONE;
	return model_site(t->model, ev->place->unit, ev->place->linkage, ev->place->ordinal);
}

/* ---- sites ---- */

/* gone: lifted, what is a local's, or is never come to, is not there. */
static void check_sites(struct test *t, const struct known *known, struct model *model, bool gone)
{
	const struct code *c = model_code(model);
	for (size_t i = 0; i < known->sites.count; i++) {
		const struct known_site *s = &known->sites.at[i];
		t->tally.sites += !gone;
		if (known_by_value(s) || known_fits(s, c) || (gone && s->value == NONE))
			continue;
		t->tally.missing++;
		printf("site %s#%u (%s) is %s in the model\n", s->linkage, s->ordinal, known_word(s->kind),
			s->value == NONE ? "nothing" : op_word(c->values.at[s->value].op));
	}
}

/* Through whatever pointer: of locals alone. */
static bool is_of_a_local(struct model *m, uint32_t site)
{
	const struct pointers *p = model_pointers(m);
	const struct value *v = &model_code(m)->values.at[site];
	uint32_t pointer = v->op == OP_LOAD || v->op == OP_STORE ? code_operands(model_code(m), v)[0] : 0, count = pointer ? points_count(p->points, pointer) : 0;
	for (uint32_t i = 0; i < count; i++)
		if (p->things.at[points_at(p->points, pointer, i).object].kind != THING_STACK)
			return false;
	return count > 0;
}

/* What happened is in both models. */
static void check_events(struct test *t, struct trace *trace)
{
	struct merged *m;
	const struct event *ev;
	struct err why;
	if (merged_open(&m, trace, &why) < 0)
		return;
	while (merged_next_in_place(m, &ev, &why) > 0) {
		bool placed = event_is_access(ev) && ev->place->ordinal != UINT32_MAX && *ev->place->linkage;
		uint32_t built = placed ? model_site(t->built, ev->place->unit, ev->place->linkage, ev->place->ordinal) : NONE;
		if (built == NONE || is_of_a_local(t->built, built) || site_of(t, ev) != NONE)
			continue;
		t->tally.missing++;
		printf("site %s#%u happened, and is left out of the model\n", ev->place->linkage, ev->place->ordinal);
	}
	merged_close(m);
}

/* ---- dependence ---- */

struct pair { struct event a, b; uint32_t sa, sb; VEC(uint32_t) differed; };

static bool counts(const struct event *ev)
{
	switch (ev->kind) {
	case EV_BLOCK: case EV_KEYFRAME: case EV_TIME: case EV_STACK: case EV_TLS: case EV_YIELD: case EV_RESULT: case EV_ARGUMENT:
	case EV_INJECT: case EV_BRANCH: case EV_CALL: case EV_ENTER: case EV_LEAVE:     /* where control is shows at the next access */
		return false;
	default:
		return true;
	}
}

static int next(struct lane *l, struct event *ev)
{
	struct err why;
	int got;
	while ((got = lane_next(l, ev, &why)) > 0 && !counts(ev))
		;
	return got;
}

static bool any_in(const struct pair *p, struct answer a, bool *everything)
{
	*everything |= a.everything;
	for (size_t i = 0; i < p->differed.count; i++)
		if (answer_has(&a, p->differed.at[i]))
			return true;
	return false;
}

static void claim(struct test *t, const struct pair *p, unsigned parts)
{
	bool everything = false;
	if (!p->differed.count) {
		t->tally.unexplained++;
		return;
	}
	t->tally.claims++;
	parts |= PART_DIRECT;                           /* all reads in between returned the same */
	bool found = any_in(p, depend_on(t->depend, p->sa, parts), &everything);
	if (!found && !(parts & PART_REACH)) {          /* the same site, reached another way */
		parts |= PART_REACH;
		found = any_in(p, depend_on(t->depend, p->sa, parts), &everything);
		t->tally.by_reach += found;
	}
	if (!found && p->sb != p->sa)
		found = any_in(p, depend_on(t->depend, p->sb, parts), &everything);
	t->tally.everything += found && everything;
	if (found)
		return;
	t->tally.missing++;
	printf("%s:%u (%s#%u) or %s:%u (%s#%u) depends on one of %zu reads, and the model does not say so\n", p->a.place->file, p->a.place->line,
		p->a.place->linkage, p->a.place->ordinal, p->b.place->file, p->b.place->line, p->b.place->linkage, p->b.place->ordinal,
		p->differed.count);
}

static bool reads(const struct event *ev)
{
	return ev->kind == EV_READ || ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS;
}

/* Both are at the same site and touch the same bytes: what was read, what was written. */
static void compare_values(struct test *t, struct pair *p)
{
	const struct event *a = &p->a, *b = &p->b;
	bool same = a->arg == b->arg && a->arg_high == b->arg_high && a->has_value == b->has_value;
	if (reads(a)) {
		if (!same)
			vec_push(&p->differed, p->sa);
		if ((a->kind == EV_RMW || a->kind == EV_CAS) && (a->written != b->written || a->written_high != b->written_high) && a->failed == b->failed)
			claim(t, p, PART_VALUE);
	} else if (!same && (a->kind == EV_WRITE || a->kind == EV_ASTORE)) {
		claim(t, p, PART_VALUE);
	}
}

/* 1 go on, 0 nothing more can be said of this thread. */
static int compare_events(struct test *t, struct pair *p)
{
	const struct event *a = &p->a, *b = &p->b;
	p->sa = site_of(t, a);
	p->sb = site_of(t, b);
	if (p->sa == NONE || p->sb == NONE)
		return p->sa == p->sb && a->kind == b->kind && a->object == b->object && a->arg == b->arg && a->result == b->result &&
			a->place->line == b->place->line && a->byte_count == b->byte_count &&
			(!a->bytes || !memcmp(a->bytes, b->bytes, a->byte_count));
	if (a->kind == EV_CAS && b->kind == EV_CAS && a->failed != b->failed && a->arg == b->arg)
		return 0;                               /* failed for no reason of its own */
	if (p->sa != p->sb || a->kind != b->kind || a->object != b->object || a->size != b->size) {
		claim(t, p, p->sa != p->sb ? PART_REACH : PART_REACH | PART_ADDRESS);
		return 0;
	}
	compare_values(t, p);
	return 1;
}

static void compare_threads(struct test *t, struct trace *a, struct trace *b, uint32_t ia, uint32_t ib)
{
	struct lane *la, *lb;
	struct err why;
	struct pair p = { 0 };
	if (lane_open(&la, a, (struct thread_id){ ia }, &why))
		return;
	if (!lane_open(&lb, b, (struct thread_id){ ib }, &why)) {
		while (next(la, &p.a) > 0 && next(lb, &p.b) > 0 && !p.a.nest && !p.b.nest && compare_events(t, &p))
			;
		lane_close(lb);
	}
	lane_close(la);
	vec_release(&p.differed);
}

static void compare_traces(struct test *t, struct trace *a, struct trace *b)
{
	for (uint32_t i = 0; i < trace_thread_count(a); i++)
		for (uint32_t k = 0; k < trace_thread_count(b); k++)
			if (!strcmp(trace_thread(a, (struct thread_id){ i })->path, trace_thread(b, (struct thread_id){ k })->path))
				compare_threads(t, a, b, i, k);
}

int main(int count, char **argv)
{
	struct test t = { 0 };
	struct err why = { 0 };
	struct trace *traces[256];
	const char *const path = count > 1 ? argv[1] : "";
	int got = 0;
	struct known built;
	if (count < 2 || model_open(&t.model, &path, 1, MODEL_LIFTED, &why) || known_open(&t.known, t.model, &path, 1, &why) ||
		model_open(&t.built, &path, 1, MODEL_AS_BUILT, &why) || known_open(&built, t.built, &path, 1, &why)) {
		printf("witness: %s\n", why.text);
		return 3;
	}
	uint8_t *recorded = known_recorded(&t.known, t.model);
	t.depend = model_depend(t.model, recorded);
	check_sites(&t, &built, t.built, false);
	check_sites(&t, &t.known, t.model, true);
	for (int i = 2; i < count && got < 256; i++)
		if (!trace_open(&traces[got], argv[i], &(struct trace_options){ .salvage = true }, &why))
			got++;
	for (int i = 0; i < got; i++)
		check_events(&t, traces[i]);
	for (int i = 0; i < got; i++)
		for (int k = 0; k < i; k++)
			compare_traces(&t, traces[k], traces[i]);
	for (int i = 0; i < got; i++)
		trace_close(traces[i]);
	printf("%llu dependences (%llu answered by everything), %llu for how they were reached, %llu sites, %llu unexplained, %llu missing\n",
		(unsigned long long)t.tally.claims, (unsigned long long)t.tally.everything, (unsigned long long)t.tally.by_reach,
		(unsigned long long)t.tally.sites, (unsigned long long)t.tally.unexplained, (unsigned long long)t.tally.missing);
	depend_free(t.depend);
	mem_free(recorded);
	known_close(&t.known);
	model_close(t.model);
	known_close(&built);
	model_close(t.built);
	return t.tally.missing ? 1 : 0;
}
