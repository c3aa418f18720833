/* drive/races_found.c -- pairs of source places that raced: the first time in full, then only counted.
 * A place is a line of a file, or where that is not known the site itself. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drive/races_inside.h"

#define FRAMES_KEPT 64u
#define LOCKS_KEPT  64u
#define PLACES_ASKED 4096u             /* of one pair of places: what memory it is */

static bool same_place(const struct place *a, const struct place *b)
{
	a = place_own(a);
	b = place_own(b);
	return a == b || (a->line && a->line == b->line && a->file == b->file);
}

static uint64_t place_key(const struct place *p)
{
	p = place_own(p);
	uint64_t key = p->line ? (uint64_t)(uintptr_t)p->file ^ (uint64_t)p->line << 40 : (uint64_t)(uintptr_t)p;
	key = (key ^ key >> 33) * 0xff51afd7ed558ccdull;
	return (key ^ key >> 29) * 0xc4ceb9fe1a85ec53ull;
}

/* The slot of this pair, whichever of the two came first. */
static uint32_t *pair_slot(struct races *r, const struct place *a, const struct place *b, uint64_t *key)
{
	for (*key = place_key(a) + place_key(b);; ++*key) {
		uint32_t *slot = slots_put(&r->pairs, *key);
		if (*slot == NONE)
			return slot;
		const struct place *x = r->found.at[*slot].side[0].place, *y = r->found.at[*slot].side[1].place;
		if ((same_place(x, a) && same_place(y, b)) || (same_place(x, b) && same_place(y, a)))
			return slot;
	}
}

/* Places one inside the other, as many as there is room for. */
struct stack { const struct place *at[FRAMES_KEPT]; uint32_t count; };

/* The place alone, and then those it was inlined into. */
static void stack_push(struct races *r, struct stack *s, const struct place *at)
{
	for (; at && s->count < FRAMES_KEPT; at = at->inlined_at) {
		struct place *alone = arena_take(&r->arena, sizeof *alone);
		*alone = *at;
		alone->inlined_at = NULL;
		s->at[s->count++] = alone;
	}
}

/* A function of which it is not known where it made the call. */
static void stack_push_function(struct races *r, struct stack *s, const struct place *function)
{
	struct place p = *place_own(function);
	p.line = p.column = 0;
	p.inlined_at = NULL;
	stack_push(r, s, &p);
}

/* Each function of the row was called from the one before it, or from a library that was. */
static void push_callers(struct races *r, struct stack *s, uint32_t row)
{
	for (; row != NONE && r->links.all.at[row].before != NONE && s->count < FRAMES_KEPT; row = r->links.all.at[row].before) {
		const struct place *outer = r->links.all.at[r->links.all.at[row].before].place;
		const struct place *call = r->names.call ? r->names.call(r->names.who, r->links.all.at[row].what) : NULL;
		bool there = call && !strcmp(call->linkage, outer->linkage);
		if (call)
			stack_push(r, s, call);
		if (!there)
			stack_push_function(r, s, outer);
	}
}

static const struct place **stack_of(struct races *r, const struct place *access, uint32_t row, uint32_t *count)
{
	struct stack s = { .count = 0 };
	stack_push(r, &s, place_own(access)->inlined_at);
	push_callers(r, &s, row);
	const struct place **out = arena_take(&r->arena, s.count * sizeof *out + 1);
	memcpy(out, s.at, s.count * sizeof *out);
	*count = s.count;
	return out;
}

static const char *symbol(const struct races *r, uint64_t address, uint64_t *offset)
{
	*offset = 0;
	return r->names.symbol ? r->names.symbol(r->names.who, address, offset) : NULL;
}

/* "lock", "table+8", "heap bank.c:41+16" as trace/objects.h has it; NULL: nothing is known of it but its address. */
static char *lock_name(struct races *r, uint64_t address)
{
	uint64_t offset;
	char name[256], where[160];
	const char *known = symbol(r, address, &offset);
	const struct object *o = known ? NULL : objects_at(r->objects, address);
	if (o && (o->kind == OBJECT_HEAP || o->kind == OBJECT_MAP)) {
		place_short(o->place, where, sizeof where);
		snprintf(name, sizeof name, "%s %s", o->kind == OBJECT_MAP ? "mapping" : "heap", *where ? where : "object");
		offset = address - o->start;
		known = name;
	}
	if (!known)
		return NULL;
	size_t room = strlen(known) + sizeof "+18446744073709551615";
	char *text = arena_take(&r->arena, room);
	snprintf(text, room, offset ? "%s+%" PRIu64 : "%s", known, offset);
	return text;
}

static struct race_lock *locks_of(struct races *r, uint32_t row, uint32_t *count)
{
	uint32_t length = row == NONE ? 0 : r->links.all.at[row].length;
	*count = length < LOCKS_KEPT ? length : LOCKS_KEPT;
	if (!length)
		return NULL;
	struct race_lock *locks = arena_take(&r->arena, *count * sizeof *locks);
	for (uint32_t i = 0; i < *count; i++) {
		struct link l = r->links.all.at[row];
		locks[i] = (struct race_lock){ l.what >> 1, l.what & 1, l.place, lock_name(r, l.what >> 1) };
		row = l.before;
	}
	return locks;
}

static struct race_side side_of(struct races *r, uint32_t thread, uint8_t kind, uint8_t how, uint32_t bytes, uint64_t address,
	const struct place *place, uint32_t stack, uint32_t held)
{
	struct race_side s = { .thread = thread, .kind = kind, .write = how & TOUCH_WRITES, .atomic = how & TOUCH_ATOMIC, .bytes = bytes,
		.address = address, .place = place };
	s.stack_known = stack != NONE;
	s.stack = stack_of(r, place, stack, &s.stack_count);
	s.locks = locks_of(r, held, &s.lock_count);
	return s;
}

static void side_unseen(struct races *r, struct race_side *s, uint32_t thread)
{
	const struct racer *t = racer(r, thread);
	s->unseen = t->unseen;
	s->unseen_in = t->unseen_in ? arena_text(&r->arena, t->unseen_in, strlen(t->unseen_in)) : NULL;
}

static struct race_memory memory_at(struct races *r, uint64_t address)
{
	static const enum race_memory_kind kinds[] = { [OBJECT_HEAP] = RACE_HEAP, [OBJECT_MAP] = RACE_MAP, [OBJECT_STACK] = RACE_STACK,
		[OBJECT_TLS] = RACE_TLS };
	struct race_memory m = { .kind = RACE_UNKNOWN, .thread = NONE };
	const char *name = symbol(r, address, &m.offset);
	const struct object *o = name ? NULL : objects_at(r->objects, address);
	if (name) {
		m.kind = RACE_GLOBAL;
		m.name = arena_text(&r->arena, name, strlen(name));
	} else if (o) {
		m = (struct race_memory){ kinds[o->kind], NULL, address - o->start, o->bytes, o->thread.i, o->place };
	}
	return m;
}

static bool same_memory(const struct race *a, const struct race *b)
{
	const struct race_memory *x = &a->memory, *y = &b->memory;
	if (x->kind != y->kind)
		return false;
	switch (x->kind) {
	case RACE_UNKNOWN: return a->side[0].address / 8 == b->side[0].address / 8;
	case RACE_GLOBAL:  return !strcmp(x->name, y->name);
	case RACE_HEAP:
	case RACE_MAP:     return same_place(x->place, y->place);
	default:           return true;
	}
}

static struct race race_made(struct races *r, const struct seen *first, uint64_t address, const struct touch *second)
{
	uint64_t bytes = second->bytes < UINT32_MAX ? second->bytes : UINT32_MAX;
	struct race made = { .times = 1, .memory = memory_at(r, address) };
	made.side[0] = side_of(r, first->thread, first->kind, first->how, first->bytes, address, first->place, first->stack, first->held);
	made.side[1] = side_of(r, second->thread, second->kind, second->how, (uint32_t)bytes, address, second->place, second->stack,
		second->held);
	made.side[0].nth = first->nth;
	made.side[1].nth = second->nth;
	if (racer(r, first->thread)->unseen_epoch > first->clock)
		side_unseen(r, &made.side[0], first->thread);
	side_unseen(r, &made.side[1], second->thread);
	return made;
}

/* The pair is known, of this run: of other memory it is noted beside it. */
static void found_also(struct races *r, uint32_t id, const struct seen *first, uint64_t address, const struct touch *second)
{
	struct found_mark *m = &r->marks.at[id];
	struct race **end = &r->found.at[id].also;
	if (m->first != r->run || m->at == address || m->asked >= PLACES_ASKED)
		return;
	m->at = address;
	m->asked++;
	struct race other = { .memory = memory_at(r, address), .side[0].address = address };
	if (same_memory(&r->found.at[id], &other))
		return;
	for (; *end; end = &(*end)->also)
		if (same_memory(*end, &other))
			return;
	*end = arena_take(&r->arena, sizeof **end);
	**end = race_made(r, first, address, second);
}

/* The pair is known: once more in this run? */
static void found_again(struct races *r, uint32_t id)
{
	struct found_mark *m = &r->marks.at[id];
	if (m->last != r->run)
		vec_push(&r->hits, ((struct race_hit){ r->run, id }));
	else if (m->first == r->run && m->event != r->events)
		r->found.at[id].times++;
	m->last = r->run;
	m->event = r->events;
}

void found_race(struct races *r, const struct seen *first, uint64_t address, const struct touch *second)
{
	uint64_t key;
	uint32_t *slot = pair_slot(r, first->place, second->place, &key);
	if (*slot != NONE) {
		found_also(r, *slot, first, address, second);
		found_again(r, *slot);
		return;
	}
	if (r->found.count >= r->limits.pairs) {
		slots_drop(&r->pairs, key);
		r->more++;
		return;
	}
	*slot = (uint32_t)r->found.count;
	struct race found = race_made(r, first, address, second);
	vec_push(&r->hits, ((struct race_hit){ r->run, *slot }));
	vec_push(&r->found, found);
	vec_push(&r->marks, ((struct found_mark){ r->events, r->run, r->run, address, 0 }));
}

/* ---------------------------------------------------------------- runs */

static uint32_t moved(uint32_t thread, uint32_t by)
{
	return thread == NONE ? NONE : thread + by;
}

/* Threads are numbered from 0 in each run; the pairs that are new in this one keep its own. */
static void keep_threads(struct races *r)
{
	uint32_t base = (uint32_t)r->threads.count;
	for (uint32_t i = 0; i < r->racer_count; i++) {
		const char *path = r->names.path ? r->names.path(r->names.who, i) : NULL;
		*vec_add(&r->threads) = (struct race_thread){ path ? arena_text(&r->arena, path, strlen(path)) : "?",
			moved(r->racers.at[i].maker, base), r->racers.at[i].made_at };
	}
	for (size_t i = r->run_first; base && i < r->found.count; i++)
		for (struct race *f = &r->found.at[i]; f; f = f->also) {
			f->side[0].thread += base;
			f->side[1].thread += base;
			f->memory.thread = moved(f->memory.thread, base);
		}
}

void pairs_run_ends(struct races *r)
{
	if (r->found.count > r->run_first)
		keep_threads(r);
	if (r->unseen)
		vec_push(&r->hits, ((struct race_hit){ r->run, RACE_UNSEEN }));
	if (r->stopped)
		vec_push(&r->hits, ((struct race_hit){ r->run, RACE_STOPPED }));
	r->run_first = (uint32_t)r->found.count;
	r->run++;
}

void races_next_like(struct races *r, size_t from, size_t count)
{
	for (size_t i = from; i < from + count; i++) {
		uint32_t race = r->hits.at[i].race;
		vec_push(&r->hits, ((struct race_hit){ r->run, race }));
	}
	r->run++;
}

size_t races_hits(const struct races *r)
{
	return r->hits.count;
}

void pairs_clear(struct races *r)
{
	slots_clear(&r->pairs);
	vec_clear(&r->found);
	vec_clear(&r->marks);
	vec_clear(&r->hits);
	vec_clear(&r->threads);
	arena_release(&r->arena);
	r->more = 0;
	r->run = r->run_first = 0;
}

void pairs_release(struct races *r)
{
	slots_release(&r->pairs);
	vec_release(&r->found);
	vec_release(&r->marks);
	vec_release(&r->hits);
	vec_release(&r->threads);
	arena_release(&r->arena);
}

static void take_list(struct races *r, struct race_list *out)
{
	for (size_t i = 0; i < r->found.count; i++)
		vec_push(&out->all, r->found.at[i]);
	for (size_t i = 0; i < r->threads.count; i++)
		vec_push(&out->threads, r->threads.at[i]);
	out->more = r->more;
	out->arena = r->arena;
	r->arena = (struct arena){ 0 };
}

void races_take(struct races *r, struct race_list *out)
{
	memset(out, 0, sizeof *out);
	out->unseen = r->unseen;
	out->stopped = r->stopped;
	pairs_run_ends(r);
	take_list(r, out);
	pairs_clear(r);
}

void races_take_row(struct races *r, struct race_row *out)
{
	memset(out, 0, sizeof *out);
	take_list(r, &out->first);
	for (size_t i = 0; i < r->hits.count; i++)
		vec_push(&out->hits, r->hits.at[i]);
	out->runs = r->run;
	pairs_clear(r);
}

void race_list_release(struct race_list *l)
{
	vec_release(&l->all);
	vec_release(&l->threads);
	arena_release(&l->arena);
}

void race_row_release(struct race_row *row)
{
	race_list_release(&row->first);
	vec_release(&row->hits);
}
