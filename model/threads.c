/* model/threads.c -- see threads.h.  An object is shared when it can be named by two threads (it is reached from a variable, from what is
 * handed to a thread, or it escaped) and the functions that access it run in two of them. */
#include "model/threads.h"

#include <string.h>

#define ROOTS 64u                               /* from the 64th on they are counted as one, which runs many times */

struct threads {
	const struct pointers *p;
	uint32_t roots;
	uint64_t many;                          /* roots that may run twice at a time */
	uint64_t *runs_in;                      /* by function: roots that lead there */
	uint64_t *touched_by;                   /* by object: roots that access it */
	bool *named;                            /* by object: reached from what threads have in common */
	VEC(uint32_t) work;
};

/* ---- who runs where ---- */

static void lead(struct threads *t, uint32_t function, uint64_t roots)
{
	if ((t->runs_in[function] | roots) == t->runs_in[function])
		return;
	t->runs_in[function] |= roots;
	vec_push(&t->work, function);
}

static uint64_t new_root(struct threads *t, bool many)
{
	uint64_t bit = 1ull << (t->roots < ROOTS ? t->roots : ROOTS - 1);
	t->roots++;
	t->many |= many || t->roots >= ROOTS ? bit : 0;
	return bit;
}

static bool begins_thread(const struct link *link)
{
	return link->how == LINK_THREAD || link->how == LINK_SIGNAL;
}

static void find_roots(struct threads *t)
{
	const struct code *c = t->p->code;
	uint64_t start = new_root(t, false), outside = 0;
	for (uint32_t f = 0; f < c->functions.count; f++) {
		if (t->p->function_flags[f] & AT_START)
			lead(t, f, start);
		if (t->p->function_flags[f] & FROM_OUTSIDE && c->functions.at[f].flags & FUNCTION_DEFINED)
			lead(t, f, outside ? outside : (outside = new_root(t, true)));
	}
	for (size_t i = 0; i < t->p->links.count; i++) {
		const struct link *link = &t->p->links.at[i];
		if (begins_thread(link) && !(t->runs_in[link->function] & t->many))
			lead(t, link->function, new_root(t, true));
		if (link->how == LINK_EXIT)
			lead(t, link->function, start);
	}
}

static void follow_calls(struct threads *t)
{
	const struct code *c = t->p->code;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < t->p->links.count; i++) {
			const struct link *link = &t->p->links.at[i];
			uint32_t caller = c->values.at[link->call].function;
			if (begins_thread(link) || caller == NONE)
				continue;
			uint64_t before = t->runs_in[link->function];
			t->runs_in[link->function] |= t->runs_in[caller];
			changed |= t->runs_in[link->function] != before;
		}
	}
	vec_clear(&t->work);
}

/* ---- what threads have in common ---- */

static void name(struct threads *t, uint32_t object)
{
	if (!t->named[object]) {
		t->named[object] = true;
		vec_push(&t->work, object);
	}
}

static void name_place(void *with, struct points_place place)
{
	name(with, place.object);
}

static void find_named(struct threads *t)
{
	const struct points *p = t->p->points;
	const struct code *c = t->p->code;
	for (uint32_t o = 0; o < points_objects(p); o++) {
		struct thing thing = t->p->things.at[o];
		bool global = thing.kind == THING_GLOBAL && !(c->globals.at[thing.index].flags & GLOBAL_THREAD);
		if (global || points_has_escaped(p, o))
			name(t, o);
	}
	for (size_t i = 0; i < t->p->links.count; i++) {
		const struct value *call = &c->values.at[t->p->links.at[i].call];
		for (uint32_t k = 1; begins_thread(&t->p->links.at[i]) && k < call->operand_count; k++)
			for (uint32_t n = 0; n < points_count(p, code_operands(c, call)[k]); n++)
				name(t, points_at(p, code_operands(c, call)[k], n).object);
	}
	while (t->work.count)
		points_contents(p, t->work.at[--t->work.count], name_place, t);
}

static void find_touched(struct threads *t)
{
	const struct points *p = t->p->points;
	const struct code *c = t->p->code;
	for (uint32_t v = 0; v < c->values.count; v++) {
		const struct value *w = &c->values.at[v];
		bool access = w->op == OP_LOAD || w->op == OP_STORE || w->op == OP_RMW || w->op == OP_CAS;
		if (w->function == NONE || (!access && w->op != OP_CALL))
			continue;
		for (uint32_t k = access ? 0 : 1; k < (access ? 1 : w->operand_count); k++)
			for (uint32_t n = 0; n < points_count(p, code_operands(c, w)[k]); n++)
				t->touched_by[points_at(p, code_operands(c, w)[k], n).object] |= t->runs_in[w->function];
	}
}

struct threads *threads_new(const struct pointers *p)
{
	struct threads *t = mem_take(sizeof *t);
	t->p = p;
	t->runs_in = mem_take((p->code->functions.count + 1) * sizeof *t->runs_in);
	t->touched_by = mem_take((points_objects(p->points) + 1ul) * sizeof *t->touched_by);
	t->named = mem_take(points_objects(p->points) + 1ul);
	find_roots(t);
	follow_calls(t);
	find_named(t);
	find_touched(t);
	return t;
}

void threads_free(struct threads *t)
{
	if (!t)
		return;
	vec_release(&t->work);
	mem_free(t->runs_in);
	mem_free(t->touched_by);
	mem_free(t->named);
	mem_free(t);
}

uint32_t threads_roots(const struct threads *t)
{
	return t->roots;
}

bool threads_share(const struct threads *t, uint32_t object)
{
	if (points_has_escaped(t->p->points, object))
		return true;
	uint64_t by = t->touched_by[object];
	return t->named[object] && (by & t->many || (by & (by - 1)));
}

bool threads_share_access(const struct threads *t, uint32_t value)
{
	const struct code *c = t->p->code;
	uint32_t pointer = code_operands(c, &c->values.at[value])[0];
	for (uint32_t i = 0; i < points_count(t->p->points, pointer); i++)
		if (threads_share(t, points_at(t->p->points, pointer, i).object))
			return true;
	return false;
}
