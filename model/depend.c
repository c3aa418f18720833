/* model/depend.c -- a walk backwards from the site asked for.  Stops are values, blocks (what decides whether control comes there, inside
 * the function) and functions (what decides whether they are entered); each is passed once a question.  An answer is kept.
 * Cost of a question: linear in what it depends on. */
#include "model/depend.h"

#include <stdlib.h>
#include <string.h>

#include "model/depend_inside.h"

struct kept { bool everything; uint32_t because, count; uint32_t *reads; };

struct depend {
	struct tables t;
	const uint8_t *recorded;
	struct map known;                       /* site and parts -> index in kept */
	VEC(struct kept) kept;
	/* of the question at hand */
	uint32_t round;
	uint32_t *seen_value, *seen_block, *seen_function;  /* the round they were seen in */
	VEC(uint64_t) work;
	VEC(uint32_t) reads;
	bool everything, direct, copied;
	uint32_t because;
};

enum stop { STOP_VALUE, STOP_BLOCK, STOP_FUNCTION };

static void come_to(struct depend *d, enum stop what, uint32_t index)
{
	if (d->copied && what != STOP_VALUE)
		return;                         /* whether it happens is not asked */
	uint32_t *seen = what == STOP_VALUE ? d->seen_value : what == STOP_BLOCK ? d->seen_block : d->seen_function;
	if ((what == STOP_VALUE && !index) || seen[index] == d->round)
		return;
	seen[index] = d->round;
	vec_push(&d->work, (uint64_t)what << 32 | index);
}

/* What decides whether this instruction is executed at all. */
static void come_to_place(struct depend *d, uint32_t value)
{
	const struct value *v = &d->t.code->values.at[value];
	if (v->block != NONE) {
		come_to(d, STOP_BLOCK, v->block);
		come_to(d, STOP_FUNCTION, v->function);
	}
}

static void cannot_see(struct depend *d, uint32_t value)
{
	if (!d->everything)
		d->because = value;
	d->everything = true;
}

static void come_to_operands(struct depend *d, uint32_t value)
{
	const struct value *v = &d->t.code->values.at[value];
	for (uint32_t i = 0; i < v->operand_count; i++)
		come_to(d, STOP_VALUE, code_operands(d->t.code, v)[i]);
}

static bool is_recorded(const struct depend *d, uint32_t value)
{
	if (d->recorded)
		return d->recorded[value];
	uint8_t op = d->t.code->values.at[value].op;
	return op == OP_LOAD || op == OP_RMW || op == OP_CAS;
}

/* ---- memory ---- */

/* A write that may have put there what is read: what it wrote, where, and whether it happened. */
static void come_to_write(struct depend *d, uint32_t by)
{
	const struct value *w = &d->t.code->values.at[by];
	come_to_place(d, by);
	if (w->op == OP_STORE && d->copied)
		come_to(d, STOP_VALUE, code_operands(d->t.code, w)[1]);
	else if (w->op == OP_STORE)
		come_to_operands(d, by);
	else
		come_to(d, STOP_VALUE, by);
}

static void read_object(struct depend *d, uint32_t reader, struct points_place at, uint32_t bytes)
{
	const struct tables *t = &d->t;
	const struct points *p = t->pointers->points;
	if (points_has_escaped(p, at.object)) {
		cannot_see(d, reader);
		return;
	}
	for (uint32_t i = t->written_at[at.object]; i < t->written_at[at.object + 1]; i++)
		if (points_overlap(p, at, bytes, t->written.at[i].at, t->written.at[i].bytes))
			come_to_write(d, t->written.at[i].by);
	struct thing thing = t->pointers->things.at[at.object];
	if (thing.kind != THING_HEAP)
		return;
	uint32_t f = pointers_direct(t->code, code_operands(t->code, &t->code->values.at[thing.index])[0]);
	f = f == NONE ? NONE : t->code->functions.at[f].leader;
	for (uint32_t i = 0; f != NONE && i < t->pointers->wrapped_count[f]; i++) {       /* what the wrapper put there */
		uint32_t base = pointers_object(t->pointers, t->pointers->wrapped.at[t->pointers->wrapped_at[f] + i].call);
		if (base && base != at.object)
			read_object(d, reader, (struct points_place){ base, at.offset }, bytes);
	}
}

static void read_memory(struct depend *d, uint32_t reader, uint32_t pointer, uint32_t bytes)
{
	const struct points *p = d->t.pointers->points;
	for (uint32_t i = 0; pointer && i < points_count(p, pointer); i++)
		read_object(d, reader, points_at(p, pointer, i), bytes);
}

/* ---- values ---- */

static void found_read(struct depend *d, uint32_t value)
{
	vec_push(&d->reads, value);
	if (d->direct)
		return;
	come_to_place(d, value);
	come_to_operands(d, value);
}

static void through_access(struct depend *d, uint32_t value)
{
	const struct value *v = &d->t.code->values.at[value];
	if (is_recorded(d, value)) {
		found_read(d, value);
		return;
	}
	come_to_operands(d, value);
	read_memory(d, value, code_operands(d->t.code, v)[0], v->bytes);
}

static void through_library(struct depend *d, uint32_t call, const struct effects *e)
{
	const struct value *v = &d->t.code->values.at[call];
	if (effects_have(e, 'o') || effects_have(e, 'U'))
		cannot_see(d, call);
	if (is_recorded(d, call))
		vec_push(&d->reads, call);
	come_to_operands(d, call);
	if (is_recorded(d, call)) {
		if (!d->direct)
			come_to_place(d, call);
		return;
	}
	for (uint32_t i = 0; i < e->count; i++) {
		const struct effect *one = &e->at[i];
		if (!strchr("RCDI", one->letter))
			continue;
		int from = one->args[one->letter == 'C' || one->letter == 'I' ? 1 : 0];
		for (uint32_t k = 1; k < v->operand_count; k++)
			if (from < 0 || (uint32_t)from + 1 == k)
				read_memory(d, call, code_operands(d->t.code, v)[k], v->bytes);
	}
}

static void through_returns(struct depend *d, uint32_t function)
{
	const struct graph *returns = &d->t.returns;
	bool several = returns->at[function + 1] - returns->at[function] > 1;
	for (uint32_t i = returns->at[function]; i < returns->at[function + 1]; i++) {
		come_to_operands(d, returns->next[i]);
		if (several)
			come_to(d, STOP_BLOCK, d->t.code->values.at[returns->next[i]].block);
	}
}

static void through_call(struct depend *d, uint32_t call)
{
	const struct tables *t = &d->t;
	const struct effects *e = pointers_library(t->pointers, &t->code->values.at[call]);
	if (t->pointers->call_flags[call] & CALL_UNKNOWN)
		cannot_see(d, call);
	if (e)
		through_library(d, call, e);
	else
		come_to(d, STOP_VALUE, code_operands(t->code, &t->code->values.at[call])[0]);
	for (uint32_t i = t->from.at[call]; i < t->from.at[call + 1]; i++)
		through_returns(d, t->pointers->links.at[t->from.next[i]].function);
	if (!e && t->from.at[call] == t->from.at[call + 1])
		cannot_see(d, call);
}

/* Which call it was is no question here: that of the event, or of a write on the way, comes by its own reach (come_to_place()); that of
 * a function whose result is used is the call itself. */
static void through_argument(struct depend *d, const struct value *v)
{
	const struct tables *t = &d->t;
	if (t->pointers->function_flags[v->function] & FROM_OUTSIDE)
		cannot_see(d, t->code->functions.at[v->function].value);
	for (uint32_t i = t->into.at[v->function]; i < t->into.at[v->function + 1]; i++) {
		const struct link *link = &t->pointers->links.at[t->into.next[i]];
		const struct value *call = &t->code->values.at[link->call];
		if (link->how == LINK_CALL && v->number + 1 < call->operand_count)
			come_to(d, STOP_VALUE, code_operands(t->code, call)[v->number + 1]);
		else
			come_to_operands(d, link->call);
		if (link->how == LINK_SIGNAL || link->how == LINK_EXIT)
			cannot_see(d, link->call);
	}
}

/* Which value it is hangs on the way control came. */
static void through_pick(struct depend *d, uint32_t value)
{
	const struct value *v = &d->t.code->values.at[value];
	const struct function *f = &d->t.code->functions.at[v->function];
	const struct flow *flow = tables_flow(&d->t, v->function);
	uint32_t me = v->block - f->block_at;
	come_to_operands(d, value);
	for (uint32_t i = flow->back.at[me]; i < flow->back.at[me + 1]; i++) {
		uint32_t block = f->block_at + flow->back.next[i];
		const struct block *b = &d->t.code->blocks.at[block];
		come_to(d, STOP_BLOCK, block);
		if (b->next_count > 1)
			come_to(d, STOP_VALUE, b->first + b->count - 1);
	}
}

/* A pointer on its way: what is computed otherwise than by a step from another one cannot be followed. */
static void pass_copied(struct depend *d, uint32_t value)
{
	const struct value *v = &d->t.code->values.at[value];
	const struct effects *e = v->op == OP_CALL ? pointers_library(d->t.pointers, v) : NULL;
	switch (v->op) {
	case OP_LOAD: case OP_RMW: case OP_CAS:
		if (is_recorded(d, value))
			vec_push(&d->reads, value);
		else
			read_memory(d, value, code_operands(d->t.code, v)[0], v->bytes);
		break;
	case OP_STEP:
		come_to(d, STOP_VALUE, code_operands(d->t.code, v)[0]);
		break;
	case OP_SAME: case OP_PICK:
		come_to_operands(d, value);
		break;
	case OP_ARGUMENT:
		through_argument(d, v);
		break;
	case OP_CALL:
		if (e && !effects_have(e, 'n'))
			cannot_see(d, value);
		else if (!e)
			through_call(d, value);
		break;
	case OP_MIX: case OP_ASM: case OP_UNKNOWN:
		cannot_see(d, value);
		break;
	default:
		break;
	}
}

static void pass_value(struct depend *d, uint32_t value)
{
	const struct value *v = &d->t.code->values.at[value];
	if (d->copied) {
		pass_copied(d, value);
		return;
	}
	switch (v->op) {
	case OP_LOAD: case OP_RMW: case OP_CAS:
		through_access(d, value);
		break;
	case OP_CALL:
		through_call(d, value);
		break;
	case OP_ARGUMENT:
		through_argument(d, v);
		break;
	case OP_PICK:
		through_pick(d, value);
		break;
	case OP_ASM: case OP_UNKNOWN:
		cannot_see(d, value);
		break;
	default:
		come_to_operands(d, value);
		break;
	}
}

/* ---- control ---- */

/* Whether this call comes back: what decides about the returns of what it may enter. */
static void come_to_return(struct depend *d, uint32_t call)
{
	const struct tables *t = &d->t;
	if (t->pointers->call_flags[call] & CALL_UNKNOWN)
		cannot_see(d, call);
	come_to(d, STOP_VALUE, code_operands(t->code, &t->code->values.at[call])[0]);
	for (uint32_t i = t->from.at[call]; i < t->from.at[call + 1]; i++) {
		const struct link *link = &t->pointers->links.at[t->from.next[i]];
		for (uint32_t k = t->returns.at[link->function]; link->how != LINK_THREAD && k < t->returns.at[link->function + 1]; k++)
			come_to(d, STOP_BLOCK, t->code->values.at[t->returns.next[k]].block);
	}
}

static void pass_block(struct depend *d, uint32_t block)
{
	const struct code *c = d->t.code;
	uint32_t function = c->blocks.at[block].function, at = c->functions.at[function].block_at;
	const struct flow *flow = tables_flow(&d->t, function);
	for (uint32_t i = flow->control.at[block - at]; i < flow->control.at[block - at + 1]; i++) {
		uint32_t decides = at + flow->control.next[i], last = c->blocks.at[decides].first + c->blocks.at[decides].count - 1;
		come_to(d, STOP_BLOCK, decides);
		if (c->values.at[last].op == OP_CALL)
			come_to_return(d, last);
		else
			come_to(d, STOP_VALUE, last);
	}
}

static void pass_function(struct depend *d, uint32_t function)
{
	const struct tables *t = &d->t;
	if (t->pointers->function_flags[function] & FROM_OUTSIDE)
		cannot_see(d, t->code->functions.at[function].value);
	for (uint32_t i = t->into.at[function]; i < t->into.at[function + 1]; i++) {
		const struct link *link = &t->pointers->links.at[t->into.next[i]];
		come_to_place(d, link->call);
		come_to(d, STOP_VALUE, code_operands(t->code, &t->code->values.at[link->call])[0]);
		if (link->how == LINK_SIGNAL || link->how == LINK_EXIT)
			cannot_see(d, link->call);
	}
}

/* ---- a question ---- */

static void begin(struct depend *d, uint32_t site, unsigned parts)
{
	const struct value *v = &d->t.code->values.at[site];
	const uint32_t *operands = code_operands(d->t.code, v);
	bool access = v->op == OP_LOAD || v->op == OP_STORE || v->op == OP_RMW || v->op == OP_CAS;
	d->round++;
	d->direct = parts & PART_DIRECT;
	d->copied = parts & PART_COPIED;
	d->everything = false;
	d->because = 0;
	vec_clear(&d->reads);
	if (parts & PART_REACH)
		come_to_place(d, site);
	if (access) {
		if (parts & PART_ADDRESS)
			come_to(d, STOP_VALUE, operands[0]);
		for (uint32_t i = 1; i < v->operand_count && parts & PART_VALUE; i++)
			come_to(d, STOP_VALUE, operands[i]);
		if ((v->op == OP_RMW || v->op == OP_CAS) && parts & PART_VALUE)
			come_to(d, STOP_VALUE, site);
		return;
	}
	for (uint32_t i = 0; i < v->operand_count && parts & PART_ADDRESS; i++)
		if (!d->copied || d->t.code->values.at[operands[i]].op != OP_MIX)       /* a number, how many bytes */
			come_to(d, STOP_VALUE, operands[i]);
	if (parts & PART_VALUE)
		come_to(d, STOP_VALUE, site);
}

static int rising(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static uint32_t ask(struct depend *d, uint32_t site, unsigned parts)
{
	begin(d, site, parts);
	while (d->work.count) {
		uint64_t next = d->work.at[--d->work.count];
		switch ((enum stop)(next >> 32)) {
		case STOP_VALUE:    pass_value(d, (uint32_t)next); break;
		case STOP_BLOCK:    pass_block(d, (uint32_t)next); break;
		case STOP_FUNCTION: pass_function(d, (uint32_t)next); break;
		}
	}
	struct kept k = { d->everything, d->because, (uint32_t)d->reads.count, mem_take((d->reads.count + 1) * sizeof(uint32_t)) };
	if (k.count) {
		memcpy(k.reads, d->reads.at, k.count * sizeof *k.reads);
		qsort(k.reads, k.count, sizeof *k.reads, rising);
	}
	vec_push(&d->kept, k);
	return (uint32_t)d->kept.count - 1;
}

struct answer depend_on(struct depend *d, uint32_t site, unsigned parts)
{
	check(site < d->t.code->values.count);
	bool fresh;
	uint64_t *index = map_put(&d->known, (uint64_t)parts << 32 | site, &fresh);
	if (fresh)
		*index = ask(d, site, parts);
	const struct kept *k = &d->kept.at[*index];
	return (struct answer){ k->everything, k->because, k->count, k->reads };
}

bool answer_has(const struct answer *a, uint32_t read)
{
	return a->everything || (a->count && bsearch(&read, a->reads, a->count, sizeof *a->reads, rising));
}

struct depend *depend_new(const struct pointers *p, const uint8_t *recorded)
{
	struct depend *d = mem_take(sizeof *d);
	tables_make(&d->t, p);
	d->recorded = recorded;
	d->seen_value = mem_take((p->code->values.count + 1) * sizeof(uint32_t));
	d->seen_block = mem_take((p->code->blocks.count + 1) * sizeof(uint32_t));
	d->seen_function = mem_take((p->code->functions.count + 1) * sizeof(uint32_t));
	return d;
}

void depend_free(struct depend *d)
{
	if (!d)
		return;
	tables_release(&d->t);
	map_release(&d->known);
	for (size_t i = 0; i < d->kept.count; i++)
		mem_free(d->kept.at[i].reads);
	vec_release(&d->kept);
	vec_release(&d->work);
	vec_release(&d->reads);
	mem_free(d->seen_value);
	mem_free(d->seen_block);
	mem_free(d->seen_function);
	mem_free(d);
}

struct tables *depend_tables(struct depend *d)
{
	return &d->t;
}
