/* analyses/epa/returned.c -- a value its function returned.  A caller that is watched has an event of what it was given, if it has a use for it, and would deviate:
 * so nobody used the value.  One that is not watched, as qsort() of a comparison, may have used it: that it did nothing else for it is its logic. */
#include <stdio.h>
#include <string.h>

#include "analyses/epa/following.h"
#include "base/str.h"

/* Do all ways out of its function return the value, or none? */
enum returns { RETURNS_NEVER, RETURNS_SOMETIMES, RETURNS_ALWAYS };

static enum returns returns_it(const struct code *c, const struct function *f, uint32_t value)
{
	unsigned all = 0, with = 0;
	for (uint32_t i = f->first; i < f->first + f->count; i++)
		if (c->values.at[i].op == OP_RETURN) {
			all++;
			for (uint32_t k = 0; k < c->values.at[i].operand_count; k++)
				with += code_operands(c, &c->values.at[i])[k] == value;
		}
	return !with ? RETURNS_NEVER : with == all ? RETURNS_ALWAYS : RETURNS_SOMETIMES;
}

const char *following_callee(const struct following *x, const struct function *f)
{
	const char *name = code_text(following_code(x), f->name);
	return str_starts(name, "raddle_lib_") ? name + strlen("raddle_lib_") : name;
}

static enum fate masked_in(struct following *x, const char *name)
{
	snprintf(x->by, sizeof x->by, "in %s", name);
	return FATE_MASKED;
}

/* ---- as the trace tells it ---- */

/* Backwards from an event: the one that begins the activation it is in, SIZE_MAX: there is none, or it cannot be told. */
static size_t entry_before(const struct canon_lane *lane, size_t at)
{
	unsigned depth = 0;
	while (at-- > 0) {
		unsigned kind = canon_at(lane, at)->kind;
		if (kind == EV_LANDED)
			return SIZE_MAX;                /* functions were left without a word */
		if (kind == EV_ENTER && depth-- == 0)
			return at;
		depth += kind == EV_LEAVE;
	}
	return SIZE_MAX;
}

/* The call an activation was entered by: the last of who was running.  A call in place of a return belongs to one that was left.  false: nobody of the program
 * made it; SIZE_MAX: it cannot be told. */
static bool call_before(const struct canon_lane *lane, size_t entry, size_t *call)
{
	unsigned depth = 0;
	for (size_t at = entry; at-- > 0;) {
		unsigned kind = canon_at(lane, at)->kind;
		*call = kind == EV_CALL ? at : SIZE_MAX;
		if (kind == EV_LANDED || (depth == 0 && (kind == EV_CALL || kind == EV_ENTER)))
			return true;
		depth += kind == EV_LEAVE;
		depth -= kind == EV_ENTER;
	}
	return false;
}

static bool is_watched(const struct following *x, const char *name)
{
	const struct code *c = following_code(x);
	for (uint32_t i = 0; i < c->functions.count; i++) {
		const struct function *f = &c->functions.at[i];
		if ((f->flags & (FUNCTION_DEFINED | FUNCTION_UNWATCHED)) == FUNCTION_DEFINED && !strcmp(code_text(c, f->name), name))
			return true;
	}
	return false;
}

static enum fate outside_the_program(struct following *x, const struct canon_lane *lane, const char *function)
{
	if (!strcmp(function, "main"))
		return masked_in(x, "exit");            /* which takes eight bits of it */
	return strchr(lane->path, '_') != strrchr(lane->path, '_') ? FATE_DEAD : FATE_UNEXPLAINED;      /* the result of a thread: who looks at it has an event */
}

enum fate follow_returned(struct following *x, const struct canon_lane *lane, size_t leave, uint32_t value)
{
	const struct code *c = following_code(x);
	const struct names_book *b = x->canon->book;
	const struct function *f = &c->functions.at[c->values.at[value].function];
	enum returns returns = returns_it(c, f, value);
	size_t entry = entry_before(lane, leave), call;
	if (returns != RETURNS_ALWAYS)
		return returns == RETURNS_NEVER ? FATE_DEAD : FATE_UNEXPLAINED;
	if (entry == SIZE_MAX)
		return FATE_UNEXPLAINED;
	if (!call_before(lane, entry, &call))
		return outside_the_program(x, lane, code_text(c, f->name));
	if (call == SIZE_MAX)
		return FATE_UNEXPLAINED;
	const struct named_place *p = &b->place.at[canon_at(lane, call)->place];
	const char *called = book_say(b, p->variable);
	if (!*called)
		return FATE_UNEXPLAINED;                /* through a pointer */
	if (!strcmp(called, code_text(c, f->name)) || !strcmp(called, book_say(b, b->place.at[canon_at(lane, entry)->place].function)))
		return FATE_DEAD;
	if (is_watched(x, called))
		return FATE_UNEXPLAINED;
	x->at = canon_at(lane, call)->place;
	return masked_in(x, called);
}

/* ---- as the code has it ---- */

struct callers { unsigned direct, other; const char *library; bool thread; };

static void note_caller(const struct following *x, struct callers *who, uint32_t function, uint32_t user)
{
	const struct code *c = following_code(x);
	const struct value *v = &c->values.at[user];
	const uint32_t *operands = code_operands(c, v);
	if (v->op != OP_CALL || !v->operand_count || c->values.at[operands[0]].op != OP_FUNCTION) {
		who->other++;
		return;
	}
	const struct function *callee = &c->functions.at[c->functions.at[c->values.at[operands[0]].number].leader];
	if (operands[0] == function)
		who->direct++;
	else if (callee->flags & FUNCTION_DEFINED || (who->library && strcmp(who->library, following_callee(x, callee))))
		who->other++;
	else
		who->library = following_callee(x, callee);
}

enum fate follow_callers(struct following *x, const struct function *f)
{
	const struct code *c = following_code(x);
	const struct graph *g = &x->fates->uses;
	struct callers who = { 0 };
	if (!strcmp(code_text(c, f->name), "main"))
		return masked_in(x, "exit");
	for (uint32_t i = g->at[f->value]; i < g->at[f->value + 1]; i++)
		note_caller(x, &who, f->value, g->next[i]);
	for (size_t i = 0; i < c->inits.count; i++)
		who.other += c->inits.at[i].value == f->value;
	if (who.other || f->same != NONE || !(f->flags & FUNCTION_LOCAL ? who.direct || who.library : who.direct > 0) || (who.direct && who.library))
		return FATE_UNEXPLAINED;
	if (who.direct || !strcmp(who.library, "pthread_create"))
		return FATE_DEAD;
	return masked_in(x, who.library);
}
