/* model/truth.c -- see truth.h. */
#include "model/truth.h"

struct truth { bool known; uint64_t value; unsigned bits; };

static const struct truth unknown;

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

/* Control came into block `into` from block `from`, as truth_way() has it, and straight on from there to where the value is looked at. */
static struct truth of(const struct supposed *s, uint32_t value, uint32_t into, uint32_t from, unsigned depth);

/* Two truths: what one of them alone decides is known without the other. */
static struct truth joined(const struct supposed *s, const struct value *v, uint32_t into, uint32_t from, unsigned depth)
{
	bool both = v->how == HOW_BOTH;
	struct truth a = of(s, code_operands(s->code, v)[0], into, from, depth + 1);
	struct truth b = of(s, code_operands(s->code, v)[v->how == HOW_EITHER_LAST ? 2 : 1], into, from, depth + 1);
	if ((a.known && (a.value != 0) != both) || (b.known && (b.value != 0) != both))
		return (struct truth){ true, !both, 1 };
	return a.known && b.known ? (struct truth){ true, both, 1 } : unknown;
}

/* What the way control came brought: the same by all edges from there, or not known. */
static struct truth picked(const struct supposed *s, const struct value *v, uint32_t from, unsigned depth)
{
	const struct code *c = s->code;
	struct truth found = unknown;
	bool any = false;
	for (uint32_t i = 0; i < v->operand_count; i++) {
		size_t at = (size_t)v->number + i;
		if (c->from.at[at] != from)
			continue;
		struct truth one = c->brings.at[at].bits ? (struct truth){ true, (uint64_t)c->brings.at[at].number, c->brings.at[at].bits }
			: of(s, code_operands(c, v)[i], NONE, NONE, depth);
		one.value = cut(one.value, one.bits);
		if (any && (!one.known || !found.known || one.value != found.value))
			return unknown;
		found = one;
		any = true;
	}
	return found;
}

static struct truth of(const struct supposed *s, uint32_t value, uint32_t into, uint32_t from, unsigned depth)
{
	const struct value *v = &s->code->values.at[value];
	if (value == s->read)
		return (struct truth){ true, cut(s->value, v->bytes * 8), v->bytes * 8 };
	if (!value || depth == TRUTH_DEPTH)
		return unknown;
	if (value == s->call)
		return of(s, s->back, NONE, NONE, depth + 1);
	if (v->op == OP_PICK)
		return v->block == into && from != NONE ? picked(s, v, from, depth + 1) : unknown;
	if (v->how == HOW_BOTH || v->how == HOW_EITHER || v->how == HOW_EITHER_LAST)
		return joined(s, v, into, from, depth + 1);
	if (v->how < HOW_KEEP || v->how > HOW_SLE)
		return unknown;
	struct truth x = of(s, code_operands(s->code, v)[0], into, from, depth + 1);
	if (!x.known)
		return unknown;
	bool compares = v->how >= HOW_EQ;
	return (struct truth){ true, compute(v->how, x.value, (uint64_t)v->number, v->bytes, x.bits), compares ? 1 : v->bytes };
}

uint32_t truth_way(const struct supposed *s, uint32_t block, uint32_t into, uint32_t from)
{
	const struct code *c = s->code;
	const struct block *b = &c->blocks.at[block];
	const struct value *last = &c->values.at[b->first + b->count - 1];
	bool decides = last->flags & VALUE_DECIDES && b->next_count == 2;
	if (last->op != OP_BRANCH || last->operand_count != 1 || (!decides && !(last->flags & VALUE_SWITCHES)))
		return NONE;
	struct truth is = of(s, code_operands(c, last)[0], into, from, 0);
	if (!is.known)
		return NONE;
	if (decides)
		return is.value ? 0 : 1;
	for (uint32_t i = 1; i < b->next_count; i++)
		if (cut((uint64_t)c->cases.at[(size_t)last->number + i - 1], last->bytes) == cut(is.value, last->bytes))
			return i;
	return 0;
}
