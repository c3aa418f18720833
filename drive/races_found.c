/* drive/races_found.c -- pairs of source places that raced: the first time in full, then only counted.
 * A place is a line of a file, or where that is not known the site itself. */
#include <string.h>

#include "drive/races_inside.h"

#define FRAMES_KEPT 64u
#define LOCKS_KEPT  64u

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

static const struct place **frames_of(struct races *r, uint32_t row, uint32_t *count)
{
	uint32_t length = row == NONE ? 0 : r->links.all.at[row].length;
	*count = length < FRAMES_KEPT ? length : FRAMES_KEPT;
	if (!length)
		return NULL;
	const struct place **frames = arena_take(&r->arena, *count * sizeof *frames);
	for (uint32_t i = 0; i < *count; i++, row = r->links.all.at[row].before)
		frames[i] = r->links.all.at[row].place;
	return frames;
}

static const char *symbol(const struct races *r, uint64_t address, uint64_t *offset)
{
	*offset = 0;
	return r->names.symbol ? r->names.symbol(r->names.who, address, offset) : NULL;
}

static struct race_lock *locks_of(struct races *r, uint32_t row, uint32_t *count)
{
	uint64_t offset;
	uint32_t length = row == NONE ? 0 : r->links.all.at[row].length;
	*count = length < LOCKS_KEPT ? length : LOCKS_KEPT;
	if (!length)
		return NULL;
	struct race_lock *locks = arena_take(&r->arena, *count * sizeof *locks);
	for (uint32_t i = 0; i < *count; i++) {
		struct link l = r->links.all.at[row];
		const char *name = symbol(r, l.what >> 1, &offset);
		locks[i] = (struct race_lock){ l.what >> 1, l.what & 1, l.place, NULL };
		if (name && !offset)
			locks[i].name = arena_text(&r->arena, name, strlen(name));
		row = l.before;
	}
	return locks;
}

static struct race_side side_of(struct races *r, uint32_t thread, uint8_t kind, uint8_t how, uint32_t bytes, uint64_t address,
	const struct place *place, uint32_t stack, uint32_t held)
{
	struct race_side s = { .thread = thread, .kind = kind, .write = how & TOUCH_WRITES, .atomic = how & TOUCH_ATOMIC, .bytes = bytes,
		.address = address, .place = place };
	s.frames = frames_of(r, stack, &s.frame_count);
	s.locks = locks_of(r, held, &s.lock_count);
	return s;
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

void found_race(struct races *r, const struct seen *first, uint64_t address, const struct touch *second)
{
	uint64_t key;
	uint32_t *slot = pair_slot(r, first->place, second->place, &key);
	if (*slot != NONE) {
		struct race *known = &r->found.at[*slot];
		if (r->found_at.at[*slot] != r->events)
			known->times++;
		r->found_at.at[*slot] = r->events;
		return;
	}
	if (r->found.count >= r->limits.pairs) {
		slots_drop(&r->pairs, key);
		r->more++;
		return;
	}
	*slot = (uint32_t)r->found.count;
	uint64_t bytes = second->bytes < UINT32_MAX ? second->bytes : UINT32_MAX;
	struct race found = { .times = 1, .memory = memory_at(r, address) };
	found.side[0] = side_of(r, first->thread, first->kind, first->how, first->bytes, address, first->place, first->stack, first->held);
	found.side[1] = side_of(r, second->thread, second->kind, second->how, (uint32_t)bytes, address, second->place, second->stack,
		second->held);
	vec_push(&r->found, found);
	vec_push(&r->found_at, r->events);
}

void races_take(struct races *r, struct race_list *out)
{
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < r->found.count; i++)
		vec_push(&out->all, r->found.at[i]);
	out->more = r->more;
	out->unseen = r->unseen;
	out->stopped = r->stopped;
	out->arena = r->arena;
	r->arena = (struct arena){ 0 };
	vec_clear(&r->found);
	for (uint32_t i = 0; out->all.count && i < r->racer_count; i++) {
		const char *path = r->names.path ? r->names.path(r->names.who, i) : NULL;
		*vec_add(&out->threads) = (struct race_thread){ path ? arena_text(&out->arena, path, strlen(path)) : "?",
			r->racers.at[i].maker, r->racers.at[i].made_at };
	}
}

void race_list_release(struct race_list *l)
{
	vec_release(&l->all);
	vec_release(&l->threads);
	arena_release(&l->arena);
}
