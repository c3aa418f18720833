/* model/addresses.c -- see addresses.h. */
#include "model/addresses.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "model/model.h"

static bool is_thread_local(const struct code *c, const struct thing *t)
{
	return t->kind == THING_GLOBAL && c->globals.at[t->index].flags & GLOBAL_THREAD;
}

/* May the value be the address of a heap block (stacks: of a local, a thread-local variable)?  known: an address it is, but of what is not seen. */
static bool holds_block(const struct code *c, const struct pointers *p, uint32_t value, bool known, bool stacks)
{
	for (uint32_t i = 0; i < points_count(p->points, value); i++) {
		const struct thing *t = &p->things.at[points_at(p->points, value, i).object];
		if ((stacks ? t->kind == THING_STACK || is_thread_local(c, t) : t->kind == THING_HEAP) || (known && t->kind == THING_OUTSIDE))
			return true;
	}
	return false;
}

/* Counts with it, asks which is lower, or finds a place by it. */
static bool counts_with_addresses(const struct code *c, const struct pointers *p, const struct value *v, bool stacks)
{
	if (v->flags & VALUE_RANGE && (v->op == OP_MIX || v->op == OP_TRUTH))
		return false;
	if (v->op != OP_MIX && v->op != OP_STEP && !(v->op == OP_TRUTH && v->flags & VALUE_ORDERS))
		return false;
	for (uint32_t i = v->op == OP_STEP; i < v->operand_count; i++) {
		uint32_t operand = code_operands(c, v)[i];
		if (holds_block(c, p, operand, (v->flags | c->values.at[operand].flags) & VALUE_ADDRESS, stacks))
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- what threads are called */

struct names_of_threads {
	const struct code *c;
	const struct pointers *p;
	bool *is_name;                          /* by value: may be one */
	bool *has_name;                         /* by thing: may hold one */
};

static const char *name_of_callee(const struct code *c, const struct value *v)
{
	const struct value *callee = &c->values.at[code_operands(c, v)[0]];
	return callee->op == OP_FUNCTION ? code_text(c, c->functions.at[callee->number].name) : "";
}

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static bool makes_thread(const char *name)
{
	return !strcmp(name, "pthread_create") || !strcmp(name, "thrd_create") || begins(name, "_ZNSt6thread15_M_start_thread");
}

/* Functions that do the same whatever a thread is called. */
static bool takes_names(const char *name)
{
	if (begins(name, "pthread_") || begins(name, "thrd_"))
		return !strstr(name, "_equal");
	return (begins(name, "_ZNSt") || begins(name, "_ZNKSt") || begins(name, "_ZSt")) && !strstr(name, "ltNSt6thread2id") && !strstr(name, "ssNSt6thread2id") &&
		!strstr(name, "hash");
}

/* Everything the value may point to. */
static bool mark(const struct names_of_threads *n, uint32_t value)
{
	bool more = false;
	for (uint32_t i = 0; i < points_count(n->p->points, value); i++) {
		bool *has = &n->has_name[points_at(n->p->points, value, i).object];
		more |= !*has;
		*has = true;
	}
	return more;
}

static bool reads_name(const struct names_of_threads *n, const struct value *v)
{
	uint32_t from = code_operands(n->c, v)[0];
	for (uint32_t i = 0; i < points_count(n->p->points, from); i++)
		if (n->has_name[points_at(n->p->points, from, i).object])
			return true;
	return false;
}

/* One of these operands, from `first`. */
static bool takes_name(const struct names_of_threads *n, const struct value *v, uint32_t first)
{
	for (uint32_t i = first; i < v->operand_count; i++)
		if (n->is_name[code_operands(n->c, v)[i]])
			return true;
	return false;
}

/* Did it learn something? */
static bool follow(struct names_of_threads *n, uint32_t number)
{
	const struct value *v = &n->c->values.at[number];
	bool is = n->is_name[number];
	switch (v->op) {
	case OP_CALL: return makes_thread(name_of_callee(n->c, v)) && v->operand_count > 1 && mark(n, code_operands(n->c, v)[1]);
	case OP_STORE: return n->is_name[code_operands(n->c, v)[1]] && mark(n, code_operands(n->c, v)[0]);
	case OP_LOAD: n->is_name[number] |= reads_name(n, v); break;
	case OP_SAME: case OP_PICK: n->is_name[number] |= takes_name(n, v, 0); break;
	default: break;
	}
	return is != n->is_name[number];
}

static bool has_constant(const struct code *c, const struct value *v)
{
	for (uint32_t i = 0; i < v->operand_count; i++)
		if (c->values.at[code_operands(c, v)[i]].op == OP_CONSTANT)
			return true;
	return false;
}

static bool counts_with_names(const struct names_of_threads *n, const struct value *v)
{
	switch (v->op) {
	case OP_TRUTH: return takes_name(n, v, 0) && (v->flags & VALUE_ORDERS || !has_constant(n->c, v));
	case OP_CALL: return takes_name(n, v, 1) && !takes_names(name_of_callee(n->c, v));
	case OP_STEP: case OP_RMW: case OP_CAS: return takes_name(n, v, 1);
	case OP_MIX: case OP_RETURN: case OP_BRANCH: case OP_ASM: return takes_name(n, v, 0);
	default: return false;
	}
}

static struct names_of_threads names_of_threads(const struct code *c, const struct pointers *p)
{
	struct names_of_threads n = { c, p, mem_take(c->values.count + 1), mem_take(p->things.count + 1) };
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < c->values.count; i++)
			more |= follow(&n, i);
	}
	return n;
}

/* ---------------------------------------------------------------- the questions */

static bool ask(const char *object, char *where, size_t room, bool stacks)
{
	struct model *m;
	struct err why;
	bool found = false;
	snprintf(where, room, "code that cannot be looked at");
	if (model_open(&m, &object, 1, MODEL_AS_BUILT, &why) < 0)
		return true;
	const struct code *c = model_code(m);
	const struct pointers *p = model_pointers(m);
	struct names_of_threads n = { c, p, NULL, NULL };
	if (stacks)
		n = names_of_threads(c, p);
	for (uint32_t i = 0; i < c->values.count && !found; i++) {
		const struct value *v = &c->values.at[i];
		found = v->function != NONE && v->block != NONE && (counts_with_addresses(c, p, v, stacks) || (stacks && counts_with_names(&n, v)));
		if (found)
			snprintf(where, room, "%.100s", code_text(c, c->functions.at[v->function].name));
	}
	mem_free(n.is_name);
	mem_free(n.has_name);
	model_close(m);
	return found;
}

bool addresses_counted(const char *object, char *where, size_t room) { return ask(object, where, room, false); }
bool stacks_counted(const char *object, char *where, size_t room) { return ask(object, where, room, true); }
