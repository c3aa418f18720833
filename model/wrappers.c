/* model/wrappers.c -- finds functions that hand out what they allocated: every value returned is null or comes, through casts, choices
 * and fixed steps, from calls that allocate, and the pointer goes nowhere else.  Calls of such a function allocate too, so wrappers
 * of wrappers are found in rounds. */
#include "model/pointers.h"
#include "model/uses.h"

#include <string.h>

#define ROUNDS 6
#define SOURCES_MAX 8
#define WALK_MAX 200

static bool has_letter(const struct effects *e, const char *letters)
{
	for (uint32_t i = 0; i < e->count; i++)
		if (strchr(letters, e->at[i].letter))
			return true;
	return false;
}

static bool allocates(const struct pointers *p, uint32_t value)
{
	const struct value *v = &p->code->values.at[value];
	if (v->op != OP_CALL)
		return false;
	const struct effects *e = pointers_library(p, v);
	if (e)
		return has_letter(e, "n") && !has_letter(e, "ro");
	uint32_t f = pointers_direct(p->code, code_operands(p->code, v)[0]);
	return f != NONE && p->code->functions.at[f].same == NONE && p->wrapped_count[p->code->functions.at[f].leader] > 0;
}

struct search { struct pointers *p; const struct graph *uses; struct wrapped found[SOURCES_MAX]; uint32_t count, steps; uint32_t seen[WALK_MAX]; };

static bool was_seen(struct search *s, uint32_t value)
{
	for (uint32_t i = 0; i < s->steps; i++)
		if (s->seen[i] == value)
			return true;
	if (s->steps < WALK_MAX)
		s->seen[s->steps] = value;
	s->steps++;
	return false;
}

/* Where a returned value comes from.  false: from somewhere that is no allocation here. */
static bool find_sources(struct search *s, uint32_t value, int64_t offset)
{
	const struct code *c = s->p->code;
	const struct value *v = &c->values.at[value];
	if (v->op == OP_CONSTANT || was_seen(s, value))
		return true;
	if (s->steps >= WALK_MAX)
		return false;
	if (allocates(s->p, value)) {
		if (s->count == SOURCES_MAX)
			return false;
		s->found[s->count++] = (struct wrapped){ value, offset };
		return true;
	}
	if (v->op == OP_STEP)
		return !v->bytes && find_sources(s, code_operands(c, v)[0], offset + v->number);
	if (v->op != OP_PICK && v->op != OP_SAME)
		return false;
	for (uint32_t i = 0; i < v->operand_count; i++)
		if (!find_sources(s, code_operands(c, v)[i], offset))
			return false;
	return true;
}

static bool goes_nowhere_else(struct search *s, uint32_t value);

static bool use_is_harmless(struct search *s, uint32_t value, uint32_t user)
{
	const struct code *c = s->p->code;
	const struct value *u = &c->values.at[user];
	const uint32_t *operands = code_operands(c, u);
	switch (u->op) {
	case OP_LOAD: case OP_TRUTH: case OP_RETURN: case OP_BRANCH:
		return true;
	case OP_STORE: case OP_RMW:
		return operands[1] != value;
	case OP_CAS:
		return operands[1] != value && operands[2] != value;
	case OP_STEP:
		return operands[0] == value && goes_nowhere_else(s, user);
	case OP_SAME: case OP_PICK:
		return goes_nowhere_else(s, user);
	case OP_CALL: {
		const struct effects *e = pointers_library(s->p, u);
		return e && operands[0] != value && !has_letter(e, "iDIHKTXSAUEV") && (!has_letter(e, "r") || goes_nowhere_else(s, user)) &&
			!(has_letter(e, "C") && u->operand_count > 2 && operands[2] == value);
	}
	default:
		return false;
	}
}

static bool goes_nowhere_else(struct search *s, uint32_t value)
{
	if (was_seen(s, value))
		return true;
	if (s->steps >= WALK_MAX)
		return false;
	for (uint32_t i = s->uses->at[value]; i < s->uses->at[value + 1]; i++)
		if (!use_is_harmless(s, value, s->uses->next[i]))
			return false;
	return true;
}

static bool is_wrapper(struct search *s, const struct function *f)
{
	const struct code *c = s->p->code;
	for (uint32_t v = f->first; v < f->first + f->count; v++)
		if (c->values.at[v].op == OP_RETURN)
			for (uint32_t i = 0; i < c->values.at[v].operand_count; i++)
				if (!find_sources(s, code_operands(c, &c->values.at[v])[i], 0))
					return false;
	for (uint32_t i = 0; i < s->count; i++) {
		s->steps = 0;
		if (!goes_nowhere_else(s, s->found[i].call))
			return false;
	}
	return s->count > 0;
}

void wrappers_find(struct pointers *p)
{
	const struct code *c = p->code;
	struct graph uses;
	uses_make(&uses, c);
	bool changed = true;
	for (int round = 0; round < ROUNDS && changed; round++) {
		changed = false;
		for (uint32_t i = 0; i < c->functions.count; i++) {
			const struct function *f = &c->functions.at[i];
			struct search s = { .p = p, .uses = &uses };
			if (!(f->flags & FUNCTION_DEFINED) || p->wrapped_count[i] || !is_wrapper(&s, f))
				continue;
			p->wrapped_at[i] = (uint32_t)p->wrapped.count;
			p->wrapped_count[i] = s.count;
			for (uint32_t k = 0; k < s.count; k++)
				vec_push(&p->wrapped, s.found[k]);
			changed = true;
		}
	}
	graph_release(&uses);
}
