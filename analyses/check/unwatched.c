/* analyses/check/unwatched.c -- see unwatched.h. */
#include "analyses/check/unwatched.h"

#include <stdio.h>
#include <string.h>

#include "analyses/check/calls.h"
#include "model/model.h"
#include "wire/interposed.h"
#include "wire/modelled.h"

static const struct function *function_of(const struct code *c, uint32_t value)
{
	const struct value *v = &c->values.at[value];
	return v->op == OP_FUNCTION ? &c->functions.at[v->number] : NULL;
}

/* The runtime stands in front of it, or has a model of it, which a call through a pointer finds too. */
static bool is_watched(const char *name)
{
	static const char *const names[] = {
#define X(name) #name,
		INTERPOSED(X) MODELLED(X)
#undef X
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "raddle_", 7) || calls_is_granted(name);
}

/* Of a library: its code is not here. */
static bool is_foreign(const struct code *c, uint32_t value)
{
	const struct function *f = function_of(c, value);
	return f && !(c->functions.at[f->leader].flags & (FUNCTION_DEFINED | FUNCTION_INTRINSIC)) && !is_watched(code_text(c, f->name));
}

static bool is_of_processor(const struct code *c, const struct value *v)
{
	const struct function *f = v->operand_count ? function_of(c, code_operands(c, v)[0]) : NULL;
	return f && !strncmp(code_text(c, f->name), "llvm.x86.", 9);
}

/* Memory that others may have: not a variable of the function itself. */
static bool is_outside(const struct code *c, uint32_t pointer)
{
	const struct value *v = &c->values.at[pointer];
	while (v->op == OP_STEP && v->operand_count)
		v = &c->values.at[code_operands(c, v)[0]];
	if (v->op == OP_GLOBAL)
		return !(c->globals.at[v->number].flags & (GLOBAL_CONSTANT | GLOBAL_THREAD));
	return v->op == OP_ARGUMENT || v->op == OP_LOAD;
}

/* What constructors of globals ask for is asked for before there are threads; by others the order of it may be decided. */
static bool is_for_the_end(const struct code *c, const struct value *v)
{
	const struct function *f = v->operand_count ? function_of(c, code_operands(c, v)[0]) : NULL;
	const char *name = f ? code_text(c, f->name) : "", *inside = code_text(c, c->functions.at[v->function].name);
	return (!strcmp(name, "atexit") || !strcmp(name, "__cxa_atexit")) && strncmp(inside, "_GLOBAL__", 9) && strncmp(inside, "__cxx_global_", 13);
}

static const char *unwatched_in(const struct code *c, const struct value *v)
{
	const uint32_t *operands = code_operands(c, v);
	if (v->op == OP_ASM)
		return "inline assembly";
	if (v->op == OP_CALL && is_of_processor(c, v))
		return "an instruction of the processor called by name";
	if (v->op == OP_CALL && is_for_the_end(c, v))
		return "what is to be done at the end of the program is asked for";
	for (uint32_t i = v->op == OP_CALL; i < v->operand_count; i++)
		if (is_foreign(c, operands[i]))
			return "a library function that may be called through a pointer";
	if ((v->op == OP_LOAD || v->op == OP_STORE) && v->ordinal == NONE && v->operand_count && is_outside(c, operands[0]))
		return "an access that is not recorded";
	return NULL;
}

static const char *find(const struct code *c, const char **where)
{
	const char *what;
	*where = "";
	for (uint32_t i = 0; i < c->functions.count; i++)
		if (c->functions.at[i].flags & FUNCTION_UNWATCHED) {
			*where = code_text(c, c->functions.at[i].name);
			return "a function whose accesses are not recorded";
		}
	for (uint32_t i = 0; i < c->inits.count; i++)
		if (is_foreign(c, c->inits.at[i].value))
			return "a library function that may be called through a pointer";
	for (uint32_t i = 0; i < c->values.count; i++) {
		const struct value *v = &c->values.at[i];
		if (v->function != NONE && v->block != NONE && (what = unwatched_in(c, v))) {
			*where = code_text(c, c->functions.at[v->function].name);
			return what;
		}
	}
	return NULL;
}

bool unwatched_code(const char *object, char *what, size_t room)
{
	struct model *m;
	struct err why;
	const char *where;
	if (model_open(&m, &object, 1, MODEL_AS_BUILT, &why) < 0) {
		snprintf(what, room, "its code cannot be looked at: %.200s", why.text);
		return true;
	}
	const char *found = find(model_code(m), &where);
	if (found)
		snprintf(what, room, "%s%s%.100s", found, *where ? ", in " : "", where);
	model_close(m);
	return found != NULL;
}
