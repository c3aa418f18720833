/* model/guards.c -- see guards.h. */
#include "model/guards.h"

#include <string.h>

#include "model/depend_inside.h"

#define CHAIN_MOST  8u                          /* instructions between a read and what is branched on */
#define CALLERS_MOST 8u

/* ---------------------------------------------------------------- conditions */

static const uint32_t *operands_of(const struct code *c, uint32_t value)
{
	return code_operands(c, &c->values.at[value]);
}

static bool comes_back(const struct tables *t, uint32_t function);

/* What the only return of a function the call names hands back; NONE: it is not known, or what the function read last may be another call's. */
static uint32_t returned(const struct tables *t, uint32_t call)
{
	const struct code *c = t->code;
	uint32_t f = pointers_direct(c, operands_of(c, call)[0]);
	if (f == NONE || !(c->functions.at[f].flags & FUNCTION_DEFINED) || c->functions.at[f].same != NONE || c->functions.at[f].leader != f ||
		t->returns.at[f + 1] - t->returns.at[f] != 1 || comes_back(t, f))
		return NONE;
	uint32_t back = t->returns.next[t->returns.at[f]];
	return c->values.at[back].operand_count == 1 ? operands_of(c, back)[0] : NONE;
}

/* The read a value is computed of, with constants alone; NONE there is no such.  *call: the one it came back from, *back: as this; or NONE. */
static uint32_t read_of(const struct tables *t, uint32_t value, uint32_t *call, uint32_t *back)
{
	const struct code *c = t->code;
	*call = *back = NONE;
	for (uint32_t i = 0; i < CHAIN_MOST && value != NONE; i++) {
		const struct value *v = &c->values.at[value];
		if (v->op == OP_LOAD)
			return value;
		if (v->op == OP_CALL && *call == NONE) {
			*call = value;
			value = *back = returned(t, value);
		} else {
			value = v->how >= HOW_KEEP && v->how <= HOW_SLE ? operands_of(c, value)[0] : NONE;
		}
	}
	return NONE;
}

static uint64_t cut(uint64_t value, unsigned bits)
{
	return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

static int64_t with_sign(uint64_t value, unsigned bits)
{
	return bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}

static uint64_t compute(uint8_t how, uint64_t x, uint64_t y, unsigned bits, unsigned bits_before)
{
	switch (how) {
	case HOW_SIGN_EXTEND: return cut((uint64_t)with_sign(x, bits_before), bits);
	case HOW_AND: return cut(x & y, bits);
	case HOW_OR:  return cut(x | y, bits);
	case HOW_XOR: return cut(x ^ y, bits);
	case HOW_ADD: return cut(x + y, bits);
	case HOW_EQ:  return x == cut(y, bits);
	case HOW_NE:  return x != cut(y, bits);
	case HOW_UGT: return x > cut(y, bits);
	case HOW_UGE: return x >= cut(y, bits);
	case HOW_ULT: return x < cut(y, bits);
	case HOW_ULE: return x <= cut(y, bits);
	case HOW_SGT: return with_sign(x, bits) > with_sign(y, bits);
	case HOW_SGE: return with_sign(x, bits) >= with_sign(y, bits);
	case HOW_SLT: return with_sign(x, bits) < with_sign(y, bits);
	case HOW_SLE: return with_sign(x, bits) <= with_sign(y, bits);
	default:      return cut(x, bits);
	}
}

static bool compares(uint8_t how)
{
	return how >= HOW_EQ && how <= HOW_SLE;
}

bool guard_fits(const struct code *c, const struct guard *g, uint64_t value)
{
	uint32_t chain[2 * CHAIN_MOST], count = 0, at = g->condition;
	unsigned bits = c->values.at[g->read].bytes * 8;
	while (at != g->read && count < 2 * CHAIN_MOST) {
		bool call = c->values.at[at].op == OP_CALL;
		if (!call)
			chain[count++] = at;
		at = call ? g->back : operands_of(c, at)[0];
	}
	if (at != g->read)
		return true;
	value = cut(value, bits);
	while (count-- > 0) {
		const struct value *v = &c->values.at[chain[count]];
		value = compute(v->how, value, (uint64_t)v->number, v->bytes, bits);
		bits = compares(v->how) ? 1 : v->bytes;
	}
	return (value != 0) == g->way;
}

/* ---------------------------------------------------------------- the same pointer */

/* A pointer without the constants that were added to it. */
static uint32_t origin(const struct code *c, uint32_t value)
{
	for (uint32_t i = 0; i < CHAIN_MOST; i++) {
		const struct value *v = &c->values.at[value];
		if (!(v->op == OP_STEP && !v->bytes) && v->how != HOW_KEEP)
			return value;
		value = operands_of(c, value)[0];
	}
	return value;
}

/* Do the two lie a constant apart, whatever happens, as long as the loads noted in g return the same? */
static bool is_tied(const struct code *c, struct guard *g, uint32_t a, uint32_t b, uint32_t depth)
{
	a = origin(c, a);
	b = origin(c, b);
	const struct value *x = &c->values.at[a], *y = &c->values.at[b];
	if (a == b)
		return a != 0;
	if (depth == CHAIN_MOST || x->op != y->op)
		return false;
	if (x->op == OP_LOAD && x->bytes == y->bytes && g->tie_count == 0) {
		g->loads[0] = a;
		g->loads[1] = b;
		g->tie_count = 2;
		return is_tied(c, g, operands_of(c, a)[0], operands_of(c, b)[0], depth + 1);
	}
	if (x->op != OP_STEP || x->bytes != y->bytes || x->number != y->number || x->operand_count != y->operand_count)
		return false;
	for (uint32_t i = 1; i < x->operand_count; i++)
		if (operands_of(c, a)[i] != operands_of(c, b)[i])
			return false;
	return is_tied(c, g, operands_of(c, a)[0], operands_of(c, b)[0], depth + 1);
}

/* ---------------------------------------------------------------- ways through a function */

struct walk { const struct flow *flow; uint8_t *seen; uint32_t *stack, count; };

static void walk_to(struct walk *w, uint32_t node)
{
	if (w->seen[node])
		return;
	w->seen[node] = 1;
	w->stack[w->count++] = node;
}

/* All blocks control can come to from `from`, never through `not`, and never from `edge_from` to `edge_to`. */
static void walk_along(struct walk *w, const struct graph *g, uint32_t from, uint32_t not, uint32_t edge_from, uint32_t edge_to)
{
	memset(w->seen, 0, w->flow->exit + 1ul);
	w->count = 0;
	walk_to(w, from);
	while (w->count) {
		uint32_t n = w->stack[--w->count];
		for (uint32_t i = g->at[n]; i < g->at[n + 1]; i++)
			if (g->next[i] != not && !(n == edge_from && g->next[i] == edge_to))
				walk_to(w, g->next[i]);
	}
}

static void walk_from(struct walk *w, uint32_t from, uint32_t not, uint32_t edge_from, uint32_t edge_to)
{
	walk_along(w, &w->flow->next, from, not, edge_from, edge_to);
}

/* The place a guard is sought for: these blocks of a function are where it is come to from; behind them, up to the site, there is `behind`. */
struct goal {
	struct depend *d;
	struct tables *t;
	uint32_t function, site;
	uint32_t pointer;                       /* through which the event is done, 0 not known */
	uint32_t *target, targets;              /* blocks, of the function */
	uint8_t *behind;                        /* by block: between the phi and the site; NULL: there is no phi */
	struct walk walk;
	struct guards *out;
};

static bool is_come_to(const struct goal *g)
{
	for (uint32_t i = 0; i < g->targets; i++)
		if (g->walk.seen[g->target[i]])
			return true;
	return false;
}

/* A library call that runs no code of the program. */
static bool is_calm(const struct goal *g, const struct value *call)
{
	const struct code *c = g->t->code;
	uint32_t f = pointers_direct(c, code_operands(c, call)[0]);
	const struct effects *e = pointers_library(g->t->pointers, call);
	if (f != NONE && c->functions.at[f].flags & FUNCTION_INTRINSIC)
		return true;
	return e && !effects_have(e, 'K') && !effects_have(e, 'S') && !effects_have(e, 'A') && !effects_have(e, 'X') && !effects_have(e, '!');
}

/* Blocks on ways from one to the site that do not come through `not` in between. */
static void blocks_between(struct goal *g, uint32_t from, uint32_t not, uint8_t *there)
{
	const struct code *c = g->t->code;
	const struct function *f = &c->functions.at[g->function];
	uint32_t site = c->values.at[g->site].block - f->block_at;
	if (site == not) {
		there[site] = 1;
		return;
	}
	walk_from(&g->walk, from, not, NONE, NONE);
	memcpy(there, g->walk.seen, f->block_count + 1ul);
	walk_along(&g->walk, &g->walk.flow->back, site, not, NONE, NONE);
	for (uint32_t n = 0; n <= f->block_count; n++)
		there[n] &= g->walk.seen[n] || n == from;
}

/* Between the edge and the site nothing is called in which the read could be done again. */
static bool stays_calm(struct goal *g, uint32_t from, uint32_t not)
{
	const struct code *c = g->t->code;
	const struct function *f = &c->functions.at[g->function];
	uint8_t *there = mem_take(f->block_count + 1ul);
	bool calm = true;
	blocks_between(g, from, not, there);
	for (uint32_t n = 0; n < f->block_count && calm; n++) {
		const struct block *b = &c->blocks.at[f->block_at + n];
		for (uint32_t v = b->first; there[n] && v < b->first + b->count; v++)
			if (v != g->site && (c->values.at[v].op == OP_ASM || (c->values.at[v].op == OP_CALL && !is_calm(g, &c->values.at[v]))))
				calm = false;
	}
	mem_free(there);
	return calm;
}

static void add_guard(struct goal *g, uint32_t branch_block, uint32_t to, uint32_t condition, bool way, uint32_t depth)
{
	const struct code *c = g->t->code;
	const struct value *v = &c->values.at[condition];
	uint32_t first_block = c->functions.at[g->function].block_at, call, back;
	if (depth < CHAIN_MOST && ((v->how == HOW_BOTH && way) || ((v->how == HOW_EITHER || v->how == HOW_EITHER_LAST) && !way))) {
		add_guard(g, branch_block, to, operands_of(c, condition)[0], way, depth + 1);
		add_guard(g, branch_block, to, operands_of(c, condition)[v->how == HOW_EITHER_LAST ? 2 : 1], way, depth + 1);
		return;
	}
	uint32_t read = read_of(g->t, condition, &call, &back);
	if (read == NONE || g->out->count == GUARDS_MOST || c->values.at[read].bytes > 8 || c->values.at[read].ordinal == NONE)
		return;
	if (call == NONE && g->behind && g->behind[c->values.at[read].block - first_block])
		return;
	if (call != NONE && (g->behind || c->values.at[call].block + 1 != branch_block + first_block || !stays_calm(g, to, branch_block)))
		return;
	struct guard guard = { .read = read, .condition = condition, .back = back, .way = way };
	guard.tied = call == NONE && g->pointer && is_tied(c, &guard, operands_of(c, read)[0], g->pointer, 0);
	g->out->at[g->out->count++] = guard;
}

/* A branch all ways to the targets pass: do they pass one of its edges? */
static void look_at_branch(struct goal *g, uint32_t n)
{
	const struct code *c = g->t->code;
	const struct function *f = &c->functions.at[g->function];
	const struct block *b = &c->blocks.at[f->block_at + n];
	const struct value *last = &c->values.at[b->first + b->count - 1];
	if (last->op != OP_BRANCH || !(last->flags & VALUE_DECIDES) || last->operand_count != 1 || b->next_count != 2 || c->next.at[b->next_at] == c->next.at[b->next_at + 1])
		return;
	for (uint32_t way = 0; way < 2; way++) {
		uint32_t to = c->next.at[b->next_at + way] - f->block_at;
		walk_from(&g->walk, 0, NONE, n, to);
		if (!is_come_to(g)) {
			add_guard(g, n, to, code_operands(c, last)[0], way == 0, 0);
			return;
		}
	}
}

/* ---------------------------------------------------------------- through which pointer */

static bool made_by(const struct pointers *p, uint32_t call, const uint32_t *heap, uint32_t count, uint32_t depth)
{
	for (uint32_t i = 0; i < count; i++)
		if (heap[i] == call)
			return true;
	uint32_t f = p->code->values.at[call].op == OP_CALL ? pointers_direct(p->code, operands_of(p->code, call)[0]) : NONE;
	for (uint32_t i = 0; f != NONE && depth < 8 && i < p->wrapped_count[f]; i++)
		if (made_by(p, p->wrapped.at[p->wrapped_at[f] + i].call, heap, count, depth + 1))
			return true;
	return false;
}

static bool may_point_there(const struct pointers *p, uint32_t value, const uint32_t *heap, uint32_t count)
{
	uint32_t all = points_count(p->points, value);
	if (!all)
		return true;                    /* null, or the model does not know */
	for (uint32_t i = 0; i < all; i++) {
		struct thing thing = p->things.at[points_at(p->points, value, i).object];
		if (thing.kind == THING_OUTSIDE || (thing.kind == THING_HEAP && made_by(p, thing.index, heap, count, 0)))
			return true;
	}
	return false;
}

/* The phi a pointer comes from, through steps; NONE. */
static uint32_t phi_of(const struct code *c, uint32_t value)
{
	for (uint32_t i = 0; i < CHAIN_MOST; i++) {
		const struct value *v = &c->values.at[value];
		if (v->op == OP_PICK)
			return value;
		if (v->op != OP_STEP && v->how != HOW_KEEP)
			return NONE;
		value = operands_of(c, value)[0];
	}
	return NONE;
}

static bool is_step_only(const struct code *c, uint32_t pointer, uint32_t phi)
{
	return origin(c, pointer) == phi;
}

/* The only one of a phi that can point there. */
static uint32_t narrowed_to(const struct goal *g, uint32_t phi, const uint32_t *heap, uint32_t count)
{
	const struct code *c = g->t->code;
	for (uint32_t i = 0; i < c->values.at[phi].operand_count; i++)
		if (may_point_there(g->t->pointers, operands_of(c, phi)[i], heap, count))
			return operands_of(c, phi)[i];
	return 0;
}

/* If the event was done through one of several pointers by the way control came: only ways that bring one that can point there count. */
static void narrow(struct goal *g, const uint32_t *heap, uint32_t count)
{
	const struct code *c = g->t->code;
	const struct value *site = &c->values.at[g->site];
	uint32_t at = c->functions.at[g->function].block_at, blocks = c->functions.at[g->function].block_count;
	uint32_t phi = count && (site->op == OP_LOAD || site->op == OP_STORE) ? phi_of(c, operands_of(c, g->site)[0]) : NONE;
	if (phi == NONE || c->values.at[phi].function != g->function)
		return;
	const struct value *p = &c->values.at[phi];
	uint32_t targets = 0;
	for (uint32_t i = 0; i < p->operand_count; i++)
		if (may_point_there(g->t->pointers, operands_of(c, phi)[i], heap, count))
			g->target[targets++] = c->from.at[(size_t)p->number + i] - at;
	if (!targets || targets == p->operand_count) {
		g->target[0] = site->block - at;
		return;
	}
	g->targets = targets;
	g->pointer = targets == 1 && is_step_only(c, operands_of(c, g->site)[0], phi) ? narrowed_to(g, phi, heap, count) : 0;
	g->behind = mem_take(blocks + 1ul);
	blocks_between(g, p->block - at, p->block - at, g->behind);
}

/* ---------------------------------------------------------------- functions */

/* May it be called while it runs, on the same thread? */
static bool comes_back(const struct tables *t, uint32_t function)
{
	const struct pointers *p = t->pointers;
	const struct code *c = t->code;
	if (p->function_flags[function] & FROM_OUTSIDE)
		return true;
	uint8_t *seen = mem_take(c->functions.count + 1);
	VEC(uint32_t) work = { 0 };
	vec_push(&work, function);
	for (size_t i = 0; i < p->links.count; i++)
		if (p->links.at[i].how == LINK_SIGNAL)
			vec_push(&work, p->links.at[i].function);
	bool found = false;
	for (size_t i = 1; i < work.count; i++)
		found |= work.at[i] == function;
	while (work.count && !found) {
		uint32_t f = work.at[--work.count];
		for (uint32_t v = c->functions.at[f].first; v < c->functions.at[f].first + c->functions.at[f].count && !found; v++)
			for (uint32_t i = c->values.at[v].op == OP_CALL ? t->from.at[v] : 0; c->values.at[v].op == OP_CALL && i < t->from.at[v + 1]; i++) {
				const struct link *l = &p->links.at[t->from.next[i]];
				if (l->how == LINK_THREAD)
					continue;
				found |= l->function == function;
				if (!seen[l->function]) {
					seen[l->function] = 1;
					vec_push(&work, l->function);
				}
			}
	}
	vec_release(&work);
	mem_free(seen);
	return found;
}

static void guards_here(struct guards *out, struct depend *d, uint32_t site, bool is_event, const uint32_t *heap, uint32_t count)
{
	struct tables *t = depend_tables(d);
	const struct code *c = t->code;
	uint32_t function = c->values.at[site].function, blocks = c->functions.at[function].block_count;
	const struct flow *flow = tables_flow(t, function);
	struct goal g = { .d = d, .t = t, .function = function, .site = site, .targets = 1, .out = out };
	g.target = mem_take((blocks + 1ul) * sizeof *g.target);
	g.walk = (struct walk){ flow, mem_take(blocks + 1ul), mem_take((blocks + 1ul) * sizeof *g.walk.stack), 0 };
	g.target[0] = c->values.at[site].block - c->functions.at[function].block_at;
	if (is_event && (c->values.at[site].op == OP_LOAD || c->values.at[site].op == OP_STORE))
		g.pointer = operands_of(c, site)[0];
	narrow(&g, heap, count);
	uint32_t n = g.target[0];
	bool reached = flow->dominator[n] != NONE;
	for (; reached; n = flow->dominator[n]) {
		look_at_branch(&g, n);
		if (n == 0)
			break;
	}
	mem_free(g.target);
	mem_free(g.walk.seen);
	mem_free(g.walk.stack);
	mem_free(g.behind);
}

void guards_find(struct guards *out, struct depend *d, uint32_t site, const uint32_t *heap, uint32_t heap_count)
{
	const struct tables *t = depend_tables(d);
	const struct code *c = t->code;
	out->count = 0;
	for (uint32_t i = 0; i < CALLERS_MOST; i++) {
		uint32_t f = c->values.at[site].function;
		if (f == NONE || c->values.at[site].block == NONE || comes_back(t, f))
			return;
		guards_here(out, d, site, i == 0, heap, i ? 0 : heap_count);
		if (t->into.at[f + 1] - t->into.at[f] != 1 || t->pointers->function_flags[f] & (FROM_OUTSIDE | AT_START))
			return;
		const struct link *only = &t->pointers->links.at[t->into.next[t->into.at[f]]];
		if (only->how != LINK_CALL)
			return;
		site = only->call;
	}
}
