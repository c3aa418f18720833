/* model/guards.c -- see guards.h. */
#include "model/guards.h"

#include <string.h>

#include "model/depend_inside.h"
#include "model/truth.h"

#define CHAIN_MOST  8u                          /* steps from pointer to pointer */
#define READS_MOST  64u                         /* that the branches before a site hang on */
#define TRIED_MOST  16u                         /* numbers, to find out whether a read decides anything */
#define CALLERS_MOST 8u

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

/* ---------------------------------------------------------------- the same pointer */

/* A pointer without the constants that were added to it. */
static uint32_t origin(const struct code *c, uint32_t value)
{
	int64_t behind;
	return pointers_stem(c, value, &behind);
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

/* All blocks control can come to from `from`, never through `not`. */
static void walk_along(struct walk *w, const struct graph *g, uint32_t from, uint32_t not)
{
	memset(w->seen, 0, w->flow->exit + 1ul);
	w->count = 0;
	walk_to(w, from);
	while (w->count) {
		uint32_t n = w->stack[--w->count];
		for (uint32_t i = g->at[n]; i < g->at[n + 1]; i++)
			if (g->next[i] != not)
				walk_to(w, g->next[i]);
	}
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

static bool is_target(const struct goal *g, uint32_t block)
{
	for (uint32_t i = 0; i < g->targets; i++)
		if (g->target[i] == block)
			return true;
	return false;
}

static bool is_of_group(const struct guard *guard, uint32_t value)
{
	for (uint32_t i = 0; i < guard->reads; i++)
		if (guard->group[i] == value)
			return true;
	return false;
}

/* Is one of the reads done in this block, or the call it is done in made? */
static bool is_done_in(const struct goal *g, const struct guard *guard, uint32_t block)
{
	const struct code *c = g->t->code;
	uint32_t at = c->functions.at[g->function].block_at;
	for (uint32_t i = 0; i < guard->reads; i++)
		if (c->values.at[guard->call == NONE ? guard->group[i] : guard->call].block - at == block)
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
	walk_along(&g->walk, &g->walk.flow->next, from, not);
	memcpy(there, g->walk.seen, f->block_count + 1ul);
	walk_along(&g->walk, &g->walk.flow->back, site, not);
	for (uint32_t n = 0; n <= f->block_count; n++)
		there[n] &= g->walk.seen[n] || n == from;
}

/* From behind the call at the end of this block to the site nothing is called in which what it read could be read again. */
static bool stays_calm(struct goal *g, uint32_t call_block)
{
	const struct code *c = g->t->code;
	const struct function *f = &c->functions.at[g->function];
	const struct graph *next = &g->walk.flow->next;
	uint8_t *there = mem_take(f->block_count + 1ul);
	bool calm = true;
	for (uint32_t i = next->at[call_block]; i < next->at[call_block + 1] && calm; i++) {
		if (next->next[i] == call_block)
			continue;
		blocks_between(g, next->next[i], call_block, there);
		for (uint32_t n = 0; n < f->block_count && calm; n++) {
			const struct block *b = &c->blocks.at[f->block_at + n];
			for (uint32_t v = b->first; there[n] && v < b->first + b->count; v++)
				if (v != g->site && (c->values.at[v].op == OP_ASM || (c->values.at[v].op == OP_CALL && !is_calm(g, &c->values.at[v]))))
					calm = false;
		}
	}
	mem_free(there);
	return calm;
}

/* ---------------------------------------------------------------- reads that decide */

/* Where control is: in block `at`, straight from `into`, where it came from block `from` (NONE: it began there). */
struct stand_in { uint32_t at, into, from; };

/* Is there no other way from one to the next, nor to it? */
static bool is_straight(const struct goal *g, uint32_t n, uint32_t to)
{
	const struct graph *back = &g->walk.flow->back;
	const struct function *f = &g->t->code->functions.at[g->function];
	return n < f->block_count && g->t->code->blocks.at[f->block_at + n].next_count == 1 && back->at[to + 1] - back->at[to] == 1;
}

/* Does a read lead to the targets, if it returns this?  From behind it, or behind the call it came back from, and never through one of the group again; ways its value rules out are
 * not gone.  seen: by edge; what lies straight behind one is gone for each of those that lead there. */
static bool leads_on(struct goal *g, const struct guard *guard, uint32_t read, uint64_t value, uint8_t *seen)
{
	const struct code *c = g->t->code;
	const struct graph *next = &g->walk.flow->next;
	const struct supposed s = { c, read, guard->call, guard->back, value };
	uint32_t at = c->functions.at[g->function].block_at, anchor = c->values.at[guard->call == NONE ? read : guard->call].block - at;
	VEC(struct stand_in) work = { 0 };
	vec_push(&work, ((struct stand_in){ anchor, anchor, NONE }));
	memset(seen, 0, next->at[next->count] + 1ul);
	bool leads = false;
	while (work.count && !leads) {
		struct stand_in here = work.at[--work.count];
		uint32_t n = here.at, only = n == g->walk.flow->exit ? NONE : truth_way(&s, at + n, at + here.into, here.from == NONE ? NONE : at + here.from);
		for (uint32_t i = next->at[n]; i < next->at[n + 1] && !leads; i++) {
			uint32_t to = next->next[i];
			bool straight = is_straight(g, n, to);
			if ((seen[i] && !straight) || (only != NONE && i != next->at[n] + only) || is_done_in(g, guard, to))
				continue;
			seen[i] = 1;
			leads = is_target(g, to);
			vec_push(&work, (straight ? (struct stand_in){ to, here.into, here.from } : (struct stand_in){ to, to, n }));
		}
	}
	vec_release(&work);
	return leads;
}

static bool fits(struct goal *g, const struct guard *guard, uint64_t value)
{
	const struct graph *next = &g->walk.flow->next;
	uint8_t *seen = mem_take(next->at[next->count] + 1ul);
	bool leads = false;
	for (uint32_t i = 0; i < guard->reads && !leads; i++)
		leads = leads_on(g, guard, guard->group[i], value, seen);
	mem_free(seen);
	return leads;
}

/* Numbers at which what is computed of a read may change its answer, found on the way to it. */
struct found { struct { uint32_t read, call, back; } at[READS_MOST]; uint32_t count; uint64_t tried[TRIED_MOST]; uint32_t numbers; };

static void try_number(struct found *f, uint64_t number)
{
	for (uint32_t i = 0; i < f->numbers; i++)
		if (f->tried[i] == number)
			return;
	if (f->numbers < TRIED_MOST)
		f->tried[f->numbers++] = number;
}

static void note_read(struct found *f, uint32_t read, uint32_t call, uint32_t back)
{
	for (uint32_t i = 0; i < f->count; i++)
		if (f->at[i].read == read && f->at[i].call == call)
			return;
	if (f->count < READS_MOST) {
		f->at[f->count].read = read;
		f->at[f->count].call = call;
		f->at[f->count++].back = back;
	}
}

/* The reads a value is computed of, in this function or right in one that is called.  picked: a phi was seen through already. */
static void find_reads(const struct tables *t, struct found *f, uint32_t value, bool picked, uint32_t call, uint32_t back, uint32_t depth)
{
	const struct code *c = t->code;
	const struct value *v = &c->values.at[value];
	if (!value || value == NONE || depth >= TRUTH_DEPTH)
		return;
	if (v->op == OP_LOAD) {
		note_read(f, value, call, back);
	} else if (v->op == OP_CALL && call == NONE) {
		uint32_t hands = returned(t, value);
		find_reads(t, f, hands, true, value, hands, depth + 1);
	} else if (v->op == OP_PICK && !picked) {
		for (uint32_t i = 0; i < v->operand_count; i++)
			find_reads(t, f, operands_of(c, value)[i], true, call, back, depth + 4);
	} else if (v->how >= HOW_BOTH) {
		find_reads(t, f, operands_of(c, value)[0], picked, call, back, depth + 2);
		find_reads(t, f, operands_of(c, value)[v->how == HOW_EITHER_LAST ? 2 : 1], picked, call, back, depth + 2);
	} else if (v->how >= HOW_KEEP) {
		for (int i = -1; i <= 1 && v->how >= HOW_EQ; i++)
			try_number(f, (uint64_t)(v->number + i));
		find_reads(t, f, operands_of(c, value)[0], picked, call, back, depth + 1);
	}
}

static bool decides(struct goal *g, const struct guard *guard, const struct found *f)
{
	for (uint32_t i = 0; i < f->numbers; i++)
		if (!fits(g, guard, f->tried[i]))
			return true;
	return false;
}

static bool dominates(const struct goal *g, uint32_t above, uint32_t block)
{
	const uint32_t *dominator = g->walk.flow->dominator;
	while (block != above && block != 0 && dominator[block] != NONE)
		block = dominator[block];
	return block == above;
}

/* ---------------------------------------------------------------- the same place, read again */

static bool is_same_place(const struct code *c, uint32_t a, uint32_t b)
{
	int64_t behind[2];
	uint32_t pointer[2] = { pointers_stem(c, operands_of(c, a)[0], &behind[0]), pointers_stem(c, operands_of(c, b)[0], &behind[1]) };
	return pointer[0] == pointer[1] && pointer[0] && behind[0] == behind[1] && c->values.at[a].bytes == c->values.at[b].bytes;
}

/* Does it touch no memory but its own, and call nobody? */
static bool is_quiet(const struct code *c, const struct value *v)
{
	uint32_t f = v->op == OP_CALL ? pointers_direct(c, code_operands(c, v)[0]) : NONE;
	const char *name = f == NONE ? "" : code_text(c, c->functions.at[f].name);
	if (strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.lifetime.", 14) == 0)
		return true;
	return v->op != OP_LOAD && v->op != OP_STORE && v->op != OP_RMW && v->op != OP_CAS && v->op != OP_FENCE && v->op != OP_ASM && v->op != OP_CALL;
}

/* Is nothing done between the first read of a group and this one, whatever way control comes, but reads of the group? */
static bool is_right_behind(struct goal *g, const struct guard *guard, uint32_t read)
{
	const struct code *c = g->t->code;
	const struct function *f = &c->functions.at[g->function];
	uint32_t first = guard->group[0], from = c->values.at[first].block - f->block_at, to = c->values.at[read].block - f->block_at;
	if (from == to || !dominates(g, from, to))
		return false;
	uint8_t *ahead = mem_take(f->block_count + 1ul);
	walk_along(&g->walk, &g->walk.flow->next, from, from);
	memcpy(ahead, g->walk.seen, f->block_count + 1ul);
	walk_along(&g->walk, &g->walk.flow->back, to, from);
	g->walk.seen[from] = 1;
	bool quiet = true;
	for (uint32_t n = 0; n < f->block_count && quiet; n++) {
		const struct block *b = &c->blocks.at[f->block_at + n];
		for (uint32_t v = n == from ? first + 1 : b->first; ahead[n] && g->walk.seen[n] && v < b->first + b->count && quiet; v++)
			quiet = v == read || is_quiet(c, &c->values.at[v]) || is_of_group(guard, v);
	}
	mem_free(ahead);
	return quiet;
}

/* if (state == 1 || state == 2), each time read anew: whichever of the reads was the last told what it told to this way; the others before it could have been done then, too. */
static void gather(struct goal *g, struct guard *guard, const struct found *f)
{
	const struct code *c = g->t->code;
	for (uint32_t again = 0; again < GROUP_MOST; again++)
		for (uint32_t i = 0; i < f->count && guard->reads < GROUP_MOST; i++) {
			uint32_t read = f->at[i].read;
			if (f->at[i].call == NONE && !is_of_group(guard, read) && is_same_place(c, guard->read, read) && is_right_behind(g, guard, read))
				guard->group[guard->reads++] = read;
		}
}

static void look_at_read(struct goal *g, const struct found *f, uint32_t i)
{
	const struct code *c = g->t->code;
	uint32_t read = f->at[i].read, call = f->at[i].call, first_block = c->functions.at[g->function].block_at;
	uint32_t anchor = c->values.at[call == NONE ? read : call].block - first_block;
	if (g->out->count == GUARDS_MOST || c->values.at[read].bytes > 8 || c->values.at[read].ordinal == NONE || is_target(g, anchor))
		return;
	for (uint32_t k = 0; k < g->targets; k++)
		if (!dominates(g, anchor, g->target[k]))
			return;
	if (g->behind && (call != NONE || g->behind[anchor]))
		return;
	struct guard guard = { .read = read, .call = call, .back = f->at[i].back, .function = g->function, .targets = g->targets, .group = { read }, .reads = 1 };
	if (g->targets > TARGETS_MOST || (call != NONE && !stays_calm(g, anchor)))
		return;
	memcpy(guard.target, g->target, g->targets * sizeof *g->target);
	if (!decides(g, &guard, f)) {
		if (call == NONE)
			gather(g, &guard, f);
		if (guard.reads == 1 || !decides(g, &guard, f))
			return;
	}
	guard.tied = call == NONE && g->pointer && is_tied(c, &guard, operands_of(c, read)[0], g->pointer, 0);
	g->out->at[g->out->count++] = guard;
}

/* All branches that lead to the targets: what do they look at? */
static void look_at_branches(struct goal *g)
{
	const struct code *c = g->t->code;
	const struct function *f = &c->functions.at[g->function];
	struct found found = { .tried = { 0, 1, UINT64_MAX }, .numbers = 3 };
	uint8_t *before = mem_take(f->block_count + 1ul);
	for (uint32_t i = 0; i < g->targets; i++) {
		walk_along(&g->walk, &g->walk.flow->back, g->target[i], NONE);
		for (uint32_t n = 0; n <= f->block_count; n++)
			before[n] |= g->walk.seen[n];
	}
	for (uint32_t n = f->block_count; n-- > 0;) {
		const struct block *b = &c->blocks.at[f->block_at + n];
		const struct value *last = &c->values.at[b->first + b->count - 1];
		if (!before[n] || last->op != OP_BRANCH || last->operand_count != 1 || g->walk.flow->dominator[n] == NONE)
			continue;
		for (uint32_t i = 1; last->flags & VALUE_SWITCHES && i < b->next_count; i++)
			try_number(&found, (uint64_t)c->cases.at[(size_t)last->number + i - 1]);
		find_reads(g->t, &found, code_operands(c, last)[0], false, NONE, NONE, 0);
	}
	for (uint32_t i = 0; i < found.count; i++)
		look_at_read(g, &found, i);
	mem_free(before);
}

bool guard_fits(struct depend *d, const struct guard *guard, uint64_t value)
{
	struct tables *t = depend_tables(d);
	struct goal g = { .d = d, .t = t, .function = guard->function, .targets = guard->targets, .walk = { .flow = tables_flow(t, guard->function) } };
	uint32_t target[TARGETS_MOST];
	memcpy(target, guard->target, sizeof target);
	g.target = target;
	return fits(&g, guard, value);
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
	bool reached = true;
	for (uint32_t i = 0; i < g.targets; i++)
		reached &= flow->dominator[g.target[i]] != NONE;
	if (reached)
		look_at_branches(&g);
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
