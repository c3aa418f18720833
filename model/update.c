/* model/update.c -- the chain of each load, forwards along its uses, function by function when first asked.  Cost: linear in the chains. */
#include "model/update.h"

#include "model/uses.h"

#define CHAIN_MOST 64u                          /* longer ones are no updates */
#define UNUSED_DEEP 8u                          /* computations behind one another */

struct updates {
	const struct code *code;
	struct graph uses;
	uint8_t *looked;                        /* by function */
	struct update *of;                      /* by value */
	uint8_t *ends;                          /* by store: how many chains */
};

struct chain { uint32_t at[CHAIN_MOST], count, store; uint8_t kind; };

static bool is_member(const struct chain *c, uint32_t value)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->at[i] == value)
			return true;
	return false;
}

/* A local variable that is written and never looked at: where a compiler that does not optimise puts results nobody wants. */
static bool is_dropped(const struct updates *u, uint32_t pointer)
{
	if (u->code->values.at[pointer].op != OP_ALLOCA)
		return false;
	for (uint32_t i = u->uses.at[pointer]; i < u->uses.at[pointer + 1]; i++) {
		uint32_t user = u->uses.next[i];
		const struct value *v = &u->code->values.at[user];
		bool written = v->op == OP_STORE && code_operands(u->code, v)[1] != pointer;
		bool unused = v->op == OP_LOAD && u->uses.at[user] == u->uses.at[user + 1];
		if (!written && !unused)
			return false;
	}
	return true;
}

static bool joins(struct chain *c, uint32_t value)
{
	if (is_member(c, value))
		return true;
	if (c->count == CHAIN_MOST)
		return false;
	c->at[c->count++] = value;
	return true;
}

/* Somebody uses a member: another member, the store, or it is no chain. */
static bool follow(const struct updates *u, struct chain *c, uint32_t member, uint32_t user)
{
	const struct value *v = &u->code->values.at[user];
	const uint32_t *operands = code_operands(u->code, v);
	uint8_t kind = v->sum == SUM_SUB ? (uint8_t)SUM_ADD : v->sum;
	if (v->op == OP_STORE) {
		if (operands[0] == member || v->flags & VALUE_ATOMIC)
			return false;
		if (is_dropped(u, operands[0]))
			return true;
		if (c->store != NONE && c->store != user)
			return false;
		c->store = user;
		return true;
	}
	if (v->op != OP_PICK && v->op != OP_SAME && v->op != OP_MIX && v->op != OP_CALL)
		return false;
	if (v->op != OP_PICK && kind != SUM_WIDTH && kind != SUM_CHOICE) {
		if (kind == SUM_NONE || (c->kind != SUM_NONE && c->kind != kind))
			return false;
		c->kind = kind;
	}
	return v->width && joins(c, user);
}

/* Of its operands exactly those come from the load that may. */
static bool is_well_fed(const struct updates *u, const struct chain *c, uint32_t member)
{
	const struct value *v = &u->code->values.at[member];
	const uint32_t *operands = code_operands(u->code, v);
	uint32_t from = 0;
	for (uint32_t i = 0; i < v->operand_count; i++)
		from += is_member(c, operands[i]);
	if (v->op == OP_PICK)
		return from == v->operand_count;
	if (v->sum == SUM_CHOICE)
		return v->operand_count == 3 && from == 2 && !is_member(c, operands[0]);
	return from == 1 && (v->sum != SUM_SUB || is_member(c, operands[0]));
}

static bool is_wide_enough(const struct updates *u, const struct chain *c, uint32_t bytes)
{
	bool whole = c->kind >= SUM_SMIN;
	for (uint32_t i = 0; i < c->count; i++) {
		uint8_t width = u->code->values.at[c->at[i]].width;
		if (width < bytes || (whole && width != bytes))
			return false;
	}
	return true;
}

static bool chain_of(const struct updates *u, struct chain *c, uint32_t load)
{
	*c = (struct chain){ .at = { load }, .count = 1, .store = NONE, .kind = SUM_NONE };
	for (uint32_t i = 0; i < c->count; i++)
		for (uint32_t k = u->uses.at[c->at[i]]; k < u->uses.at[c->at[i] + 1]; k++)
			if (!follow(u, c, c->at[i], u->uses.next[k]))
				return false;
	const struct value *v = &u->code->values.at[load];
	if (c->store == NONE || c->kind == SUM_NONE || v->width != v->bytes || u->code->values.at[c->store].bytes != v->bytes)
		return false;
	for (uint32_t i = 1; i < c->count; i++)
		if (!is_well_fed(u, c, c->at[i]))
			return false;
	return is_wide_enough(u, c, v->bytes);
}

/* Nothing comes of it: it may be put where nobody looks, or into a computation nobody uses. */
static bool is_unused(const struct updates *u, uint32_t value, unsigned depth)
{
	for (uint32_t i = u->uses.at[value]; i < u->uses.at[value + 1]; i++) {
		uint32_t user = u->uses.next[i];
		const struct value *v = &u->code->values.at[user];
		const uint32_t *operands = code_operands(u->code, v);
		bool dropped = v->op == OP_STORE && operands[0] != value && is_dropped(u, operands[0]);
		bool computed = v->op == OP_MIX || v->op == OP_SAME || v->op == OP_TRUTH;
		if (!dropped && !(computed && depth && is_unused(u, user, depth - 1)))
			return false;
	}
	return true;
}

static void look_at(struct updates *u, uint32_t function)
{
	const struct function *f = &u->code->functions.at[function];
	struct chain chain;
	for (uint32_t i = f->first; i < f->first + f->count; i++) {
		const struct value *v = &u->code->values.at[i];
		if (v->op == OP_RMW && v->sum != SUM_NONE && v->width == v->bytes && is_unused(u, i, UNUSED_DEEP)) {
			u->of[i] = (struct update){ v->sum == SUM_SUB ? (uint8_t)SUM_ADD : v->sum, i, i };
		} else if (v->op == OP_LOAD && !(v->flags & VALUE_ATOMIC) && chain_of(u, &chain, i)) {
			u->of[i] = u->of[chain.store] = (struct update){ chain.kind, i, chain.store };
			u->ends[chain.store] += u->ends[chain.store] < 2;
		}
	}
	for (uint32_t i = f->first; i < f->first + f->count; i++)
		if (u->of[i].kind != SUM_NONE && u->ends[u->of[i].store] > 1)
			u->of[i].kind = SUM_NONE;
}

struct update updates_at(struct updates *u, uint32_t value)
{
	check(value < u->code->values.count);
	uint32_t function = u->code->values.at[value].function;
	if (function == NONE)
		return (struct update){ 0 };
	if (!u->looked[function])
		look_at(u, function);
	u->looked[function] = 1;
	return u->of[value];
}

struct updates *updates_new(const struct code *c)
{
	struct updates *u = mem_take(sizeof *u);
	u->code = c;
	uses_make(&u->uses, c);
	u->looked = mem_take(c->functions.count + 1);
	u->of = mem_take((c->values.count + 1) * sizeof *u->of);
	u->ends = mem_take(c->values.count + 1);
	return u;
}

void updates_free(struct updates *u)
{
	if (!u)
		return;
	graph_release(&u->uses);
	mem_free(u->looked);
	mem_free(u->of);
	mem_free(u->ends);
	mem_free(u);
}
