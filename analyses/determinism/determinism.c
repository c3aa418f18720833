/* analyses/determinism/determinism.c -- see determinism.h.  Two walks: synchronisation into order/, then accesses over it. */
#include "analyses/determinism/determinism.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyses/determinism/sources.h"
#include "base/vec.h"
#include "trace/shadow.h"

#define RANGE_MOST (16u << 20)          /* bytes of one library call that are looked at */
#define MADE_UP    (1ull << 63)         /* addresses of what is no memory: files, and */
#define KEPT_AT(what) (MADE_UP | 1ull << 62 | (uint64_t)(what) << 3)    /* what functions keep, enum kept */
#define PLACE_BITS 20u
#define OBJECT_BITS 24u
#define STUCK_MORE 16u                  /* further questions of a pair whose reversal ended in deadlock */
#define UPDATE_TRIES 16u                 /* walks with updates, each banning some; then without any */
#define HARD_MOST  2u                   /* questions too hard, of a pair: it is not known, and others of it will hardly be easier */

#define RECENT_BITS 12u
struct recent { uint64_t key, pair; };
#define PLACES_BITS 8u
struct met { const struct place *place; uint32_t number; };
struct variable { uint64_t from, bytes; uint32_t object; };
struct refused { uint64_t key[2]; bool is; };           /* two spots that cannot change places */

struct walk {
	struct determinism *out;
	struct recent recent[1u << RECENT_BITS];        /* pairs met lately */
	struct refused refused[1u << RECENT_BITS];
	struct met met[1u << PLACES_BITS];              /* places met lately */
	struct variable variable;                       /* the one touched last */
	struct order *order;
	struct objects *objects;
	struct shadow shadow;
	struct map place_number, object_number, pair_number;    /* number + 1 */
	VEC(const struct place *) places;
	struct commute *commute;                        /* or NULL: nothing is known of updates */
	VEC(uint32_t) updater;                          /* by place: commute_note() */
	VEC(bool) plain_calls;                          /* by place: nothing is known of what is called there */
	VEC(const char *) object_names;
	VEC(struct pair) pairs;
	VEC(struct reason) reasons;
	const uint32_t *row;            /* must-order of the event at hand, once it was asked for */
	VEC(bool) tries;                /* by thread: the function it called last tries to take something */
	bool may_try[3];                /* of a steered run, which has no calls: the program knows such a function, of each enum tried */
	bool live, again;               /* the order is not complete yet; it must be walked again when it is */
};

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a == b || (a && b && a->line == b->line && !strcmp(a->file, b->file));
}

/* Each once a line of the source. */
static void reason(struct walk *w, const char *text, const struct place *where, uint64_t times)
{
	for (size_t i = 0; i < w->reasons.count; i++)
		if (!strcmp(w->reasons.at[i].text, text) && is_same_line(w->reasons.at[i].where, where)) {
			w->reasons.at[i].times += times;
			return;
		}
	*vec_add(&w->reasons) = (struct reason){ arena_text(&w->out->names, text, strlen(text)), where, times };
}

/* ---- numbers ---- */

static uint32_t number_of(struct map *m, uint64_t key, uint64_t count, uint32_t bits)
{
	bool fresh;
	uint64_t *slot = map_put(m, key, &fresh);
	if (fresh)
		*slot = count < (1u << bits) - 1 ? count : (1u << bits) - 1;    /* all beyond are one */
	return (uint32_t)*slot;
}

static uint32_t place_number(struct walk *w, const struct place *place)
{
	struct met *met = &w->met[((uintptr_t)place * 0x9e3779b97f4a7c15ull) >> (64 - PLACES_BITS)];
	if (met->place == place)
		return met->number;
	uint32_t n = number_of(&w->place_number, (uint64_t)(uintptr_t)place, w->places.count, PLACE_BITS);
	if (n == w->places.count)
		vec_push(&w->places, place);
	*met = (struct met){ place, n };
	return n;
}

/* A place that makes updates under other locks is another place. */
static uint32_t update_place(struct walk *w, const struct place *place, uint32_t updater)
{
	uint32_t n = number_of(&w->place_number, (uint64_t)(uintptr_t)place ^ (uint64_t)updater << 48, w->places.count, PLACE_BITS);
	if (n == w->places.count)
		vec_push(&w->places, place);
	while (w->updater.count <= n)
		vec_push(&w->updater, 0);
	w->updater.at[n] = updater;
	return n;
}

static uint32_t updater_of(const struct walk *w, uint32_t place)
{
	return place < w->updater.count ? w->updater.at[place] : 0;
}

static const char *made_up_name(uint64_t address, char *into, size_t room)
{
	if (address >> 62 & 1)
		return kept_name((enum kept)(address >> 3 & 0xff));
	snprintf(into, room, "output to file %u", (unsigned)(address >> 3 & 0xffff));
	return into;
}

/* What lies at an address: one number for all objects allocated at one place, for a variable, for all stacks. */
static uint32_t object_number(struct walk *w, uint64_t address)
{
	char text[256];
	uint64_t key = address & ~7ull, offset = 0;
	if (address - w->variable.from < w->variable.bytes)
		return w->variable.object;
	const struct object *in = address & MADE_UP ? NULL : objects_at(w->objects, address);
	const char *symbol = in || address & MADE_UP ? NULL : trace_symbol(w->out->trace, address, &offset);
	if (in)
		key = in->kind == OBJECT_STACK || in->kind == OBJECT_TLS ? in->kind : (uint64_t)(uintptr_t)in->place ^ 1;
	else if (symbol)
		key = address - offset;
	uint32_t n = number_of(&w->object_number, key, w->object_names.count + 1, OBJECT_BITS);
	if (n == w->object_names.count + 1) {
		const char *name = address & MADE_UP ? made_up_name(address, text, sizeof text)
			: objects_name(w->objects, address - offset, text, sizeof text);
		vec_push(&w->object_names, arena_text(&w->out->names, name, strlen(name)));
	}
	if (symbol && trace_symbol_range(w->out->trace, address, &w->variable.from, &w->variable.bytes))
		w->variable.object = n;
	return n;
}

static struct pair *pair_of(struct walk *w, uint32_t a, uint32_t b, uint32_t object)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	uint64_t key = low << (PLACE_BITS + OBJECT_BITS) | high << OBJECT_BITS | object;
	struct recent *recent = &w->recent[(key * 0x9e3779b97f4a7c15ull) >> (64 - RECENT_BITS)];
	bool fresh;
	if (recent->key == key)                 /* 0 is no key: objects begin with 1 */
		return &w->pairs.at[recent->pair];
	uint64_t *slot = map_put(&w->pair_number, key, &fresh);
	if (fresh) {
		*slot = w->pairs.count;
		*vec_add(&w->pairs) = (struct pair){ .object = w->object_names.at[object - 1] };
	}
	*recent = (struct recent){ key, *slot };
	return &w->pairs.at[*slot];
}

/* ---- one dependent pair ---- */

static void pair_ask(struct walk *w, struct pair *p, struct pair_end first, struct pair_end second)
{
	if (!p->asked || p->answer == ORDER_NO) {
		p->first = first;
		p->second = second;
	}
	p->times++;
	uint64_t key[2] = { (uint64_t)first.spot.thread << 32 | first.spot.at, (uint64_t)second.spot.thread << 32 | second.spot.at };
	struct refused *refused = &w->refused[((key[0] * 0x9e3779b97f4a7c15ull) ^ (key[1] * 0xc2b2ae3d27d4eb4full)) >> (64 - RECENT_BITS)];
	if (refused->is && !memcmp(refused->key, key, sizeof key)) {
		if (!p->asked)
			p->asked = true, p->answer = ORDER_NO;
		return;
	}
	enum order_answer answer = order_reversible(w->order, first.spot, second.spot, NULL, NULL);
	bool better = !p->asked || p->answer == ORDER_NO || (p->answer == ORDER_UNKNOWN && answer != ORDER_NO) ||
		(p->answer == ORDER_STUCK && answer == ORDER_YES);
	p->asked = true;
	p->hard += answer == ORDER_UNKNOWN;
	if (answer == ORDER_NO)
		*refused = (struct refused){ { key[0], key[1] }, true };
	if (better) {
		p->answer = answer;
		p->first = first;
		p->second = second;
	}
}

/* Does a have fewer bytes of the eight than b? */
static bool is_narrower(uint8_t a, uint8_t b)
{
	for (; a && b; a &= (uint8_t)(a - 1))
		b &= (uint8_t)(b - 1);
	return b;
}

static void dependent(struct walk *w, const struct brief *before, const struct brief *now)
{
	bool narrower = now->mask != before->mask && is_narrower(now->mask, before->mask);
	struct pair *p = pair_of(w, before->place, now->place, narrower ? now->object : before->object);
	if (p->asked && (p->answer == ORDER_YES || (p->answer == ORDER_STUCK && p->times > STUCK_MORE) || p->hard >= HARD_MOST))
		return;
	if (!w->row)
		w->row = order_row(w->order, (struct spot){ now->thread, now->at });
	bool ordered = w->row[before->thread] > before->at;
	if (ordered && p->first.place)
		return;
	struct pair_end first = { { before->thread, before->at }, before->index, w->places.at[before->place], before->kind, before->writes };
	struct pair_end second = { { now->thread, now->at }, now->index, w->places.at[now->place], now->kind, now->writes };
	if (ordered) {
		p->first = first;
		p->second = second;
		return;
	}
	if (w->commute && before->mask == now->mask && commute_pair(w->commute, updater_of(w, before->place), updater_of(w, now->place))) {
		if (!p->first.place) {
			p->first = first;
			p->second = second;
		}
		p->same = true;
	} else if (w->live) {
		w->again = true;
	} else {
		pair_ask(w, p, first, second);
	}
}

/* ---- one access ---- */

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
	bool update = w->commute && updater_of(w, now->place);          /* of these bytes and no others */
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
	now.object = own ? own->object : now.object ? now.object : object_number(w, address);
	now.named = own ? own->named : now.mask;
	for (uint32_t i = 0; i < c->count; i++) {
		struct brief *t = &c->briefs[i];
		if (t->thread != now.thread && (t->writes || now.writes) && t->mask & now.mask)
			dependent(w, t, &now);
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
		reason(w, "a library call on more memory than is looked at", w->places.at[now->place], 1);
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
	reason(w, text, where, 1);
}

/* A function by its name: true: all about it is said. */
static bool asks(struct walk *w, struct brief *now, const char *name, size_t length, const struct place *where)
{
	const struct source *source = source_named(name, length);
	if (source && source->answers)
		doubt_source(w, name, (int)length, "", where);
	if (source && source->kept) {
		now->writes = source->writes;
		touch_range(w, now, KEPT_AT(source->kept), 8);
	}
	return source;
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
	if (!asks(w, now, words, length, ev->place))
		doubt_source(w, words, (int)length, words + length, ev->place);
}

/* A call of code that is not seen.  Places that call what nothing is known of are asked once. */
static void call(struct walk *w, struct brief *now, const struct event *ev)
{
	while (w->plain_calls.count <= now->place)
		vec_push(&w->plain_calls, false);
	if (ev->name && !w->plain_calls.at[now->place])
		w->plain_calls.at[now->place] = !asks(w, now, ev->name, strlen(ev->name), ev->place);
}

static uint64_t word_of(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, 8);
	return word;
}

static void look_at(struct walk *w, const struct event *ev, struct spot spot)
{
	struct brief now = { .thread = spot.thread, .at = spot.at, .index = ev->index, .kind = ev->kind };
	w->row = NULL;
	uint32_t updater = w->commute ? commute_note(w->commute, w->order, ev, spot) : 0;
	now.place = updater ? update_place(w, ev->place, updater) : place_number(w, ev->place);
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
		now.writes = ev->kind == EV_INPUT;
		if (ev->object)
			touch_range(w, &now, ev->object, ev->arg);
		now.writes = true;
		if (ev->version)
			touch_range(w, &now, MADE_UP | (ev->version - 1) << 3, 8);
		if (ev->version > 3 && ev->kind == EV_OUTPUT)
			touch_range(w, &now, KEPT_AT(KEPT_FILES), 8);
		now.writes = false;
		if (ev->kind == EV_OUTPUT)                      /* what ends the process may come before it */
			touch_range(w, &now, KEPT_AT(KEPT_END), 8);
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
		reason(w, "raddle_choose() may choose otherwise", ev->place, 1);
		break;
	}
}

/* Memory that begins a new life, or ends one: whoever gives it back touches all that was touched. */
static void memory_event(struct walk *w, const struct event *ev, struct spot spot)
{
	const struct object *in;
	switch (ev->kind) {
	case EV_ALLOC: case EV_MAP: case EV_STACK: case EV_TLS:
		shadow_forget(&w->shadow, ev->object, ev->arg);
		break;
	case EV_REALLOC:
		in = ev->byte_count >= 8 ? objects_at(w->objects, word_of(ev->bytes)) : NULL;
		if (in && word_of(ev->bytes) != ev->object)
			shadow_forget(&w->shadow, in->start, in->bytes);
		if (!in || word_of(ev->bytes) != ev->object)
			shadow_forget(&w->shadow, ev->object, ev->arg);
		else if (in->start == ev->object && ev->arg > WHOLE_WORDS(in->bytes))   /* what it grew by was somebody else's */
			shadow_forget(&w->shadow, ev->object + WHOLE_WORDS(in->bytes), ev->arg - WHOLE_WORDS(in->bytes));
		break;
	case EV_FREE:
		in = objects_at(w->objects, ev->object);
		if (in && in->start == ev->object && in->bytes <= RANGE_MOST) {
			struct brief now = { .thread = spot.thread, .at = spot.at, .index = ev->index, .kind = ev->kind, .writes = true };
			w->row = NULL;
			now.place = place_number(w, ev->place);
			touch_range(w, &now, ev->object, in->bytes);
		}
		break;
	}
}

static bool is_touch(uint8_t kind)
{
	return (kind >= EV_READ && kind <= EV_COPY && kind != EV_FENCE) || kind == EV_INPUT || kind == EV_OUTPUT ||
		kind == EV_OUTCALL || kind == EV_CHOICE || kind == EV_CALL || kind == EV_EXIT;
}

/* Which store a read returns is not the last one there, which is what order/ reasons with. */
static int refuse_weak(const struct trace *t, struct err *why)
{
	err_set(why, "trace '%s' is of a run under %s: only runs under sc can be asked", trace_path(t),
		trace_fact(t, "model") ? trace_fact(t, "model") : "a weak memory model");
	err_hint(why, "'raddle run --save-trace=...' without '--model' makes one");
	why->code = 3;
	return -1;
}

enum tried { TRIED_LOCK, TRIED_SEM, TRIED_JOIN };

/* Steered runs have no calls in their traces: whatever a program that knows a function that tries takes may have been tried for. */
static void look_for_tries(struct walk *w)
{
	static const struct { const char *name; enum tried what; } names[] = { { "_trylock", TRIED_LOCK }, { "_tryrdlock", TRIED_LOCK },
		{ "_trywrlock", TRIED_LOCK }, { "sem_trywait", TRIED_SEM }, { "_tryjoin_np", TRIED_JOIN }, { "_timedjoin_np", TRIED_JOIN } };
	for (uint32_t i = 0; trace_order(w->out->trace) == ORDER_TOTAL && i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		int file = m->instrumented ? open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
		off_t bytes = file < 0 ? 0 : lseek(file, 0, SEEK_END);
		void *map = bytes > 0 ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
		for (size_t k = 0; map != MAP_FAILED && k < sizeof names / sizeof *names; k++)
			w->may_try[names[k].what] |= memmem(map, (size_t)bytes, names[k].name, strlen(names[k].name)) != NULL;
		if (map != MAP_FAILED)
			munmap(map, (size_t)bytes);
		if (file >= 0)
			close(file);
	}
}

/* The function called tells what was waited for from what was tried for and had. */
static void note_tries(struct walk *w, const struct event *ev, struct spot spot, bool live)
{
	while (w->tries.count <= ev->thread.i)
		vec_push(&w->tries, false);
	bool *tries = &w->tries.at[ev->thread.i];
	if (ev->kind == EV_LOCK && (*tries || w->may_try[TRIED_LOCK]) && live)
		order_note_tried(w->order, spot);
	else if (ev->kind == EV_SWAIT && (*tries || w->may_try[TRIED_SEM]) && !ev->result)
		reason(w, "a semaphore that was tried for and had, and could have been refused", ev->place, 1);
	else if (ev->kind == EV_JOIN && (*tries || w->may_try[TRIED_JOIN]) && !ev->result)
		reason(w, "a thread that was tried to join and had ended, and could still have run", ev->place, 1);
	*tries = ev->kind == EV_CALL && ev->name && (strstr(ev->name, "try") || strstr(ev->name, "timedjoin"));
}

/* `live`: order/ is being built on the way, which is enough while every dependent pair is ordered by the must-order. */
static int walk_accesses(struct walk *w, bool live, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (merged_open(&m, w->out->trace, why) < 0)
		return -1;
	struct order_walk *walk = live ? NULL : order_walk_begin(w->order);
	w->live = live;
	w->out->events = w->out->accesses = 0;
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		struct spot spot = { 0, 0 };
		if (ev->waits || ev->kind == EV_FLUSH) {
			got = refuse_weak(w->out->trace, why);
			break;
		}
		if (live)
			spot = w->commute && ev->kind == EV_RMW && commute_may(w->commute, ev) ? order_note_blind(w->order, ev) : order_note(w->order, ev);
		if (ev->kind == EV_CALL || ev->kind == EV_LOCK || ev->kind == EV_SWAIT || ev->kind == EV_JOIN)
			note_tries(w, ev, spot, live);
		w->out->events++;
		bool touch = is_touch(ev->kind), object = event_class((enum event_kind)ev->kind) == CLASS_OBJECT;
		if (w->again || (!touch && !object))
			continue;
		if (!live)
			spot = order_walk_next(walk, ev);
		if (touch) {
			w->out->accesses += ev->kind != EV_CALL && ev->kind != EV_EXIT;
			look_at(w, ev, spot);
		} else {
			memory_event(w, ev, spot);
			objects_note(w->objects, ev);
		}
	}
	order_walk_end(walk);
	merged_close(m);
	if (live)
		order_seal(w->order);
	return got < 0 ? -1 : 0;
}

/* ---- outcomes that are no memory ---- */

static void ask_choices(struct walk *w)
{
	struct order_choice c;
	char text[200], name[160];
	for (uint32_t i = 0; order_choice(w->order, i, &c); i++) {
		if (c.first.thread == c.second.thread || order_before(w->order, c.first, c.second))
			continue;
		uint64_t key = (uint64_t)(uintptr_t)c.what ^ c.object;
		uint32_t object = number_of(&w->object_number, key, w->object_names.count + 1, OBJECT_BITS);
		if (object == w->object_names.count + 1) {
			snprintf(text, sizeof text, "%s of %s", c.what, objects_name(w->objects, c.object, name, sizeof name));
			vec_push(&w->object_names, arena_text(&w->out->names, text, strlen(text)));
		}
		struct pair *p = pair_of(w, place_number(w, c.places[0]), place_number(w, c.places[1]), object);
		if (p->asked && p->answer == ORDER_YES)
			continue;
		struct order_node a = order_node_at(w->order, c.first), b = order_node_at(w->order, c.second);
		pair_ask(w, p, (struct pair_end){ c.first, a.index, a.place, a.kind, true }, (struct pair_end){ c.second, b.index, b.place, b.kind, true });
	}
}

static void ask_tried(struct walk *w)
{
	const struct place *where;
	enum order_answer refused;
	for (uint32_t i = 0; order_tried(w->order, i, &refused, &where); i++)
		if (refused != ORDER_NO)
			reason(w, "a lock that was tried for and had, and could have been refused", where, 1);
}

/* ---- verdict ---- */

static bool is_system(const char *path)
{
	static const char *const names[] = { "libc.so", "ld-linux", "libm.so", "libgcc_s", "libstdc++", "libpthread", "linux-vdso",
		"libraddle-rt", "libdl.so", "librt.so", "[vdso]" };
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return !*name;
}

static void unseen(struct walk *w)
{
	char text[400];
	const char *name;
	const struct place *where;
	uint64_t times;
	for (uint32_t i = 0; (name = order_unmodelled(w->order, i, &where, &times)); i++)
		reason(w, name, where, times);
	for (uint32_t i = 0; i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		if (!m->instrumented && !is_system(m->path)) {
			snprintf(text, sizeof text, "code not built with raddle: %s", m->path);
			reason(w, text, NULL, 1);
		}
	}
	if (trace_level(w->out->trace) == 1)
		reason(w, "a recording without accesses", NULL, 1);
	if (trace_salvaged(w->out->trace))
		reason(w, "a damaged trace", NULL, 1);
}

/* No order changes what is done; can one end it early? */
static void stuck(struct walk *w)
{
	struct order_stuck *c = &w->out->stuck;
	enum order_answer answer = order_deadlock(w->order, c, &w->out->closed);
	if (answer == ORDER_UNKNOWN)
		reason(w, "locks or semaphores taken in an order that may end in deadlock", NULL, 1);
	if (answer != ORDER_YES)
		return;
	struct order_node a = order_node_at(w->order, c->spot[0]), b = order_node_at(w->order, c->spot[1]);
	*vec_add(&w->pairs) = (struct pair){ .answer = ORDER_STUCK, .waits = true, .asked = true, .times = 1, .object = "deadlock",
		.first = { c->spot[0], a.index, a.place, a.kind, true }, .second = { c->spot[1], b.index, b.place, b.kind, true } };
	w->out->reversible++;
	w->out->deadlock++;
}

/* Output to different descriptors depends on each other if they are of one file, which is not known. */
static void set_files_aside(struct walk *w)
{
	size_t kept = 0;
	for (size_t i = 0; i < w->pairs.count; i++) {
		const struct pair *p = &w->pairs.at[i];
		if (strcmp(p->object, kept_name(KEPT_FILES)) || p->first.kind != EV_OUTPUT || p->second.kind != EV_OUTPUT)
			w->pairs.at[kept++] = *p;
		else if (p->answer != ORDER_NO)
			reason(w, "output by several threads to descriptors that may be of one file", p->first.place, 1);
	}
	w->pairs.count = kept;
}

static void conclude(struct walk *w)
{
	struct determinism *d = w->out;
	set_files_aside(w);
	for (size_t i = 0; i < w->pairs.count; i++) {
		enum order_answer answer = w->pairs.at[i].answer;
		d->reversible += answer == ORDER_YES || answer == ORDER_STUCK;
		d->deadlock += answer == ORDER_STUCK;
		d->unknown += answer == ORDER_UNKNOWN;
		d->same += answer == ORDER_NO && w->pairs.at[i].same;
	}
	unseen(w);
	ask_tried(w);
	if (!d->reversible)
		stuck(w);
	if (d->unknown)
		reason(w, "a question too hard for its budget", NULL, d->unknown);
	d->verdict = d->reversible ? VERDICT_ORDER_DEPENDENT : w->reasons.count ? VERDICT_UNKNOWN : VERDICT_DETERMINISTIC;
	d->pairs = w->pairs.at;
	d->pair_count = (uint32_t)w->pairs.count;
	d->reasons = w->reasons.at;
	d->reason_count = (uint32_t)w->reasons.count;
}

static void walk_forget(struct walk *w)
{
	objects_free(w->objects);
	shadow_release(&w->shadow);
	map_release(&w->place_number);
	map_release(&w->object_number);
	map_release(&w->pair_number);
	vec_clear(&w->places);
	vec_clear(&w->plain_calls);
	vec_clear(&w->updater);
	vec_clear(&w->object_names);
	memset(w->recent, 0, sizeof w->recent);
	memset(w->met, 0, sizeof w->met);
	w->variable = (struct variable){ 0 };
}

/* From its beginning, what was found before forgotten. */
static int walk_again(struct walk *w, bool live, struct err *why)
{
	walk_forget(w);
	vec_clear(&w->pairs);
	vec_clear(&w->reasons);
	w->objects = objects_new(w->out->trace);
	w->again = false;
	return walk_accesses(w, live, why);
}

/* Both walks, and what is no memory. */
static int walk_through(struct walk *w, struct commute *commute, struct err *why)
{
	w->order = w->out->order = order_new(w->out->trace);
	w->commute = commute;
	if (commute)
		commute_begin(commute);
	int got = walk_again(w, true, why);
	if (got == 0 && w->again) {
		if (commute)
			commute_begin(commute);
		got = walk_again(w, false, why);
	}
	if (got == 0)
		ask_choices(w);
	return got;
}

/* Is a pair that can change places one of accesses that may be updates? */
static bool may_commute(const struct walk *w)
{
	for (size_t i = 0; i < w->pairs.count; i++) {
		const struct pair *p = &w->pairs.at[i];
		uint8_t a = p->first.kind, b = p->second.kind;
		if (p->answer != ORDER_NO && (a == EV_READ || a == EV_WRITE || a == EV_RMW) && (b == EV_READ || b == EV_WRITE || b == EV_RMW))
			return true;
	}
	return false;
}

/* All of it once more, with what the code says of updates; and again for each of them that the run shows to be none. */
static int walk_with_updates(struct walk *w, const struct determinism_updates *updates, struct err *why)
{
	struct commute *commute = may_commute(w) ? updates->open(updates->with) : NULL;
	int got = 0;
	for (unsigned tries = 0; commute && got == 0; tries++) {
		order_free(w->order);
		got = walk_through(w, tries < UPDATE_TRIES ? commute : NULL, why);
		if (tries >= UPDATE_TRIES || commute_is_sound(commute))
			break;
	}
	return got;
}

int determinism_run(struct determinism *d, struct trace *t, const struct determinism_updates *updates, struct err *why)
{
	*d = (struct determinism){ 0 };
	if (trace_fact(t, "model"))
		return refuse_weak(t, why);
	struct walk *w = mem_take(sizeof *w);
	d->trace = t;
	w->out = d;
	look_for_tries(w);
	int got = walk_through(w, NULL, why);
	if (got == 0 && updates)
		got = walk_with_updates(w, updates, why);
	conclude(w);
	walk_forget(w);
	vec_release(&w->places);
	vec_release(&w->plain_calls);
	vec_release(&w->updater);
	vec_release(&w->tries);
	vec_release(&w->object_names);
	mem_free(w);
	return got;
}

void determinism_doubt(struct determinism *d, const char *text)
{
	d->reasons = mem_resize(d->reasons, (d->reason_count + 1) * sizeof *d->reasons);
	d->reasons[d->reason_count++] = (struct reason){ arena_text(&d->names, text, strlen(text)), NULL, 1 };
	if (d->verdict == VERDICT_DETERMINISTIC)
		d->verdict = VERDICT_UNKNOWN;
}

void determinism_release(struct determinism *d)
{
	order_free(d->order);
	mem_free(d->pairs);
	vec_release(&d->closed);
	mem_free(d->reasons);
	arena_release(&d->names);
	*d = (struct determinism){ 0 };
}
