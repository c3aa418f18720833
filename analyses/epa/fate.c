/* analyses/epa/fate.c -- see fate.h.  Registers: the uses of one instruction, looked for in the activation of its function the fault was made in.
 * Where that is left, returned.c goes on; unseen.c does it in steered runs.  Memory: every access to the bytes that are wrong, of all threads, in the order of the golden run. */
#include "analyses/epa/fate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/following.h"
#include "base/str.h"
#include "model/uses.h"
#include "trace/sites.h"

const char *const fate_words[] = { "overwritten", "dead", "logically masked", "never activated", "unexplained" };

enum fate fate_said(const char *text)
{
	for (int i = 0; i < FATE_COUNT; i++)
		if (str_starts(text, fate_words[i]))
			return (enum fate)i;
	return FATE_UNEXPLAINED;
}

struct fates *fates_new(const char *program)
{
	struct fates *f = mem_take(sizeof *f);
	struct err why;
	if (model_open(&f->model, &program, 1, MODEL_AS_BUILT, &why) < 0)
		f->model = NULL;
	if (f->model) {
		uses_make(&f->uses, model_code(f->model));
		outside_index(f);
	}
	return f;
}

void fates_free(struct fates *f)
{
	if (!f)
		return;
	if (f->model)
		graph_release(&f->uses);
	map_release(&f->calls);
	model_close(f->model);
	mem_free(f);
}

/* ---- values in registers ---- */

static uint32_t function_of(const struct following *x, const char *unit, const char *linkage)
{
	const struct code *c = following_code(x);
	for (uint32_t i = 0; i < c->functions.count; i++) {
		const struct function *f = &c->functions.at[i];
		if (f->flags & FUNCTION_DEFINED && !strcmp(code_text(c, f->name), linkage) && f->unit < c->units.count &&
			!strcmp(code_text(c, c->units.at[f->unit].name), unit))
			return i;
	}
	return NONE;
}

uint32_t following_instruction(const struct following *x, const struct fault_place *s)
{
	const struct code *c = following_code(x);
	uint32_t function = function_of(x, s->unit, s->linkage);
	if (function == NONE)
		return NONE;
	const struct function *f = &c->functions.at[function];
	if (s->kind == PLACE_RESULT || s->kind == PLACE_ARGUMENT)
		return s->ordinal < f->count ? f->first + s->ordinal : NONE;
	return s->ordinal < f->site_count ? c->sites.at[f->site_at + s->ordinal] : NONE;
}

/* As a site, and as what gives a result. */
void following_identities(const struct following *x, identity_list *all, uint32_t value)
{
	const struct code *c = following_code(x);
	const struct value *v = &c->values.at[value];
	if (v->function == NONE || v->block == NONE)
		return;
	const struct function *f = &c->functions.at[v->function];
	const char *unit = code_text(c, c->units.at[f->unit].name), *linkage = code_text(c, f->name);
	if (v->ordinal != NONE)
		vec_push(all, site_identity(unit, linkage, v->ordinal));
	vec_push(all, site_identity(unit, linkage, RESULT_ORDINAL + (value - f->first)));
}

bool following_is(const struct canon *c, uint32_t place, const identity_list *all)
{
	uint64_t identity = strtoull(book_say(c->book, c->book->place.at[place].own), NULL, 16);
	for (size_t i = 0; identity && i < all->count; i++)
		if (all->at[i] == identity)
			return true;
	return false;
}

/* Of the users of a value those that compute something of it: a phi that took it would have it, and so would what it is stored to or returned. */
static void add_users(const struct following *x, identity_list *all, uint32_t value)
{
	const struct graph *g = &x->fates->uses;
	for (uint32_t i = g->at[value]; i < g->at[value + 1]; i++)
		if (following_code(x)->values.at[g->next[i]].op != OP_PICK)
			following_identities(x, all, g->next[i]);
}

/* Assembly leaves no event of what it does with a value. */
static bool is_given_to_assembly(const struct following *x, uint32_t value)
{
	const struct graph *g = &x->fates->uses;
	for (uint32_t i = g->at[value]; i < g->at[value + 1]; i++)
		if (following_code(x)->values.at[g->next[i]].op == OP_ASM)
			return true;
	return false;
}

/* From there on, in the activation that is running: does one of the users come before the value is made anew? */
static enum fate follow_uses(struct following *x, const struct canon_lane *lane, size_t from, uint32_t value)
{
	identity_list users = { 0 }, self = { 0 };
	uint8_t *known = mem_take(x->canon->book->place.count + 1);     /* 1 a user, 2 itself, 3 neither */
	enum fate fate = FATE_DEAD;
	unsigned depth = 0;
	add_users(x, &users, value);
	following_identities(x, &self, value);
	for (size_t i = from; i < lane->count; i++) {
		const struct canon_event *e = canon_at(lane, i);
		if (e->kind == EV_LEAVE && depth-- == 0) {
			fate = follow_returned(x, lane, i, value);
			break;
		}
		depth += e->kind == EV_ENTER;
		if (depth || e->kind >= CANON_MORE || e->kind == EV_ENTER || e->kind == EV_LEAVE)
			continue;
		if (!known[e->place])
			known[e->place] = following_is(x->canon, e->place, &users) ? 1 : following_is(x->canon, e->place, &self) ? 2 : 3;
		if (known[e->place] == 1) {
			fate = FATE_MASKED;
			x->at = e->place;
		}
		if (known[e->place] < 3 && !(known[e->place] == 2 && e->kind == EV_ARGUMENT))
			break;
	}
	mem_free(known);
	vec_release(&users);
	vec_release(&self);
	if (fate == FATE_DEAD && is_given_to_assembly(x, value)) {
		snprintf(x->by, sizeof x->by, "assembly may have used it");
		return FATE_UNEXPLAINED;
	}
	return fate;
}

/* ---- arguments ---- */

/* The lane of the thread the next FORK makes. */
static const struct canon_lane *child_of(const struct following *x)
{
	const struct names_book *b = x->canon->book;
	for (size_t i = x->fault; i < x->lane->count; i++)
		if (canon_at(x->lane, i)->kind == EV_FORK) {
			const char *path = book_say(b, b->thing.at[canon_at(x->lane, i)->thing].text);
			for (uint32_t k = 0; k < x->canon->lane_count; k++)
				if (!strcmp(x->canon->lanes[k].path, path))
					return &x->canon->lanes[k];
			return NULL;
		}
	return NULL;
}

static enum fate follow_parameter(struct following *x, const struct canon_lane *lane, size_t from, const struct function *f, uint32_t which)
{
	if (which >= f->param_count || !lane)
		return FATE_UNEXPLAINED;
	while (from < lane->count && canon_at(lane, from)->kind != EV_ENTER)
		from++;
	return follow_uses(x, lane, from + 1, f->param_at + which);
}

static enum fate follow_argument(struct following *x)
{
	const struct code *c = following_code(x);
	uint32_t call = following_instruction(x, x->judged->place), which = x->judged->place->part - 1u;
	if (call == NONE || c->values.at[call].op != OP_CALL || !c->values.at[call].operand_count)
		return FATE_UNEXPLAINED;
	const uint32_t *operands = code_operands(c, &c->values.at[call]);
	const struct value *callee = &c->values.at[operands[0]];
	if (callee->op != OP_FUNCTION)
		return FATE_UNEXPLAINED;
	const struct function *f = &c->functions.at[c->functions.at[callee->number].leader];
	const char *name = following_callee(x, f);
	if (f->flags & FUNCTION_DEFINED)
		return follow_parameter(x, x->lane, x->fault + 1, f, which);
	if (!strcmp(name, "pthread_create") && which == 3 && c->values.at[call].operand_count > 4 && c->values.at[operands[3]].op == OP_FUNCTION)
		return follow_parameter(x, child_of(x), 0, &c->functions.at[c->functions.at[c->values.at[operands[3]].number].leader], 0);
	snprintf(x->by, sizeof x->by, "in %s", name);
	x->at = canon_at(x->lane, x->fault)->place;
	return FATE_MASKED;
}

/* ---- memory ---- */

struct touch { uint64_t order; uint8_t bytes; bool writes, library; uint32_t place; };
typedef VEC(struct touch) touch_list;

static int by_order(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Bytes of what a thread waits for, wakes or holds by this event; 0: of nothing. */
static uint64_t lock_bytes(const struct canon_event *e)
{
	switch (e->kind) {
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_LOCKDEAD:
		return lock_type_bytes(e->value >> 8);
	case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST:
		return lock_type_bytes(LOCK_COND);
	case EV_BENTER: case EV_BLEAVE:
		return lock_type_bytes(LOCK_BARRIER);
	case EV_SWAIT: case EV_SPOST:
		return lock_type_bytes(LOCK_SEM);
	case EV_ONCE: case EV_ONCERUN: case EV_FWAIT:
		return 4;
	default:
		return 0;
	}
}

/* Which of the eight bytes from `offset` on lie in these. */
static uint8_t common_bytes(uint64_t offset, uint64_t other, uint64_t count)
{
	uint8_t mask = 0;
	for (unsigned i = 0; i < 8; i++)
		if (offset + i - other < count)
			mask |= (uint8_t)(1u << i);
	return mask;
}

static void add_touches(touch_list *out, const struct canon_lane *lane, const struct canon_event *w, uint64_t after)
{
	for (size_t i = 0; i < lane->count; i++) {
		const struct canon_event *e = canon_at(lane, i);
		if (e->thing != w->thing || lane->order.at[i] <= after)
			continue;
		bool library = e->kind == EV_LIBREAD || e->kind == EV_LIBWRITE || e->kind == EV_COPY || e->kind == EV_INPUT || e->kind == EV_OUTPUT;
		bool plain = e->kind == EV_READ || e->kind == EV_WRITE || (e->kind < CANON_MORE && event_class(e->kind) == CLASS_ATOMIC);
		uint64_t lock = library || plain ? 0 : lock_bytes(e);
		if (!library && !plain && !lock)
			continue;
		uint8_t bytes = common_bytes(w->offset, e->offset, lock ? lock : plain ? e->size : e->value);
		bool writes = e->flags & CANON_WRITES || e->kind == EV_LIBWRITE || e->kind == EV_COPY || e->kind == EV_INPUT;
		if (bytes)
			vec_push(out, ((struct touch){ lane->order.at[i], bytes, writes, library, e->place }));
	}
}

static uint8_t wrong_bytes(const struct fault_order *o)
{
	uint64_t differs = o->before ^ o->after;
	uint8_t mask = 0;
	for (unsigned i = 0; i < 8; i++)
		if (differs >> 8 * i & 255)
			mask |= (uint8_t)(1u << i);
	return mask;
}

/* When the memory is no longer there: it is a variable of the function that wrote to it, and that is left.  A steered run does not tell. */
static uint64_t left_at(const struct following *x)
{
	unsigned depth = 0;
	if (x->judged->config->schedule || !follow_is_local(x))
		return UINT64_MAX;
	for (size_t i = x->fault + 1; i < x->lane->count; i++) {
		unsigned kind = canon_at(x->lane, i)->kind;
		if (kind == EV_LANDED)
			return UINT64_MAX;              /* functions were left without a word */
		if (kind == EV_LEAVE && depth-- == 0)
			return x->lane->order.at[i];
		depth += kind == EV_ENTER;
	}
	return UINT64_MAX;
}

/* What was touched first, if the bytes were read; else until when nobody that is watched read them. */
static enum fate first_touch(struct following *x, const touch_list *all, uint8_t wrong, uint64_t *until)
{
	uint64_t left = left_at(x);
	for (size_t i = 0; i < all->count && all->at[i].order < left; i++) {
		const struct touch *t = &all->at[i];
		if (!(t->bytes & wrong))
			continue;
		x->at = t->place;
		*until = t->order;
		if (!t->writes)
			return t->library ? FATE_MASKED : FATE_UNEXPLAINED;     /* locks are read unseen, as far as they need it */
		if (!(wrong &= (uint8_t)~t->bytes))
			return FATE_OVERWRITTEN;
	}
	*until = left;
	return FATE_DEAD;
}

/* When its memory was given back, if it was: nobody may look there afterwards. */
static uint64_t given_back(const struct following *x, const struct canon_event *w, uint64_t after)
{
	uint64_t first = UINT64_MAX;
	for (uint32_t k = 0; k < x->canon->lane_count; k++)
		for (size_t i = 0; i < x->canon->lanes[k].count; i++) {
			const struct canon_event *e = canon_at(&x->canon->lanes[k], i);
			uint64_t when = x->canon->lanes[k].order.at[i];
			if (e->kind == EV_FREE && e->thing == w->thing && when > after && when < first)
				first = when;
		}
	return first;
}

static enum fate follow_memory(struct following *x)
{
	const struct canon_event *w = canon_at(x->lane, x->fault);
	uint64_t from = x->lane->order.at[x->fault], until;
	touch_list all = { 0 };
	if (!w->thing)
		return FATE_UNEXPLAINED;
	for (uint32_t i = 0; i < x->canon->lane_count; i++)
		add_touches(&all, &x->canon->lanes[i], w, from);
	if (all.count)
		qsort(all.at, all.count, sizeof *all.at, by_order);
	enum fate fate = first_touch(x, &all, wrong_bytes(x->judged->order), &until);
	vec_release(&all);
	if (fate == FATE_DEAD && until == UINT64_MAX)
		until = given_back(x, w, from);
	if ((fate == FATE_OVERWRITTEN || fate == FATE_DEAD) && follow_outside(x, from, until))
		return FATE_UNEXPLAINED;
	return fate;
}

/* ---- all of them ---- */

static bool calls_itself(const struct code *c, uint32_t function)
{
	const struct function *f = &c->functions.at[function];
	for (uint32_t i = f->first; i < f->first + f->count; i++) {
		const struct value *v = &c->values.at[i];
		if (v->op == OP_CALL && v->operand_count && c->values.at[code_operands(c, v)[0]].op == OP_FUNCTION &&
			c->values.at[code_operands(c, v)[0]].number == (int64_t)function)
			return true;
	}
	return false;
}

static enum fate follow(struct following *x)
{
	const struct judged *j = x->judged;
	if (!j->order->made || j->order->op == FAULT_DELAY)
		return FATE_NEVER;
	if (j->place->kind == PLACE_CALL)
		return FATE_DEAD;                       /* what the call would have done */
	if (j->order->width && j->order->before == j->order->after)
		return FATE_NEVER;
	if (!x->lane || x->fault >= x->lane->count || j->place->kind == PLACE_ATOMIC || (j->config->schedule && j->place->kind == PLACE_ARGUMENT))
		return FATE_UNEXPLAINED;
	x->at = canon_at(x->lane, x->fault)->place;
	if (j->place->kind == PLACE_BRANCH)
		return FATE_MASKED;                     /* both ways lead there */
	if (j->place->kind == PLACE_WRITE)
		return follow_memory(x);
	if (!x->fates->model)
		return FATE_UNEXPLAINED;
	if (j->place->kind == PLACE_ARGUMENT)
		return follow_argument(x);
	uint32_t value = following_instruction(x, j->place);
	if (j->config->schedule && value != NONE && calls_itself(following_code(x), following_code(x)->values.at[value].function))
		return FATE_UNEXPLAINED;                /* steered traces do not say when a function is entered and left */
	if (value == NONE)
		return FATE_UNEXPLAINED;
	return j->config->schedule ? follow_unseen(x, x->fault + 1, value) : follow_uses(x, x->lane, x->fault + 1, value);
}

enum fate fate_of(struct fates *f, const struct judged *j, size_t fault, char *into, size_t room)
{
	struct following x = { .fates = f, .judged = j, .canon = &j->golden->canon, .fault = fault };
	char where[300];
	for (uint32_t i = 0; i < x.canon->lane_count; i++)
		if (!strcmp(x.canon->lanes[i].path, j->site->thread))
			x.lane = &x.canon->lanes[i];
	enum fate fate = follow(&x);
	bool told = (fate == FATE_OVERWRITTEN || fate == FATE_MASKED) && x.at;
	snprintf(into, room, "%s%s%s%s%s", fate_words[fate], told ? " at " : "", told ? book_where(x.canon->book, x.at, where, sizeof where) : "",
		!*x.by ? "" : fate == FATE_UNEXPLAINED ? ": " : " ", x.by);
	return fate;
}
