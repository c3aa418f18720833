/* model/writers.c -- see depend.h. */
#include "model/depend_inside.h"

struct asking { const struct tables *t; void (*told)(void *with, uint32_t by); void *with; };

static bool writers_of_object(const struct asking *a, struct points_place at, uint32_t bytes, uint32_t depth)
{
	const struct tables *t = a->t;
	const struct pointers *p = t->pointers;
	if (depth > 8 || at.object == POINTS_OUTSIDE || points_has_escaped(p->points, at.object))
		return false;
	for (uint32_t i = t->written_at[at.object]; i < t->written_at[at.object + 1]; i++) {
		const struct written *w = &t->written.at[i];
		bool makes_it = t->code->values.at[w->by].op == OP_CALL && pointers_object(p, w->by) == at.object;
		if (!makes_it && points_overlap(p->points, at, bytes, w->at, w->bytes))
			a->told(a->with, w->by);
	}
	struct thing thing = p->things.at[at.object];
	if (thing.kind != THING_HEAP)
		return true;
	uint32_t f = pointers_direct(t->code, code_operands(t->code, &t->code->values.at[thing.index])[0]);
	f = f == NONE ? NONE : t->code->functions.at[f].leader;
	for (uint32_t i = 0; f != NONE && i < p->wrapped_count[f]; i++) {       /* what the wrapper put there */
		uint32_t base = pointers_object(p, p->wrapped.at[p->wrapped_at[f] + i].call);
		if (base && base != at.object && !writers_of_object(a, (struct points_place){ base, at.offset }, bytes, depth + 1))
			return false;
	}
	return true;
}

bool depend_writers(struct depend *d, uint32_t read, void (*told)(void *with, uint32_t by), void *with)
{
	const struct tables *t = depend_tables(d);
	const struct value *v = &t->code->values.at[read];
	struct asking a = { t, told, with };
	uint32_t pointer = v->op == OP_LOAD ? code_operands(t->code, v)[0] : 0;
	uint32_t count = pointer ? points_count(t->pointers->points, pointer) : 0;
	for (uint32_t i = 0; i < count; i++)
		if (!writers_of_object(&a, points_at(t->pointers->points, pointer, i), v->bytes, 0))
			return false;
	return count > 0;
}

/* ---- where threads begin ---- */

struct upwards { const struct tables *t; uint8_t *seen; VEC(uint32_t) work; };

static void come_up(struct upwards *u, uint32_t function)
{
	if (!u->seen[function]) {
		u->seen[function] = 1;
		vec_push(&u->work, function);
	}
}

/* Whoever enters this function; false: code that is not seen may. */
static bool pass_up(struct upwards *u, uint32_t function, void (*told)(void *with, uint32_t function), void *with)
{
	const struct tables *t = u->t;
	bool begins = false;
	if (t->pointers->function_flags[function] & FROM_OUTSIDE)
		return false;
	if (t->pointers->function_flags[function] & AT_START)
		told(with, NONE);
	for (uint32_t i = t->into.at[function]; i < t->into.at[function + 1]; i++) {
		const struct link *link = &t->pointers->links.at[t->into.next[i]];
		uint32_t caller = t->code->values.at[link->call].function;
		if (link->how == LINK_SIGNAL || link->how == LINK_EXIT || (link->how != LINK_THREAD && caller == NONE))
			return false;
		if (link->how == LINK_THREAD)
			begins = true;
		else
			come_up(u, caller);
	}
	if (begins)
		told(with, function);
	return true;
}

bool depend_begins(struct depend *d, uint32_t value, void (*told)(void *with, uint32_t function), void *with)
{
	struct upwards u = { .t = depend_tables(d) };
	bool known = u.t->code->values.at[value].function != NONE;
	u.seen = mem_take(u.t->code->functions.count + 1);
	if (known)
		come_up(&u, u.t->code->values.at[value].function);
	while (known && u.work.count)
		known = pass_up(&u, u.work.at[--u.work.count], told, with);
	vec_release(&u.work);
	mem_free(u.seen);
	return known;
}

static void note_other(void *with, uint32_t function)
{
	*(bool *)with |= function != NONE;
}

static void note_main(void *with, uint32_t function)
{
	*(bool *)with |= function == NONE;
}

/* trylocks, what semaphores count, polls: all may be told something by others without an event of it. */
static bool asks_others(const struct tables *t, uint32_t call)
{
	const struct effects *e = t->code->values.at[call].op == OP_CALL ? pointers_library(t->pointers, &t->code->values.at[call]) : NULL;
	bool anywhere = false;
	for (uint32_t i = 0; e && i < e->count; i++)
		anywhere |= e->at[i].letter == 'W' && e->at[i].args[0] < 0;
	return anywhere && effects_have(e, 'o');
}

bool depend_first_begins(struct depend *d, uint32_t function)
{
	const struct tables *t = depend_tables(d);
	bool other = false, asks = false;
	for (uint32_t i = t->into.at[function]; i < t->into.at[function + 1]; i++) {
		const struct link *link = &t->pointers->links.at[t->into.next[i]];
		if (link->how == LINK_THREAD && !depend_begins(d, link->call, note_other, &other))
			return false;
	}
	for (uint32_t v = 0; v < t->code->values.count && !other && !asks; v++)
		if (asks_others(t, v) && !depend_begins(d, v, note_main, &asks))
			return false;
	return !other && !asks;
}

/* ---- more than once ---- */

static bool is_in_a_loop(struct tables *t, uint32_t value, uint32_t call)
{
	uint32_t function = t->code->values.at[value].function, block = t->code->values.at[value].block - t->code->functions.at[function].block_at;
	const struct flow *flow = tables_flow(t, function);
	uint8_t *seen = mem_take(flow->exit + 1ul);
	bool here = call != NONE && t->code->values.at[call].function == function && t->code->values.at[call].block != t->code->values.at[value].block;
	uint32_t not = here ? t->code->values.at[call].block - t->code->functions.at[function].block_at : NONE;
	VEC(uint32_t) work = { 0 };
	vec_push(&work, block);
	while (work.count && !seen[block]) {
		uint32_t n = work.at[--work.count];
		for (uint32_t i = flow->next.at[n]; i < flow->next.at[n + 1]; i++)
			if (flow->next.next[i] != not && !seen[flow->next.next[i]]) {
				seen[flow->next.next[i]] = 1;
				vec_push(&work, flow->next.next[i]);
			}
	}
	bool found = seen[block];
	vec_release(&work);
	mem_free(seen);
	return found;
}

bool depend_repeats(struct depend *d, uint32_t value, uint32_t call)
{
	struct tables *t = depend_tables(d);
	for (uint32_t steps = 0; steps <= t->code->functions.count; steps++) {
		uint32_t f = t->code->values.at[value].function;
		if (f == NONE || t->code->values.at[value].block == NONE || is_in_a_loop(t, value, call) || t->pointers->function_flags[f] & FROM_OUTSIDE)
			return true;
		uint32_t calls = 0, begins = t->pointers->function_flags[f] & AT_START ? 1 : 0;
		for (uint32_t i = t->into.at[f]; i < t->into.at[f + 1]; i++) {
			const struct link *link = &t->pointers->links.at[t->into.next[i]];
			if (link->how == LINK_THREAD) {
				begins = 1;
				continue;
			}
			if (link->how != LINK_CALL)
				return true;
			value = link->call;
			calls++;
		}
		if (!calls)
			return false;
		if (calls + begins > 1)
			return true;
	}
	return true;
}
