/* analyses/predict/claim.c -- see claim.h. */
#include "analyses/predict/claim.h"

#include "analyses/predict/closed.h"
#include "model/library.h"
#include "trace/objects.h"

#define SITES_MOST 20000u               /* of the program: with more nothing is asked */

static const char *const unseen_code = "the code of the program is not known, so nobody can say what it would do in another order";
static const char *const too_large = "the program is too large to ask of each instruction whether other orders come to it";

static void not_claimed(struct work *w, const char *before, const struct place *at, const char *after)
{
	char text[700], where[300];
	snprintf(text, sizeof text, "%s%s%s", before, at ? place_short(at, where, sizeof where) : "", after);
	w->out->unclaimed = findings_text(&w->out->found, text);
}

/* ---------------------------------------------------------------- the recording */

/* Which threads touched 8 bytes: 1 + the one that did, or SEVERAL. */
#define SEVERAL UINT64_MAX
struct sharing { struct map by; bool others; };

static bool reads_atomically(const struct event *ev)
{
	return ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS;
}

static void note_sharing(struct sharing *s, const struct event *ev)
{
	if (ev->kind < EV_ALOAD || ev->kind > EV_CAS)
		return;
	bool fresh;
	uint64_t *by = map_put(&s->by, ev->object & ~7ull, &fresh);
	*by = fresh || *by == ev->thread.i + 1ull ? ev->thread.i + 1ull : SEVERAL;
}

/* Does it tell its thread what others, or the outside, have done? */
static bool tells_more(const struct event *ev)
{
	switch (ev->kind) {
	case EV_INPUT: case EV_OUTCALL: case EV_SIGENTER: case EV_SIGSEND: case EV_PROCESS: case EV_SHUT: case EV_OPENED: case EV_FWAIT: case EV_FWAKE: case EV_CHOICE:
	case EV_RELEASE: case EV_ACQUIRE: case EV_IGNORE: case EV_LANDED: case EV_LOST: case EV_INJECT:
		return true;
	default:
		return false;
	}
}

static bool look_at_event(struct work *w, struct sharing *s, const struct event *ev, bool again)
{
	const uint64_t *by = again && reads_atomically(ev) ? map_get(&s->by, ev->object & ~7ull) : NULL;
	s->others |= ev->kind == EV_FORK;
	if (!again)
		note_sharing(s, ev);
	else if (s->others && tells_more(ev))
		not_claimed(w, "what comes from outside at ", ev->place, ", or in which order, may be otherwise in another order, and other events may come of it");
	else if (by && *by == SEVERAL)
		not_claimed(w, "the atomic read at ", ev->place, " may read from another write in another order, and order other events");
	return !w->out->unclaimed;
}

static int look_at_events(struct work *w, const struct recording *r, struct err *why)
{
	struct sharing s = { 0 };
	int got = 0;
	for (int pass = 0; pass < 2 && got == 0 && !w->out->unclaimed; pass++) {
		struct merged *events;
		const struct event *ev;
		s.others = false;
		got = merged_open(&events, r->trace, why) < 0 ? -1 : 1;
		while (got > 0 && (got = merged_next_in_place(events, &ev, why)) > 0 && look_at_event(w, &s, ev, pass))
			;
		merged_close(events);
		got = got < 0 ? -1 : 0;
	}
	map_release(&s.by);
	return got;
}

/* ---------------------------------------------------------------- the program */

static const struct place *place_of(const struct values *v, uint32_t site)
{
	for (size_t i = 0; i < v->by_place.room; i++)
		if (v->by_place.cells[i].used && v->by_place.cells[i].value == site + 1ull)
			return (const struct place *)(uintptr_t)v->by_place.cells[i].key;
	return NULL;
}

static bool is_event(const struct code *c, const struct value *v)
{
	if (v->function == NONE || !(c->functions.at[v->function].flags & FUNCTION_DEFINED))
		return false;
	return v->op == OP_LOAD || v->op == OP_STORE || v->op == OP_RMW || v->op == OP_CAS || v->op == OP_CALL || v->op == OP_ASM;
}

/* Who prints numbers touches the same memory, whatever they are. */
static bool only_prints(const struct code *c, const struct value *callee)
{
	struct effects e;
	bool all = library_effects(code_text(c, c->functions.at[callee->number].name), &e);
	for (uint32_t i = 0; all && i < e.count; i++)
		all = e.at[i].count == 1 && e.at[i].args[0] < 0;
	return all;
}

/* Does an instruction depend on what is read in another order?  The first such answer. */
static struct answer answer_for(struct values *v, uint32_t site)
{
	const struct code *c = model_code(v->model);
	const struct value *at = &c->values.at[site];
	const uint32_t *operands = code_operands(c, at);
	const struct value *callee = at->op == OP_CALL && at->operand_count && c->values.at[operands[0]].op == OP_FUNCTION ? &c->values.at[operands[0]] : NULL;
	bool inside = callee && c->functions.at[callee->number].flags & FUNCTION_DEFINED, prints = callee && !inside && only_prints(c, callee);
	struct answer on = steady_answer(&v->steady, site, inside || prints ? PART_REACH : PART_REACH | PART_ADDRESS);
	for (uint32_t i = 1; prints && i < at->operand_count && !on.everything && !on.count; i++)
		if (!c->values.at[operands[i]].width)
			on = depend_on(v->steady.depend, operands[i], PART_VALUE);
	return on;
}

static bool look_at_site(struct work *w, struct values *v, uint32_t site)
{
	struct answer on = answer_for(v, site);
	const struct code *c = model_code(v->model);
	const char *name = code_text(c, c->functions.at[c->values.at[site].function].name);
	char after[300];
	if (!on.everything && !on.count)
		return true;
	const struct place *at = on.everything ? NULL : place_of(v, on.reads[0]);
	snprintf(after, sizeof after, on.everything ? "what '%.100s' does may depend on code that cannot be seen through" :
		at ? " decides what '%.100s' does, and may be something else in an order that was not tried" : "what '%.100s' does depends on what it reads", name);
	not_claimed(w, at ? "what is read at " : "", at, after);
	return false;
}

static void look_at_program(struct work *w, struct values *v)
{
	const struct code *c = model_code(v->model);
	uint32_t asked = 0;
	for (uint32_t i = 0; i < c->values.count && !w->out->unclaimed; i++) {
		if (!is_event(c, &c->values.at[i]))
			continue;
		if (asked++ == SITES_MOST)
			w->out->unclaimed = too_large;
		else
			look_at_site(w, v, i);
	}
}

int claim_ask(struct work *w, const struct recording *r, struct err *why)
{
	w->claim_asked = true;
	if (r->closes_nothing) {
		w->out->unclaimed = "threads had not come to their ends, or a time, a signal handler or what goes through a pipe decides what comes: other orders may have other events";
		return 0;
	}
	if (look_at_events(w, r, why) < 0)
		return -1;
	if (w->out->unclaimed)
		return 0;
	closed_open_model(w);
	int got = values_open(&w->values, r, why);
	if (got == 0 && w->values.model)
		look_at_program(w, &w->values);
	else if (got >= 0)
		w->out->unclaimed = unseen_code;
	return got < 0 ? -1 : 0;
}
