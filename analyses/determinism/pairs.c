/* analyses/determinism/pairs.c -- numbers of places and objects, and of each (place, place, object) what was asked and answered.
 * A pair keeps its best answer: one that can be turned round stays that whatever else is asked of it, and nothing more is. */
#include "analyses/determinism/inside.h"

#include <stdio.h>
#include <string.h>

#define PLACE_BITS 20u
#define OBJECT_BITS 24u
#define STUCK_MORE 16u                  /* further questions of a pair whose reversal ended in deadlock */
#define HARD_MOST  2u                   /* questions too hard, of a pair: it is not known, and others of it will hardly be easier */

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a == b || (a && b && a->line == b->line && !strcmp(a->file, b->file));
}

/* Each once a line of the source. */
void walk_doubt(struct walk *w, const char *text, const struct place *where, uint64_t times)
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

uint32_t walk_place(struct walk *w, const struct place *place)
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
uint32_t walk_update_place(struct walk *w, const struct place *place, uint32_t updater)
{
	uint32_t n = number_of(&w->place_number, (uint64_t)(uintptr_t)place ^ (uint64_t)updater << 48, w->places.count, PLACE_BITS);
	if (n == w->places.count)
		vec_push(&w->places, place);
	while (w->updater.count <= n)
		vec_push(&w->updater, 0);
	w->updater.at[n] = updater;
	return n;
}

uint32_t walk_updater(const struct walk *w, uint32_t place)
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
uint32_t walk_object(struct walk *w, uint64_t address)
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
	enum order_answer answer = order_reversible(w->order, order_stand_at(first.spot), order_stand_at(second.spot), NULL, NULL);
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

void walk_dependent(struct walk *w, const struct brief *before, const struct brief *now)
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
	if (w->commute && before->mask == now->mask && commute_pair(w->commute, walk_updater(w, before->place), walk_updater(w, now->place))) {
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

/* ---- outcomes that are no memory ---- */

/* What a library that nobody watches has for itself: whoever comes first makes the same of it. */
static bool is_of_library(const struct walk *w, uint64_t address)
{
	for (uint32_t i = 0; i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		if (address >= m->low && address < m->high)
			return !m->instrumented;
	}
	return false;
}

void walk_ask_choices(struct walk *w)
{
	struct order_choice c;
	char text[200], name[160];
	for (uint32_t i = 0; order_choice(w->order, i, &c); i++) {
		if (c.first.thread == c.second.thread || order_before(w->order, c.first, c.second))
			continue;
		if (order_node_at(w->order, c.second).kind == EV_ONCE && is_of_library(w, c.object))
			continue;
		uint64_t key = (uint64_t)(uintptr_t)c.what ^ c.object;
		uint32_t object = number_of(&w->object_number, key, w->object_names.count + 1, OBJECT_BITS);
		if (object == w->object_names.count + 1) {
			snprintf(text, sizeof text, "%s of %s", c.what, objects_name(w->objects, c.object, name, sizeof name));
			vec_push(&w->object_names, arena_text(&w->out->names, text, strlen(text)));
		}
		struct pair *p = pair_of(w, walk_place(w, c.places[0]), walk_place(w, c.places[1]), object);
		if (p->asked && p->answer == ORDER_YES)
			continue;
		struct order_node a = order_node_at(w->order, c.first), b = order_node_at(w->order, c.second);
		pair_ask(w, p, (struct pair_end){ c.first, a.index, a.place, a.kind, true }, (struct pair_end){ c.second, b.index, b.place, b.kind, true });
	}
}
