/* model/link.c -- names that mean the same thing in several units: variables become one, a function called by name may be any
 * definition of that name, as the linker chooses only one of them but does not say which. */
#include <string.h>

#include "base/map.h"
#include "model/code.h"

struct leaders { uint32_t *at; size_t count, room; };     /* by name */

static const char *name_of(const struct code *c, uint32_t offset, size_t *length)
{
	const char *text = code_text(c, offset);
	*length = strlen(text);
	return text;
}

/* The first defined one leads; if none is, the first. */
static void link_globals(struct code *c)
{
	struct names names = { 0 };
	struct leaders leaders = { 0 };
	for (uint32_t i = 0; i < c->globals.count; i++) {
		struct global *g = &c->globals.at[i];
		size_t length;
		const char *text = name_of(c, g->name, &length);
		g->leader = i;
		if (g->flags & GLOBAL_LOCAL)
			continue;
		uint32_t id = names_put(&names, text, length);
		if (id == leaders.count)
			vec_push(&leaders, i);
		else if (g->flags & GLOBAL_DEFINED && !(c->globals.at[leaders.at[id]].flags & GLOBAL_DEFINED))
			leaders.at[id] = i;
	}
	for (uint32_t i = 0; i < c->globals.count; i++) {
		struct global *g = &c->globals.at[i];
		size_t length;
		const char *text = name_of(c, g->name, &length);
		if (!(g->flags & GLOBAL_LOCAL))
			g->leader = leaders.at[names_get(&names, text, length)];
	}
	names_release(&names);
	vec_release(&leaders);
}

uint32_t code_behind(const struct code *c, uint32_t value)
{
	for (int depth = 0; depth < 64; depth++) {
		const struct value *v = &c->values.at[value];
		if (v->op != OP_SAME || v->operand_count != 1 || v->function != NONE)
			break;
		value = code_operands(c, v)[0];
	}
	return value;
}

static void enter(struct code *c, struct names *names, struct leaders *leaders, uint32_t name, uint32_t function)
{
	size_t length;
	const char *text = name_of(c, name, &length);
	uint32_t id = names_put(names, text, length);
	struct function *f = &c->functions.at[function];
	if (id == leaders->count) {
		vec_push(leaders, function);
	} else if (leaders->at[id] != function && f->same == NONE) {
		struct function *leader = &c->functions.at[leaders->at[id]];
		f->same = leader->same;
		leader->same = function;
	}
}

static void link_functions(struct code *c)
{
	struct names names = { 0 };
	struct leaders leaders = { 0 };
	for (uint32_t i = 0; i < c->functions.count; i++)
		c->functions.at[i].same = NONE, c->functions.at[i].leader = i;
	for (uint32_t i = 0; i < c->functions.count; i++)
		if ((c->functions.at[i].flags & (FUNCTION_DEFINED | FUNCTION_LOCAL)) == FUNCTION_DEFINED)
			enter(c, &names, &leaders, c->functions.at[i].name, i);
	for (size_t i = 0; i < c->aliases.count; i++) {
		const struct value *v = &c->values.at[code_behind(c, c->aliases.at[i].value)];
		if (v->op == OP_FUNCTION)
			enter(c, &names, &leaders, c->aliases.at[i].name, (uint32_t)v->number);
	}
	for (uint32_t i = 0; i < c->functions.count; i++) {
		struct function *f = &c->functions.at[i];
		size_t length;
		const char *text = name_of(c, f->name, &length);
		uint32_t id = f->flags & FUNCTION_LOCAL ? NO_NAME : names_get(&names, text, length);
		if (id != NO_NAME)
			f->leader = leaders.at[id];
	}
	names_release(&names);
	vec_release(&leaders);
}

void code_link(struct code *c)
{
	link_globals(c);
	link_functions(c);
}
