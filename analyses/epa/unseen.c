/* analyses/epa/unseen.c -- uses the trace of a steered run does not tell: by calls, branches and returns.  Between two events of a function the code has ways that
 * have no event on them: a use all of them pass was made, one that none passes was not; else it cannot be told.  A function may be left and entered again there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/following.h"
#include "base/map.h"
#include "base/str.h"

#define STRETCHES 2000u                 /* looked at for one value */

/* ---- ways without an event ---- */

struct ways {
	const struct code *code;
	const struct function *function;
	uint8_t *told;                          /* of each instruction: it has an event */
	uint8_t *been;                          /* of each block */
	uint32_t *stack;
	uint32_t count;
	VEC(uint32_t) landings;                 /* calls of setjmp: whoever jumps comes back behind one of them */
};

struct reached { bool to, out, user; };

/* Can the function be left in this call: by exit(), an exception, a jump?  Libraries come back, unless they call the program. */
static bool call_may_leave(const struct code *c, const struct value *v)
{
	const uint32_t *operands = code_operands(c, v);
	if (!v->operand_count || c->values.at[operands[0]].op != OP_FUNCTION)
		return true;
	if (c->functions.at[c->functions.at[c->values.at[operands[0]].number].leader].flags & FUNCTION_DEFINED)
		return true;
	for (uint32_t i = 1; i < v->operand_count; i++)
		if (c->values.at[operands[i]].op == OP_FUNCTION)
			return true;
	return false;
}

static void push_behind(struct ways *w, uint32_t instruction)
{
	const struct block *b = &w->code->blocks.at[w->code->values.at[instruction].block];
	if (instruction + 1 < b->first + b->count) {
		w->stack[w->count++] = instruction + 1;
		return;
	}
	for (uint32_t i = 0; i < b->next_count; i++) {
		uint32_t next = w->code->next.at[b->next_at + i];
		if (!w->been[next - w->function->block_at]) {
			w->been[next - w->function->block_at] = 1;
			w->stack[w->count++] = w->code->blocks.at[next].first;
		}
	}
}

/* To the end of a block, or to where this way ends. */
static void go_on(struct ways *w, uint32_t at, uint32_t to, uint32_t user, struct reached *r)
{
	const struct block *b = &w->code->blocks.at[w->code->values.at[at].block];
	for (; at < b->first + b->count; at++) {
		const struct value *v = &w->code->values.at[at];
		r->user |= at == user;
		r->to |= at == to;
		if (at == user || at == to || w->told[at - w->function->first])
			return;
		bool ends = v->op == OP_RETURN || (v->op == OP_END && v->flags & VALUE_LEAVES);
		r->out |= ends || (v->op == OP_CALL && call_may_leave(w->code, v));
		if (ends)
			return;
	}
	push_behind(w, at - 1);
}

/* What the ways from behind an instruction (NONE: from the beginning) lead to; none goes on behind `to` or `user`. */
static struct reached reach(struct ways *w, uint32_t from, uint32_t to, uint32_t user)
{
	struct reached r = { 0 };
	memset(w->been, 0, w->function->block_count);
	w->count = 0;
	if (from == NONE)
		w->stack[w->count++] = w->code->blocks.at[w->function->block_at].first;
	else
		push_behind(w, from);
	while (w->count)
		go_on(w, w->stack[--w->count], to, user, &r);
	return r;
}

/* Can an event be the next one of a run that has left the function: called again, or jumped to? */
static bool can_come_back(struct ways *w, uint32_t to)
{
	bool can = to == NONE || reach(w, NONE, to, NONE).to;
	for (size_t i = 0; i < w->landings.count && !can; i++)
		can = reach(w, w->landings.at[i], to, NONE).to;
	return can;
}

enum made { MADE_NOT, MADE_PERHAPS, MADE };

/* Was the user executed between these two events?  to: NONE, there is none any more. */
static enum made is_made(struct ways *w, uint32_t from, uint32_t to, uint32_t user)
{
	const struct value *v = &w->code->values.at[user];
	if (user == to)
		return MADE;
	struct reached round = reach(w, from, to, user);
	if (!round.user)
		return MADE_NOT;
	bool again = can_come_back(w, to);
	struct reached behind = v->op == OP_RETURN ? (struct reached){ .out = true } : reach(w, user, to, NONE);
	behind.out |= v->op == OP_CALL && call_may_leave(w->code, v);
	if (!behind.to && !(again && behind.out))
		return MADE_NOT;
	return round.to || (again && round.out) ? MADE_PERHAPS : MADE;
}

static bool has_event(const struct fault_place *s)
{
	if (s->kind == PLACE_ATOMIC)
		return true;
	return (s->kind == PLACE_READ || s->kind == PLACE_WRITE || s->kind == PLACE_RESULT) && s->elements == 1 && s->size && s->size <= 8 && !(s->size & (s->size - 1));
}

static bool is_named(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names))
		names++;
	return *names;
}

static bool jumps(const char *name)
{
	static const char *const names[] = { "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "setcontext", "swapcontext", NULL };
	return is_named(name, names);
}

static bool is_landing(const struct following *x, const struct value *v)
{
	static const char *const names[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "swapcontext", NULL };
	const struct code *c = following_code(x);
	const struct value *callee = v->op == OP_CALL && v->operand_count ? &c->values.at[code_operands(c, v)[0]] : NULL;
	return callee && callee->op == OP_FUNCTION && is_named(following_callee(x, &c->functions.at[c->functions.at[callee->number].leader]), names);
}

static void ways_make(struct ways *w, const struct following *x, uint32_t function)
{
	const struct code *c = following_code(x);
	const struct fault_places *p = &x->judged->golden->places;
	const struct function *f = &c->functions.at[function];
	*w = (struct ways){ .code = c, .function = f, .told = mem_take(f->count + 1), .been = mem_take(f->block_count + 1),
		.stack = mem_take((f->block_count + 2) * sizeof *w->stack) };
	for (uint32_t i = f->first; i < f->first + f->count; i++)
		if (is_landing(x, &c->values.at[i]))
			vec_push(&w->landings, i);
	for (size_t i = 0; i < p->all.count; i++) {
		const struct fault_place *s = &p->all.at[i];
		if (!has_event(s) || strcmp(s->linkage, x->judged->place->linkage) || strcmp(s->unit, x->judged->place->unit))
			continue;
		uint32_t instruction = following_instruction(x, s);
		if (instruction - f->first < f->count)
			w->told[instruction - f->first] = 1;
	}
}

static void ways_release(struct ways *w)
{
	mem_free(w->told);
	mem_free(w->been);
	mem_free(w->stack);
	vec_release(&w->landings);
}

/* ---- who uses it ---- */

struct use { uint32_t user, value; };           /* value: what of it is used, itself or what was made of it without an event */
typedef VEC(struct use) use_list;

struct uses {
	identity_list told;                     /* users that have events */
	use_list unseen;
	bool unsure;                            /* there is one that cannot be followed */
};

static bool is_intrinsic(const struct code *c, const struct value *v)
{
	const struct value *callee = v->operand_count ? &c->values.at[code_operands(c, v)[0]] : NULL;
	return callee && callee->op == OP_FUNCTION && c->functions.at[callee->number].flags & FUNCTION_INTRINSIC;
}

static void add_uses(struct following *x, const struct ways *w, uint32_t value, unsigned depth, struct uses *out)
{
	const struct graph *g = &x->fates->uses;
	for (uint32_t i = g->at[value]; i < g->at[value + 1]; i++) {
		uint32_t user = g->next[i];
		const struct value *v = &w->code->values.at[user];
		bool told = user - w->function->first < w->function->count && w->told[user - w->function->first];
		if ((v->op == OP_CALL && !is_intrinsic(w->code, v)) || v->op == OP_ASM || v->op == OP_RETURN || v->op == OP_BRANCH)
			vec_push(&out->unseen, ((struct use){ user, value }));
		else if (told && v->op != OP_PICK)
			following_identities(x, &out->told, user);
		else if (told)
			continue;                       /* had it taken the value, it would have it */
		else if (v->op == OP_PICK || v->op == OP_STORE || depth == 8)
			out->unsure = true;
		else
			add_uses(x, w, user, depth + 1, out);
	}
}

/* ---- what they did with it ---- */

/* Where that is, by the tables. */
static void note_where(struct following *x, uint32_t user, const char *in)
{
	const struct fault_places *p = &x->judged->golden->places;
	const struct fault_place *at = NULL;
	for (size_t i = 0; i < p->all.count && !at; i++) {
		const struct fault_place *s = &p->all.at[i];
		if ((s->kind == PLACE_CALL || s->kind == PLACE_BRANCH) && s->line && s->ordinal == following_code(x)->values.at[user].ordinal &&
			!strcmp(s->linkage, x->judged->place->linkage) && !strcmp(s->unit, x->judged->place->unit))
			at = s;
	}
	x->at = 0;
	if (at)
		snprintf(x->by, sizeof x->by, "at %.200s:%u%s%.150s", at->file, at->line, *in ? " in " : "", in);
	else
		snprintf(x->by, sizeof x->by, "%s%.150s", *in ? "in " : "", in);
}

/* One function of the program called another, which came back before event `until`: did that one use its parameter? */
static enum fate parameter_of(struct following *x, size_t from, size_t until, uint32_t parameter)
{
	const struct graph *g = &x->fates->uses;
	identity_list users = { 0 };
	enum fate fate = FATE_UNEXPLAINED;
	if (g->at[parameter] == g->at[parameter + 1])
		return FATE_DEAD;
	for (uint32_t i = g->at[parameter]; i < g->at[parameter + 1]; i++) {
		unsigned op = following_code(x)->values.at[g->next[i]].op;
		if (op != OP_PICK && op != OP_CALL)
			following_identities(x, &users, g->next[i]);
	}
	for (size_t i = from; i < until && fate != FATE_MASKED; i++)
		if (canon_at(x->lane, i)->kind < CANON_MORE && following_is(x->canon, canon_at(x->lane, i)->place, &users)) {
			fate = FATE_MASKED;
			x->at = canon_at(x->lane, i)->place;
		}
	vec_release(&users);
	return fate;
}

static enum fate given_to(struct following *x, size_t from, size_t until, struct use use)
{
	const struct code *c = following_code(x);
	const struct value *call = &c->values.at[use.user];
	const uint32_t *operands = code_operands(c, call);
	if (!call->operand_count || c->values.at[operands[0]].op != OP_FUNCTION)
		return FATE_UNEXPLAINED;
	const struct function *f = &c->functions.at[c->functions.at[c->values.at[operands[0]].number].leader];
	const char *name = following_callee(x, f);
	bool creates = !strcmp(name, "pthread_create") && call->operand_count > 4 && operands[4] == use.value;
	if (creates)
		return FATE_UNEXPLAINED;                /* another thread has it now */
	if (jumps(name)) {                              /* setjmp gives it */
		note_where(x, use.user, name);
		return FATE_UNEXPLAINED;
	}
	if (!(f->flags & FUNCTION_DEFINED) || f->flags & FUNCTION_UNWATCHED) {
		note_where(x, use.user, name);
		return FATE_MASKED;
	}
	enum fate fate = FATE_DEAD;
	for (uint32_t i = 1; i < call->operand_count && fate == FATE_DEAD; i++)
		if (operands[i] == use.value)
			fate = i > f->param_count ? FATE_UNEXPLAINED : parameter_of(x, from, until, f->param_at + i - 1);
	return fate;
}

static enum fate used_by(struct following *x, size_t from, size_t until, struct use use)
{
	const struct value *v = &following_code(x)->values.at[use.user];
	switch (v->op) {
	case OP_BRANCH:
		note_where(x, use.user, "");
		return FATE_MASKED;                     /* both ways lead there */
	case OP_RETURN:
		x->at = 0;
		return follow_callers(x, &following_code(x)->functions.at[v->function]);
	case OP_CALL:
		return given_to(x, from, until, use);
	default:
		return FATE_UNEXPLAINED;
	}
}

/* ---- from event to event ---- */

struct seen {                                   /* events of the function, as instructions */
	struct map of;                          /* identity -> instruction + 2 */
	uint32_t *known;                        /* by place: the same; 0 not asked yet, 1 none of them */
};

static void seen_make(struct seen *s, const struct following *x, const struct function *f)
{
	identity_list own = { 0 };
	*s = (struct seen){ .known = mem_take((x->canon->book->place.count + 1) * sizeof *s->known) };
	for (uint32_t i = f->first; i < f->first + f->count; i++) {
		own.count = 0;
		following_identities(x, &own, i);
		for (size_t k = 0; k < own.count; k++)
			*map_put(&s->of, own.at[k], NULL) = i + 2u;
	}
	vec_release(&own);
}

static uint32_t instruction_at(struct seen *s, const struct following *x, const struct canon_event *e)
{
	const struct names_book *b = x->canon->book;
	uint32_t *known = &s->known[e->place];
	if (e->kind >= CANON_MORE || e->kind == EV_CALL)
		return NONE;
	if (!*known) {
		uint64_t identity = strtoull(book_say(b, b->place.at[e->place].own), NULL, 16), *found = identity ? map_get(&s->of, identity) : NULL;
		*known = found ? (uint32_t)*found : 1;
	}
	return *known == 1 ? NONE : *known - 2;
}

/* The uses between two events, the first of which is `from`: FATE_MASKED, or dead, or unexplained. */
static enum fate look_between(struct following *x, struct ways *w, const struct uses *uses, uint32_t from, uint32_t to, size_t from_event, size_t to_event)
{
	enum fate fate = FATE_DEAD;
	for (size_t i = 0; i < uses->unseen.count && fate != FATE_MASKED; i++) {
		enum made made = is_made(w, from, to, uses->unseen.at[i].user);
		enum fate this = made == MADE_NOT ? FATE_DEAD : made == MADE ? used_by(x, from_event, to_event, uses->unseen.at[i]) : FATE_UNEXPLAINED;
		fate = this == FATE_DEAD ? fate : this;
	}
	return fate;
}

/* A thread that was ended from outside stopped anywhere. */
static bool has_ended(const struct canon_lane *lane)
{
	size_t last = lane->count;
	while (last > 0 && canon_at(lane, last - 1)->kind >= CANON_MORE)
		last--;
	return last > 0 && (canon_at(lane, last - 1)->kind == EV_END || canon_at(lane, last - 1)->kind == EV_EXIT);
}

static enum fate go_along(struct following *x, struct ways *w, const struct uses *uses, struct seen *seen, size_t from, uint32_t value)
{
	const struct canon_lane *lane = x->lane;
	uint32_t last = value, at = NONE;
	size_t last_event = from;
	unsigned stretches = 0;
	enum fate fate = uses->unsure ? FATE_UNEXPLAINED : FATE_DEAD;
	for (size_t i = from; i <= lane->count && at != value; i++) {
		bool end = i == lane->count;
		if (!end && (at = instruction_at(seen, x, canon_at(lane, i))) == NONE)
			continue;
		at = end ? NONE : at;
		enum fate between = stretches++ < STRETCHES && (!end || has_ended(lane)) ? look_between(x, w, uses, last, at, last_event, i)
			: uses->unseen.count ? FATE_UNEXPLAINED : FATE_DEAD;
		if (between == FATE_MASKED)
			return between;
		fate = between == FATE_DEAD ? fate : between;
		if (!end && following_is(x->canon, canon_at(lane, i)->place, &uses->told)) {
			x->at = canon_at(lane, i)->place;
			return FATE_MASKED;
		}
		last = at;
		last_event = i + 1;
	}
	return fate;
}

enum fate follow_unseen(struct following *x, size_t from, uint32_t value)
{
	struct ways ways;
	struct seen seen;
	struct uses uses = { 0 };
	ways_make(&ways, x, following_code(x)->values.at[value].function);
	add_uses(x, &ways, value, 0, &uses);
	seen_make(&seen, x, ways.function);
	enum fate fate = go_along(x, &ways, &uses, &seen, from, value);
	map_release(&seen.of);
	mem_free(seen.known);
	vec_release(&uses.told);
	vec_release(&uses.unseen);
	ways_release(&ways);
	return fate;
}
