/* analyses/determinism/access.c -- what one event touches: memory, files, what library functions keep between calls.
 * Of a cell (8 bytes) the last access of each thread, place and way is kept (trace/shadow.h); a new one meets those of other threads. */
#include "analyses/determinism/inside.h"

#include <stdio.h>
#include <string.h>

#define RANGE_MOST (16u << 20)          /* bytes of one library call that are looked at */

/* Nobody else came in between: all was asked then. */
static bool is_again(const struct brief *t, const struct brief *now, uint8_t mask, uint32_t version)
{
	return t->thread == now->thread && t->place == now->place && t->writes == now->writes && t->at == now->at && t->version == version &&
		(t->mask & mask) == mask;
}

/* The cell's entry of this thread, place and way that this access takes the place of, or NULL: it has no other bytes, or stands at the
 * same spot.  One met on the way that has the same bytes says what they are called. */
static struct brief *own_entry(const struct walk *w, struct cell *c, struct brief *now)
{
	bool update = w->commute && walk_updater(w, now->place);          /* of these bytes and no others */
	for (uint32_t i = 0; i < c->count; i++) {
		struct brief *t = &c->briefs[i];
		if (t->named == now->mask)
			now->object = t->object;
		if (t->thread == now->thread && t->place == now->place && t->writes == now->writes &&
			(update ? t->mask == now->mask : t->at == now->at || !(t->mask & ~now->mask))) {
			c->recent = i <= UINT16_MAX ? (uint16_t)i : 0;
			return t;
		}
	}
	return NULL;
}

static void touch_cell(struct walk *w, struct cell *c, uint64_t address, const struct brief *given, uint8_t mask)
{
	if (w->commute && given->writes)
		commute_written(w->commute, address & ~7ull, mask);
	if (c->last != given->thread + 1) {
		c->version++;
		c->last = given->thread + 1;
	}
	if (c->recent < c->count && is_again(&c->briefs[c->recent], given, mask, c->version))
		return;
	struct brief now = *given;
	now.mask = mask;
	struct brief *own = own_entry(w, c, &now);
	if (own && is_again(own, &now, mask, c->version))
		return;
	now.object = own ? own->object : now.object ? now.object : walk_object(w, address);
	now.named = own ? own->named : now.mask;
	for (uint32_t i = 0; i < c->count; i++) {
		struct brief *t = &c->briefs[i];
		if (t->thread != now.thread && (t->writes || now.writes) && t->mask & now.mask)
			walk_dependent(w, t, &now);
	}
	if (!own)
		own = shadow_brief_add(&w->shadow, c);
	now.mask |= own->mask;
	now.version = c->version;
	*own = now;
}

static void touch_range(struct walk *w, const struct brief *now, uint64_t start, uint64_t bytes)
{
	if (bytes > RANGE_MOST) {
		walk_doubt(w, "a library call on more memory than is looked at", w->places.at[now->place], 1);
		bytes = RANGE_MOST;
	}
	for (uint64_t at = start, end = start + bytes; at < end;) {
		uint64_t next = (at & ~7ull) + 8 < end ? (at & ~7ull) + 8 : end;
		touch_cell(w, shadow_cell(&w->shadow, at), at, now, (uint8_t)((0xffu >> (8 - (next - at))) << (at & 7)));
		at = next;
	}
}

/* How the others are told: instructions by "rdtsc instruction" and the like, devices by their path, all else are functions. */
static void doubt_source(struct walk *w, const char *name, int length, const char *rest, const struct place *where)
{
	char text[120];
	if (!strncmp(rest, " instruction", 12))
		snprintf(text, sizeof text, "the instruction %.*s may answer otherwise", length, name);
	else if (!strncmp(rest, " code", 5))
		snprintf(text, sizeof text, "%.*s: what it touches is not seen", length, name);
	else if (*name == '/')
		snprintf(text, sizeof text, "%.*s answers otherwise", length, name);
	else
		snprintf(text, sizeof text, "%.*s() may answer otherwise", length, name);
	walk_doubt(w, text, where, 1);
}

/* ---- library functions ---- */

void walk_find_variables(struct walk *w)
{
	uint64_t start, bytes;
	for (const struct source_variable *v = source_variables; v->name; v++)
		for (uint32_t nth = 0; trace_symbol_named(w->out->trace, v->name, nth, &start, &bytes) && w->variable_count < VARIABLES_MOST; nth++) {
			w->variables[w->variable_count].address = start;
			w->variables[w->variable_count].bytes = bytes > 64 ? 64 : bytes;
			w->variables[w->variable_count++].kept = v->kept;
		}
}

/* Something that holds for all of the run: what was looked at before may have to be looked at otherwise. */
static void learn(struct walk *w, uint8_t facts)
{
	if (facts & ~w->facts)
		w->again = true;
	w->facts |= facts;
}

/* Whoever reads or writes `environ` may also change what it leads to. */
void walk_look_back(struct walk *w)
{
	for (uint32_t i = 0; i < w->variable_count; i++) {
		const struct cell *c = shadow_cell(&w->shadow, w->variables[i].address);
		for (uint32_t k = 0; k < c->count && w->variables[i].kept == KEPT_ENVIRONMENT; k++)
			if (c->briefs[k].kind != EV_CALL && c->briefs[k].kind != EV_OUTCALL)
				learn(w, FACT_BY_HAND);
	}
}

static void touch_anything(struct walk *w, struct brief *now)
{
	now->writes = true;
	touch_range(w, now, KEPT_AT(KEPT_UNSEEN), 8);
}

static void touch_kept(struct walk *w, struct brief *now, uint32_t groups, bool writes)
{
	now->writes = writes;
	for (uint32_t k = 0; k < KEPT_COUNT && groups >> k; k++)
		if (groups >> k & 1 && !(k == KEPT_ZONE && !(w->facts & FACT_ENVIRONMENT)))     /* the same whoever makes it */
			touch_range(w, now, KEPT_AT(k), 8);
	for (uint32_t i = 0; i < w->variable_count; i++)
		if (groups >> w->variables[i].kept & 1) {
			now->writes = writes || w->variables[i].kept == KEPT_ZONE;      /* who asks first makes it */
			touch_range(w, now, w->variables[i].address, w->variables[i].bytes);
		}
}

/* What is known of the function called here. */
static void asks(struct walk *w, struct brief *now, const struct source *source, const char *name, size_t length, const struct place *where)
{
	if (source->answers)
		doubt_source(w, name, (int)length, "", where);
	if (source->everywhere)
		vec_push(&w->changes, ((struct change){ { now->thread, now->at }, where, trace_shown(w->out->trace, name) }));
	learn(w, source->facts);
	if (source->only & ~w->facts)
		return;
	touch_kept(w, now, source->reads, false);
	touch_kept(w, now, source->writes, true);
	if (w->facts & FACT_BY_HAND && (source->reads | source->writes) >> KEPT_ENVIRONMENT & 1)
		touch_anything(w, now);
}

/* By the first word; all that is not known by name may answer otherwise next time. */
static void outcall(struct walk *w, struct brief *now, const struct event *ev)
{
	char words[64];
	uint32_t length = 0, count = ev->byte_count < sizeof words - 1 ? ev->byte_count : (uint32_t)sizeof words - 1;
	memcpy(words, ev->bytes ? (const void *)ev->bytes : "", ev->bytes ? count : 0);
	words[ev->bytes ? count : 0] = 0;
	while (length < 40 && words[length] > ' ' && words[length] < 127)
		length++;
	const struct source *source = source_named(words, length);
	bool kept = source && (source->reads || source->writes);
	if (!kept && !(source && source->answers))
		doubt_source(w, words, (int)length, words + length, ev->place);
	else
		asks(w, now, source, words, length, ev->place);
}

/* What is called here, once a place and function; through a pointer each time. */
static struct callee look_up(struct walk *w, const struct event *ev)
{
	const char *name = ev->name ? ev->name : "", *target;
	const struct source *source = *name ? source_named(name, strlen(name)) : NULL;
	if (!w->uncovered && (!source || (source->handed && ev->arg)))
		w->uncovered = uncovered_new(w->out->trace);
	for (uint32_t nth = 0; !source && !ev->name && (target = uncovered_target(w->uncovered, ev, nth)); nth++) {
		source = source_named(target, strlen(target));
		name = source || !*name ? target : name;
	}
	bool kept = source && (source->reads || source->writes), known = kept || (source && (source->answers || source->everywhere));
	bool blind = source && (kept || source->blind) && source->handed && ev->arg;
	struct callee c = { known ? CALLED_KNOWN : CALLED_SEEN, blind, source, ev->object };
	if (!source || (source->handed && ev->arg && !known && !blind)) {
		enum sight sight = uncovered_sight(w->uncovered, ev);
		c.called = sight == SEEN ? CALLED_SEEN : sight == UNSEEN ? CALLED_UNSEEN : CALLED_PERHAPS;
	}
	if (c.called != CALLED_SEEN || blind)
		vec_push(&w->named, ((struct named){ ev->place, *name ? trace_shown(w->out->trace, name) : "" }));
	return c;
}

/* A call of code that is not watched: it may touch whatever others touch as long as others run. */
static void call(struct walk *w, struct brief *now, const struct event *ev)
{
	while (w->calls.count <= now->place)
		vec_push(&w->calls, ((struct callee){ .called = CALLED_NEW }));
	struct callee *c = &w->calls.at[now->place];
	if (c->called == CALLED_NEW || (!ev->name && (!ev->object || c->target != ev->object)))
		*c = look_up(w, ev);
	while (w->stays.count <= now->thread)
		vec_push(&w->stays, false);
	w->stays.at[now->thread] = c->source && c->source->stays;
	if (c->called == CALLED_KNOWN)
		asks(w, now, c->source, ev->name ? ev->name : "", ev->name ? strlen(ev->name) : 0, ev->place);
	if (c->called == CALLED_UNSEEN || c->aside) {
		touch_anything(w, now);
	} else if (c->called == CALLED_PERHAPS) {
		while (w->perhaps.count <= now->thread)
			vec_add(&w->perhaps);
		w->perhaps.at[now->thread] = *now;
		w->perhaps.at[now->thread].writes = true;
	}
}

/* The next thing the thread does: a function begins, a model says what it did, or nobody watched the one it called. */
void walk_after_call(struct walk *w, const struct event *ev)
{
	struct brief *called = ev->thread.i < w->perhaps.count ? &w->perhaps.at[ev->thread.i] : NULL;
	if (!called || !called->writes)
		return;
	w->row = NULL;
	if (!uncovered_is_answer(ev))
		touch_range(w, called, KEPT_AT(KEPT_UNSEEN), 8);
	*called = (struct brief){ 0 };
}

/* Whatever a thread touches, code nobody watches may touch at the same time: said once between two nodes of the order. */
static void touch_unseen(struct walk *w, const struct brief *now)
{
	static const struct place anywhere;
	while (w->spoke.count <= now->thread)
		vec_push(&w->spoke, 0);
	if (w->spoke.at[now->thread] == now->at + 1)
		return;
	w->spoke.at[now->thread] = now->at + 1;
	struct brief reads = *now;
	reads.place = walk_place(w, &anywhere);
	touch_range(w, &reads, KEPT_AT(KEPT_UNSEEN), 8);
}

static uint64_t word_of(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, 8);
	return word;
}

/* What came in or went out: the memory, the descriptor, and what else is kept of it. */
static void pass_through(struct walk *w, struct brief *now, const struct event *ev)
{
	now->writes = ev->kind == EV_INPUT;
	if (ev->object)
		touch_range(w, now, ev->object, ev->arg);
	now->writes = !(ev->kind == EV_INPUT && now->thread < w->stays.count && w->stays.at[now->thread]);
	if (ev->version)
		touch_range(w, now, MADE_UP | (ev->version - 1) << 3, 8);
	if (w->facts & FACT_COPIES)
		touch_range(w, now, KEPT_AT(KEPT_COPIES), 8);
	if (ev->version > 3) {
		now->writes = ev->kind == EV_OUTPUT;
		learn(w, now->writes ? FACT_FILES : 0);
		touch_range(w, now, KEPT_AT(KEPT_FILES), 8);
	}
	now->writes = false;
	touch_range(w, now, KEPT_AT(KEPT_PLACES), 8);
	if (ev->kind == EV_OUTPUT)                      /* what ends the process may come before it */
		touch_range(w, now, KEPT_AT(KEPT_END), 8);
}

void walk_look_at(struct walk *w, const struct event *ev, struct spot spot)
{
	struct brief now = { .thread = spot.thread, .at = spot.at, .index = ev->index, .kind = ev->kind };
	w->row = NULL;
	uint32_t updater = w->commute ? commute_note(w->commute, w->order, ev, spot) : 0;
	now.place = updater ? walk_update_place(w, ev->place, updater) : walk_place(w, ev->place);
	if (ev->kind != EV_CALL && ev->kind != EV_EXIT)
		touch_unseen(w, &now);
	switch (ev->kind) {
	case EV_READ: case EV_ALOAD:
		touch_range(w, &now, ev->object, ev->size);
		break;
	case EV_WRITE: case EV_ASTORE: case EV_RMW: case EV_CAS:
		now.writes = !(ev->kind == EV_CAS && ev->failed);
		touch_range(w, &now, ev->object, ev->size);
		break;
	case EV_LIBREAD:
		touch_range(w, &now, ev->object, ev->arg);
		break;
	case EV_LIBWRITE:
		now.writes = true;
		touch_range(w, &now, ev->object, ev->arg);
		break;
	case EV_COPY:
		if (ev->byte_count >= 8)
			touch_range(w, &now, word_of(ev->bytes), ev->arg);
		now.writes = true;
		touch_range(w, &now, ev->object, ev->arg);
		break;
	case EV_INPUT: case EV_OUTPUT:
		pass_through(w, &now, ev);
		break;
	case EV_EXIT:
		now.writes = true;
		touch_range(w, &now, KEPT_AT(KEPT_END), 8);
		break;
	case EV_CALL:
		call(w, &now, ev);
		break;
	case EV_OUTCALL:
		outcall(w, &now, ev);
		break;
	case EV_CHOICE:
		walk_doubt(w, "raddle_choose() may choose otherwise", ev->place, 1);
		break;
	}
}

/* Whoever gives memory back touches all that was touched there.  Of too much to look at nobody else may be about. */
static void give_back(struct walk *w, const struct event *ev, struct spot spot, uint64_t start, uint64_t bytes)
{
	struct brief now = { .thread = spot.thread, .at = spot.at, .index = ev->index, .kind = ev->kind, .writes = true };
	w->row = NULL;
	now.place = walk_place(w, ev->place);
	if (bytes > RANGE_MOST)
		vec_push(&w->changes, ((struct change){ spot, ev->place, NULL }));
	else
		touch_range(w, &now, start, bytes);
}

/* What the loader has for itself, as the blocks by which each thread finds its thread-local variables, is given back by whichever thread next looks for a stack. */
static bool is_loaders(const struct walk *w, uint64_t code)
{
	for (uint32_t i = 0; code && i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *x = trace_module(w->out->trace, i);
		const char *slash = strrchr(x->path, '/');
		if (code >= x->low && code < x->high)
			return !x->instrumented && !strncmp(slash ? slash + 1 : x->path, "ld-", 3);
	}
	return false;
}

/* Memory that begins a new life, or ends one. */
void walk_memory(struct walk *w, const struct event *ev, struct spot spot)
{
	const struct object *in;
	switch (ev->kind) {
	case EV_ALLOC: case EV_MAP: case EV_STACK: case EV_TLS:
		shadow_forget(&w->shadow, ev->object, ev->arg);
		break;
	case EV_REALLOC:
		in = ev->byte_count >= 8 ? objects_at(w->objects, word_of(ev->bytes)) : NULL;
		if (in && word_of(ev->bytes) == ev->object && in->start == ev->object)          /* in place, this time */
			give_back(w, ev, spot, in->start, in->bytes);
		if (in && word_of(ev->bytes) != ev->object)
			shadow_forget(&w->shadow, in->start, in->bytes);
		if (!in || word_of(ev->bytes) != ev->object)
			shadow_forget(&w->shadow, ev->object, ev->arg);
		else if (in->start == ev->object && ev->arg > WHOLE_WORDS(in->bytes))   /* what it grew by was somebody else's */
			shadow_forget(&w->shadow, ev->object + WHOLE_WORDS(in->bytes), ev->arg - WHOLE_WORDS(in->bytes));
		break;
	case EV_FREE:
		in = objects_at(w->objects, ev->object);
		if (in && in->start == ev->object && is_loaders(w, ev->code))
			shadow_forget(&w->shadow, in->start, in->bytes);
		else if (in && in->start == ev->object)
			give_back(w, ev, spot, in->start, in->bytes);
		break;
	case EV_UNMAP:
		in = objects_at(w->objects, ev->object);
		give_back(w, ev, spot, ev->object, ev->arg ? ev->arg : in ? in->bytes : 0);
		break;
	}
}
