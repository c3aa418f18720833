/* analyses/predict/collect.c -- aims about memory: a second walk over a recording, for the accesses to what the first one marked.
 *
 * Races and turns: trace/shadow.h keeps the last access of each (thread, place, way, bytes, locks held) to each 8 bytes; the last one of a thread
 * and the next one of another are the pair least ordered.  What the must-order orders is dropped at once.  One access of many that forgot the lock
 * has its own entry: of sets of locks the latest few are kept, and always the last access with none.
 * Late: of the same pairs those that begin with a store that may wait, if anything of the store's thread comes before the next thing that empties its
 * buffer; in a recording that is weak, in which nothing else is looked for.
 * Between: of each thread two accesses in a row to the same bytes (*locals*) and of each thread its accesses (*others*), each
 * by places and for a few addresses of an object, first and last met; they are brought together at the end. */
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/aims.h"
#include "analyses/predict/locksets.h"
#include "analyses/predict/reading.h"
#include "trace/objects.h"
#include "trace/shadow.h"

#define CELLS_KEPT 4u                   /* addresses of an object kept for one pair of places */
#define LOCKSETS_KEPT 4u                /* of one thread at one place */
#define TRIPLES_MOST 4096u

struct local { uint64_t cell; uint32_t object; uint8_t mask; struct moment first, second; };     /* mask: the bytes of the cell both touched */
struct other { uint64_t cell; uint32_t object, order; uint8_t mask; bool updates; struct moment at, read; };     /* updates: it is a write behind this read of its thread */

struct walk {
	struct aims *out;
	struct recording *r;
	struct objects *objects;
	struct shadow shadow;
	struct map place_number, object_number;         /* number + 1 */
	struct map local_seen, other_seen;              /* how many cells were kept */
	struct map pair_seen;                           /* how often */
	VEC(const struct place *) places;
	VEC(const char *) object_names;
	VEC(struct local) locals;
	VEC(struct other) others;
	struct locksets locks;
	const uint32_t *row;                            /* must-order of the event at hand */
};

/* ---- numbers and names ---- */

static uint32_t place_number(struct walk *w, const struct place *place)
{
	uint64_t *slot = map_put(&w->place_number, (uint64_t)(uintptr_t)place, NULL);
	if (!*slot) {
		vec_push(&w->places, place);
		*slot = w->places.count;
	}
	return (uint32_t)*slot - 1;
}

/* What lies at an address: one number for all objects allocated at one place, for a variable, for all stacks. */
static uint32_t object_number(struct walk *w, uint64_t address)
{
	char text[256];
	uint64_t key = address & ~7ull, offset = 0;
	const struct object *in = objects_at(w->objects, address);
	const char *symbol = in ? NULL : trace_symbol(w->r->trace, address, &offset);
	if (in)
		key = in->kind == OBJECT_STACK || in->kind == OBJECT_TLS ? in->kind : (uint64_t)(uintptr_t)in->place ^ 1;
	else if (symbol)
		key = address - offset;
	uint64_t *slot = map_put(&w->object_number, key, NULL);
	if (!*slot) {
		const char *name = objects_name(w->objects, in ? in->start : address - offset, text, sizeof text);
		uint32_t number = names_put(&w->out->objects, name, strlen(name));
		vec_push(&w->object_names, names_text(&w->out->objects, number));
		*slot = w->object_names.count;
	}
	return (uint32_t)*slot - 1;
}

static bool is_atomic(uint8_t kind)
{
	return kind >= EV_ALOAD && kind <= EV_CAS;
}

static bool is_memory(uint8_t kind)
{
	return kind <= EV_COPY || kind == EV_INPUT || kind == EV_OUTPUT || kind_gives_back(kind);
}

/* Memory, or a lock in it. */
static bool ends_or_begins(uint8_t kind)
{
	return kind_gives_back(kind) || kind == EV_LOCKINIT || kind == EV_LOCKDEAD;
}

/* Of a cell, and some of its bytes. */
static uint64_t first_byte(uint64_t cell, uint8_t mask)
{
	return (cell & ~7ull) + (uint64_t)__builtin_ctz(mask);
}

static struct moment moment_of(const struct walk *w, const struct touch *t, uint64_t address)
{
	return (struct moment){ .spot = { t->thread, t->at }, .index = t->index, .nth = recording_nth(w->r, t->thread, t->index), .address = address,
		.kind = t->kind, .writes = t->writes, .atomic = is_atomic(t->kind), .place = w->places.at[t->place] };
}

/* ---- stores that wait ---- */

/* The last point of its thread at which the store can still wait. */
static uint64_t waits_until(const struct recording *r, const struct moment *store)
{
	uint32_t node, thread = store->spot.thread;
	struct event ev = { .kind = EV_WRITE, .thread = { thread }, .index = store->index };
	struct spot end = order_stand(r->order, ORDER_TSO, &ev).limit[0];
	while ((node = order_at(r->order, end)) != NO_NODE && !r->of_node[node])
		end.at++;
	return node == NO_NODE ? r->points[thread].times.count : r->of_node[node] - 1;
}

static void late(struct walk *w, const struct touch *before, const struct touch *now, uint64_t address)
{
	struct aim aim = { .kind = AIM_LATE, .count = 2, .at = { moment_of(w, before, address), moment_of(w, now, address) } };
	const struct moment *store = &aim.at[LATE_STORE];
	if (!before->waits || event_class((enum event_kind)now->kind) == CLASS_OBJECT || !is_memory(now->kind) || !store->nth || !aim.at[LATE_OTHER].nth)
		return;
	uint64_t far = waits_until(w->r, store);
	if (far <= store->nth)
		return;                                 /* nothing can come before it */
	aim.at[LATE_FAR] = recording_behind(w->r, before->thread, before->index, far);
	aim.at[LATE_NEAR] = recording_behind(w->r, before->thread, before->index, store->nth + 1);
	aims_add(w->out, &aim, w->object_names.at[before->object]);
}

/* ---- two threads ---- */

/* How often these two places, threads and object met; where a lock keeps them apart is counted for itself. */
static uint64_t times_met(struct walk *w, const struct touch *before, const struct touch *now, bool apart)
{
	uint64_t key = ((uint64_t)before->place << 32 | now->place) * 0x9e3779b97f4a7c15ull;
	key ^= ((uint64_t)before->thread << 48 | (uint64_t)now->thread << 32 | before->object) * 0xc2b2ae3d27d4eb4full;
	uint64_t *times = map_put(&w->pair_seen, (key ^ key >> 29) + apart, NULL);
	return ++*times;
}

/* Of pairs the 1st, 2nd, 4th, 8th, ... are to be tried, and one more than can be kept says that there are more. */
static void dependent(struct walk *w, const struct touch *before, const struct touch *now, uint64_t address)
{
	if (w->row[before->thread] > before->at)
		return;
	bool apart = locks_exclude(&w->locks, before->locks, now->locks);
	uint64_t times = times_met(w, before, now, apart);
	bool sample = (times & (times - 1)) == 0;
	if (w->r->weak && sample)
		late(w, before, now, address);
	if (w->r->weak || (!sample && (apart || times > AIMS_FURTHER + 1)))
		return;
	struct aim aim = { .kind = AIM_TURN, .count = 2, .at = { moment_of(w, before, address), moment_of(w, now, address) } };
	bool narrower = __builtin_popcount(now->mask) < __builtin_popcount(before->mask);
	const char *object = w->object_names.at[narrower ? now->object : before->object];
	bool lifetime = ends_or_begins(before->kind) || ends_or_begins(now->kind);
	if (!lifetime && !(is_memory(before->kind) && is_memory(now->kind)))
		return;                                 /* a lock, and the store that made it */
	if (!w->r->points && apart)
		return;                                 /* never adjacent, and nobody to turn them round */
	if (!apart && !(aim.at[0].atomic && aim.at[1].atomic)) {
		aim.kind = AIM_RACE;
		if (sample)
			aims_add(w->out, &aim, object);
		else
			aims_add_further(w->out, &aim, object);
		aim.kind = AIM_TURN;
	}
	if (!sample)
		return;
	struct touch first = *before;
	first.at = before->first_at;
	first.index = before->first;
	if (w->r->points && first.index != before->index && w->row[first.thread] <= first.at) {
		struct aim turn = aim;                  /* behind all but one of a loop's writes what is read stays the same */
		turn.at[0] = moment_of(w, &first, address);
		aims_add(w->out, &turn, object);
	}
	aims_add(w->out, &aim, object);
}

/* ---- one thread, twice ---- */

static bool room_for(struct map *seen, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t key = (a * 0x9e3779b97f4a7c15ull) ^ (b * 0xc2b2ae3d27d4eb4full) ^ (c * 0x165667b19e3779f9ull);
	uint64_t *slot = map_put(seen, key ^ key >> 31, NULL);
	return (*slot)++ < CELLS_KEPT;
}

static void remember(struct walk *w, const struct touch *last, const struct touch *now, uint64_t cell)
{
	if (!w->r->points || w->r->weak || !is_memory(now->kind) || (last && !is_memory(last->kind)))
		return;
	uint64_t mine = (uint64_t)now->thread << 40 | (uint64_t)now->place << 1 | now->writes;
	if (room_for(&w->other_seen, now->object, mine, 1))
		*vec_add(&w->others) = (struct other){ .cell = cell, .object = now->object, .mask = now->mask, .at = moment_of(w, now, cell),
			.updates = last && now->writes && !last->writes, .read = last ? moment_of(w, last, cell) : (struct moment){ .nth = 0 } };
	if (!last)
		return;
	uint64_t before = (uint64_t)last->place << 1 | last->writes;
	if (room_for(&w->local_seen, now->object, mine, before + 2))
		*vec_add(&w->locals) = (struct local){ cell, now->object, last->mask & now->mask, moment_of(w, last, cell), moment_of(w, now, cell) };
}

/* Read-write-read, write-write-read, read-write-write, write-read-write: what the one in the middle does to the two. */
static bool breaks(const struct moment *first, const struct moment *other, const struct moment *second)
{
	if (first->writes && second->writes)
		return !other->writes;
	return other->writes;
}

static int by_cell(const void *a, const void *b)
{
	const struct other *x = a, *y = b;
	return x->cell != y->cell ? x->cell < y->cell ? -1 : 1 : (x->order > y->order) - (x->order < y->order);
}

/* The first of the others at a cell. */
static size_t others_at(const struct walk *w, uint64_t cell)
{
	size_t low = 0, high = w->others.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (w->others.at[middle].cell < cell)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void bring_together(struct walk *w)
{
	uint32_t made = 0;
	for (size_t i = 0; i < w->others.count; i++)
		w->others.at[i].order = (uint32_t)i;
	if (w->others.count)
		qsort(w->others.at, w->others.count, sizeof *w->others.at, by_cell);
	for (size_t i = 0; i < w->locals.count; i++) {
		const struct local *l = &w->locals.at[i];
		for (size_t k = others_at(w, l->cell); k < w->others.count && w->others.at[k].cell == l->cell && made < TRIPLES_MOST; k++) {
			const struct other *o = &w->others.at[k];
			if (o->at.spot.thread == l->first.spot.thread || !(o->mask & l->mask) || !breaks(&l->first, &o->at, &l->second))
				continue;
			if (order_before(w->r->order, o->at.spot, l->first.spot) || order_before(w->r->order, l->second.spot, o->at.spot))
				continue;
			struct aim aim = { .kind = AIM_BETWEEN, .count = 3, .at = { l->first, o->at, l->second } };
			if (o->updates)
				aim.at[BETWEEN_READ] = o->read;
			for (int m = 0; m < 3; m++)
				aim.at[m].address = first_byte(l->cell, o->mask & l->mask);
			made += aims_add(w->out, &aim, w->object_names.at[l->object]);
		}
	}
}

/* ---- one access ---- */

/* The entry an access goes into: that of its place, bytes and locks; if there are too many of those the one used longest ago.  NULL: a new one. */
static struct touch *entry_of(struct cell *c, const struct touch *now)
{
	struct touch *oldest = NULL;
	uint32_t count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		struct touch *t = &c->touches[i];
		if (t->thread != now->thread || t->place != now->place || t->writes != now->writes || t->mask != now->mask)
			continue;
		if (t->locks == now->locks)
			return t;
		count++;
		if (t->locks && (!oldest || t->index < oldest->index))
			oldest = t;
	}
	return count < LOCKSETS_KEPT ? NULL : oldest;
}

static void touch_cell(struct walk *w, struct cell *c, uint64_t address, struct touch now)
{
	struct touch *own = entry_of(c, &now), *last = NULL;
	for (uint32_t i = 0; i < c->count; i++) {
		struct touch *t = &c->touches[i];
		if (t->thread == now.thread && t->mask & now.mask && (!last || t->index > last->index))
			last = t;
	}
	now.object = own ? own->object : object_number(w, address);
	for (uint32_t i = 0; i < c->count; i++) {
		struct touch *t = &c->touches[i];
		if (t->thread != now.thread && (t->writes || now.writes) && t->mask & now.mask)
			dependent(w, t, &now, first_byte(address, t->mask & now.mask));
	}
	remember(w, last, &now, address & ~7ull);
	bool goes_on = own && own->locks == now.locks;
	now.first = goes_on ? own->first : now.index;
	now.first_at = goes_on ? own->first_at : now.at;
	if (!own)
		own = shadow_touch_add(&w->shadow, c);
	*own = now;
}

static uint64_t looked_at(uint8_t kind, uint64_t bytes)
{
	return bytes > SCREEN_RANGE && kind != EV_UNMAP ? SCREEN_RANGE : bytes;
}

static bool any_marked(const struct walk *w, uint8_t kind, const struct touched *range)
{
	uint64_t end = range->start + looked_at(kind, range->bytes);
	return screen_next(&w->r->screen, range->start, end) < end;
}

static void touch_range(struct walk *w, struct touch now, uint64_t start, uint64_t bytes)
{
	for (uint64_t at = start, end = start + looked_at(now.kind, bytes); (at = screen_next(&w->r->screen, at, end)) < end;) {
		uint64_t next = (at & ~7ull) + 8 < end ? (at & ~7ull) + 8 : end;
		now.mask = (uint8_t)((0xffu >> (8 - (next - at))) << (at & 7));
		touch_cell(w, shadow_cell(&w->shadow, at), at, now);
		at = next;
	}
}

/* ---- one event ---- */

static bool may_wait(const struct event *ev)
{
	return ev->kind == EV_WRITE || ev->kind == EV_COPY || (ev->kind == EV_ASTORE && ev->order != ORDER_SEQ_CST && ev->size <= 8);
}

static void look_at(struct walk *w, const struct event *ev, struct order_walk *spots)
{
	struct touched ranges[2];
	uint32_t count = event_touches(ev, w->objects, ranges);
	bool object = event_class((enum event_kind)ev->kind) == CLASS_OBJECT, marked = false;
	for (uint32_t i = 0; i < count && !marked; i++)
		marked = any_marked(w, ev->kind, &ranges[i]);
	if (!marked)
		return;
	struct spot spot = order_walk_next(spots, ev);
	struct touch now = { .thread = spot.thread, .at = spot.at, .index = ev->index, .kind = ev->kind, .place = place_number(w, ev->place),
		.locks = object ? 0 : locks_of(&w->locks, spot.thread) };
	w->row = order_row(w->r->order, spot);
	for (uint32_t i = 0; i < count; i++) {
		now.writes = ranges[i].writes;
		now.waits = now.writes && may_wait(ev);
		touch_range(w, now, ranges[i].start, ranges[i].bytes);
	}
}

/* Memory that begins a new life. */
static void memory_event(struct walk *w, const struct event *ev)
{
	struct touched renewed = event_renews(ev, w->objects);
	if (renewed.bytes)
		shadow_forget(&w->shadow, renewed.start, renewed.bytes);
	objects_note(w->objects, ev);
}

static int walk_accesses(struct walk *w, struct err *why)
{
	struct reading g;
	const struct event *ev;
	int got = reading_open(&g, w->r, w->r->events, w->objects, why);
	struct order_walk *spots = order_walk_begin(w->r->order);
	while (got >= 0 && (got = reading_next(&g, &ev, why)) > 0) {
		locks_note(&w->locks, ev);
		look_at(w, ev, spots);
		if (event_class((enum event_kind)ev->kind) == CLASS_OBJECT)
			memory_event(w, ev);
	}
	order_walk_end(spots);
	reading_close(&g);
	return got < 0 ? -1 : 0;
}

int aims_collect(struct aims *a, struct recording *r, struct err *why)
{
	struct walk *w = mem_take(sizeof *w);
	w->out = a;
	w->r = r;
	w->objects = objects_new(r->trace);
	locks_init(&w->locks, trace_thread_count(r->trace));
	int got = r->screen.marked ? walk_accesses(w, why) : 0;
	if (got == 0 && r->points)
		bring_together(w);
	objects_free(w->objects);
	locks_release(&w->locks);
	shadow_release(&w->shadow);
	map_release(&w->place_number);
	map_release(&w->object_number);
	map_release(&w->pair_seen);
	map_release(&w->local_seen);
	map_release(&w->other_seen);
	vec_release(&w->places);
	vec_release(&w->object_names);
	vec_release(&w->locals);
	vec_release(&w->others);
	mem_free(w);
	return got;
}
