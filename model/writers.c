/* model/writers.c -- see depend.h. */
#include "model/depend_inside.h"

struct asking { const struct tables *t; void (*told)(void *with, const struct writer *w); void *with; };

/* ---- what is written through a pointer that callers hand over ---- */

/* The argument of its function a pointer is, and how far behind; NONE: it is none. */
static uint32_t argument_of(const struct code *c, uint32_t pointer, int64_t *behind)
{
	uint32_t stem = pointers_stem(c, pointer, behind);
	return c->values.at[stem].op == OP_ARGUMENT ? stem : NONE;
}

/* What a call by name hands over for this argument; 0: not known. */
static uint32_t handed_over(const struct code *c, uint32_t call, uint32_t argument)
{
	const struct value *v = &c->values.at[call];
	uint64_t at = 1 + (uint64_t)c->values.at[argument].number;
	uint32_t f = v->op == OP_CALL ? pointers_direct(c, code_operands(c, v)[0]) : NONE;
	return f != NONE && c->functions.at[f].leader == c->functions.at[c->values.at[argument].function].leader && at < v->operand_count ? code_operands(c, v)[at] : 0;
}

/* May a pointer, so far behind, lead there? */
static bool leads_there(const struct points *p, uint32_t pointer, int64_t behind, uint32_t written, struct points_place at, uint32_t bytes)
{
	uint32_t count = pointer ? points_count(p, pointer) : 0;
	for (uint32_t i = 0; i < count; i++) {
		struct points_place place = points_at(p, pointer, i);
		if (place.offset != POINTS_ANYWHERE)
			place.offset += behind;
		if (place.object == POINTS_OUTSIDE || points_overlap(p, at, bytes, place, written))
			return true;
	}
	return !count;
}

/* Tells a write with the calls that make it one there. */
static void tell(const struct asking *a, const struct written *w, struct points_place at, uint32_t bytes)
{
	const struct tables *t = a->t;
	const struct code *c = t->code;
	const struct value *by = &c->values.at[w->by];
	VEC(uint32_t) via = { 0 };
	int64_t behind = 0;
	bool stores = by->op == OP_STORE || by->op == OP_RMW || by->op == OP_CAS;
	uint32_t argument = stores ? argument_of(c, code_operands(c, by)[0], &behind) : NONE, f = by->function;
	bool known = argument != NONE && !(t->pointers->function_flags[f] & (FROM_OUTSIDE | AT_START));
	for (uint32_t i = known ? t->into.at[f] : 0; known && i < t->into.at[f + 1]; i++) {
		const struct link *link = &t->pointers->links.at[t->into.next[i]];
		known = link->how == LINK_CALL;
		if (leads_there(t->pointers->points, handed_over(c, link->call, argument), behind, by->bytes, at, bytes))
			vec_push(&via, link->call);
	}
	struct writer all = { w->by, &w->by, 1 }, some = { w->by, via.at, (uint32_t)via.count };
	a->told(a->with, known ? &some : &all);
	vec_release(&via);
}

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
			tell(a, w, at, bytes);
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

bool depend_writers(struct depend *d, uint32_t read, uint32_t call, void (*told)(void *with, const struct writer *w), void *with)
{
	const struct tables *t = depend_tables(d);
	const struct value *v = &t->code->values.at[read];
	struct asking a = { t, told, with };
	int64_t behind = 0;
	uint32_t pointer = v->op == OP_LOAD ? code_operands(t->code, v)[0] : 0;
	uint32_t argument = pointer && call != NONE ? argument_of(t->code, pointer, &behind) : NONE;
	uint32_t handed = argument == NONE ? 0 : handed_over(t->code, call, argument);
	pointer = handed ? handed : pointer;
	uint32_t count = pointer ? points_count(t->pointers->points, pointer) : 0;
	for (uint32_t i = 0; i < count; i++) {
		struct points_place at = points_at(t->pointers->points, pointer, i);
		if (handed && at.offset != POINTS_ANYWHERE)
			at.offset += behind;
		if (!writers_of_object(&a, at, v->bytes, 0))
			return false;
	}
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

bool depend_begins(struct depend *d, const uint32_t *values, uint32_t count, void (*told)(void *with, uint32_t function), void *with)
{
	struct upwards u = { .t = depend_tables(d) };
	bool known = true;
	u.seen = mem_take(u.t->code->functions.count + 1);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t f = u.t->code->values.at[values[i]].function;
		known &= f != NONE;
		if (f != NONE)
			come_up(&u, f);
	}
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
		if (link->how == LINK_THREAD && !depend_begins(d, &link->call, 1, note_other, &other))
			return false;
	}
	for (uint32_t v = 0; v < t->code->values.count && !other && !asks; v++)
		if (asks_others(t, v) && !depend_begins(d, &v, 1, note_main, &asks))
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

#define MANY 2u                                 /* times: or more often */

/* How often one thread may come to one of the values[] for each time it enters a function, as far as that is known. */
struct repeats { struct tables *t; const uint32_t *values; uint32_t count, call; uint8_t *above, *known, *times; };

static uint32_t times_in(struct repeats *r, uint32_t function);

static uint32_t times_at(struct repeats *r, uint32_t value)
{
	struct tables *t = r->t;
	uint32_t times = 0;
	for (uint32_t i = 0; i < r->count; i++)
		times += r->values[i] == value;
	for (uint32_t i = t->code->values.at[value].op == OP_CALL ? t->from.at[value] : 0; t->code->values.at[value].op == OP_CALL && i < t->from.at[value + 1] && times < MANY; i++) {
		const struct link *link = &t->pointers->links.at[t->from.next[i]];
		if (link->how != LINK_THREAD && r->above[link->function])
			times += link->how == LINK_CALL ? times_in(r, link->function) : MANY;
	}
	return times && (t->code->values.at[value].block == NONE || is_in_a_loop(t, value, r->call)) ? MANY : times;
}

static uint32_t times_in(struct repeats *r, uint32_t function)
{
	const struct function *f = &r->t->code->functions.at[function];
	if (r->known[function])
		return r->times[function];
	r->known[function] = 1;
	r->times[function] = MANY;              /* if it is come to from inside itself */
	uint32_t times = 0;
	for (uint32_t v = f->first; v < f->first + f->count && times < MANY; v++)
		times += times_at(r, v);
	r->times[function] = times < MANY ? (uint8_t)times : MANY;
	return r->times[function];
}

/* The functions one of the values is in, or that lead to one that is; false: code that is not seen does. */
static bool find_above(struct repeats *r)
{
	const struct tables *t = r->t;
	struct upwards u = { .t = t, .seen = r->above };
	bool known = true;
	for (uint32_t i = 0; i < r->count; i++) {
		known &= t->code->values.at[r->values[i]].function != NONE;
		if (known)
			come_up(&u, t->code->values.at[r->values[i]].function);
	}
	while (u.work.count && known) {
		uint32_t f = u.work.at[--u.work.count];
		known = !(t->pointers->function_flags[f] & FROM_OUTSIDE);
		for (uint32_t i = t->into.at[f]; i < t->into.at[f + 1]; i++) {
			const struct link *link = &t->pointers->links.at[t->into.next[i]];
			if (link->how != LINK_THREAD && t->code->values.at[link->call].function != NONE)
				come_up(&u, t->code->values.at[link->call].function);
			known &= link->how == LINK_THREAD || (link->how == LINK_CALL && t->code->values.at[link->call].function != NONE);
		}
	}
	vec_release(&u.work);
	return known;
}

bool depend_repeats(struct depend *d, const uint32_t *values, uint32_t count, uint32_t call, uint32_t begins)
{
	struct tables *t = depend_tables(d);
	size_t functions = t->code->functions.count + 1;
	struct repeats r = { t, values, count, call, mem_take(functions), mem_take(functions), mem_take(functions) };
	bool known = find_above(&r);
	uint32_t times = 0;
	for (uint32_t f = 0; known && begins == NONE && f + 1 < functions; f++)
		times += t->pointers->function_flags[f] & AT_START && r.above[f] ? times_in(&r, f) : 0;
	if (known && begins != NONE)
		times = times_in(&r, begins);
	mem_free(r.above);
	mem_free(r.known);
	mem_free(r.times);
	return !known || times >= MANY;
}
