/* model/addresses.c -- see addresses.h. */
#include "model/addresses.h"

#include <stdio.h>

#include "model/model.h"

/* May the value be the address of a heap block?  known: an address it is, but of what is not seen. */
static bool holds_block(const struct pointers *p, uint32_t value, bool known)
{
	for (uint32_t i = 0; i < points_count(p->points, value); i++) {
		uint8_t kind = p->things.at[points_at(p->points, value, i).object].kind;
		if (kind == THING_HEAP || (known && kind == THING_OUTSIDE))
			return true;
	}
	return false;
}

/* Counts with it, asks which is lower, or finds a place by it. */
static bool counts_with_addresses(const struct code *c, const struct pointers *p, const struct value *v)
{
	if (v->flags & VALUE_RANGE && (v->op == OP_MIX || v->op == OP_TRUTH))
		return false;
	if (v->op != OP_MIX && v->op != OP_STEP && !(v->op == OP_TRUTH && v->flags & VALUE_ORDERS))
		return false;
	for (uint32_t i = v->op == OP_STEP; i < v->operand_count; i++) {
		uint32_t operand = code_operands(c, v)[i];
		if (holds_block(p, operand, (v->flags | c->values.at[operand].flags) & VALUE_ADDRESS))
			return true;
	}
	return false;
}

bool addresses_counted(const char *object, char *where, size_t room)
{
	struct model *m;
	struct err why;
	bool found = false;
	snprintf(where, room, "code that cannot be looked at");
	if (model_open(&m, &object, 1, MODEL_AS_BUILT, &why) < 0)
		return true;
	const struct code *c = model_code(m);
	const struct pointers *p = model_pointers(m);
	for (uint32_t i = 0; i < c->values.count && !found; i++) {
		const struct value *v = &c->values.at[i];
		found = v->function != NONE && v->block != NONE && counts_with_addresses(c, p, v);
		if (found)
			snprintf(where, room, "%.100s", code_text(c, c->functions.at[v->function].name));
	}
	model_close(m);
	return found;
}
