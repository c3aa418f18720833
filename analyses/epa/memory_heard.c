/* analyses/epa/memory_heard.c -- what a thread calls a pointer: by the objects it has heard of (memory.h, (2) and (3)). */
#include "analyses/epa/memory_inside.h"

#include <string.h>

static bool same_spot(struct named_spot a, struct named_spot b)
{
	return a.thing == b.thing && a.offset == b.offset;
}

static bool is_live(const struct memory *m, uint32_t id)
{
	const struct object *o = id == NO_ID ? NULL : objects_at(m->live, m->named.at[id].low);
	return o && o->id == id;
}

/* Is it not there any more?  A block that another thread has its stack in is. */
static bool is_gone(const struct memory *m, uint32_t id)
{
	const struct object *o = objects_at(m->live, m->named.at[id].low);
	if (!o || (id < m->left.count && m->left.at[id]))
		return true;
	return o->id != id && !((o->kind == OBJECT_STACK || o->kind == OBJECT_TLS) && o->start >= m->named.at[id].low && o->start + o->bytes <= m->named.at[id].high);
}

static void hold(struct thread_memory *t, uint64_t value, struct named_spot is)
{
	uint64_t *index = map_put(&t->held, value, NULL);
	if (!*index) {
		vec_add(&t->kept);
		*index = t->kept.count;
	}
	t->kept.at[*index - 1] = (struct held){ t->known.when, is };
}

static void let_go(struct thread_memory *t, uint64_t value)
{
	uint64_t *index = map_get(&t->held, value);
	if (index && *index)
		t->kept.at[*index - 1] = (struct held){ 0, number(0) };
}

/* Does it hold a value it read, other than what it knows there by now? */
static bool is_held(const struct thread_memory *t, uint64_t value, struct named_spot *out)
{
	const uint64_t *index = map_get(&t->held, value);
	struct known_part part;
	if (!index || !*index)
		return false;
	const struct held *h = &t->kept.at[*index - 1];
	if (!h->is.offset && !h->is.thing)
		return false;
	if (known_at(&t->known, value, &part) && part.when > h->when)
		return false;
	*out = h->is;
	return true;
}

/* Is there the end of an object the thread knows? */
static bool ends_at(const struct memory *m, const struct thread_memory *t, uint64_t address, uint32_t *id)
{
	struct known_part part;
	if (!known_at(&t->known, address - 1, &part) || m->named.at[part.id].high != address)
		return false;
	*id = part.id;
	return true;
}

/* The object the thread has heard of, if it has; kept near, as globals are. */
static bool find_known(struct memory *m, struct thread_memory *t, uint64_t value, struct named_spot *out)
{
	struct near *near = &t->near[value >> 6 & (NEAR - 1)];
	struct known_part part;
	uint32_t in_front = NO_ID;
	if (near->when == t->changes[value / PAGE % PAGES] && in_range(&near->range, value)) {
		*out = spot_in(&near->range, value);
		return true;
	}
	if (!known_at(&t->known, value, &part)) {
		bool ends = ends_at(m, t, value, &in_front) && !memory_is_in_files(m, value, value + 1);
		*out = ends ? memory_spot_of(m, in_front, value) : *out;
		return ends;
	}
	const struct range *named = &m->named.at[part.id];
	bool ends = ends_at(m, t, part.first, &in_front), beside = memory_is_in_files(m, part.first, part.last + 1);
	if (beside && memory_is_in_files(m, value, value + 1))
		return false;
	if (!beside)
		*near = (struct near){ { part.first + ends, part.last + 1, named->thing, part.id, named->origin }, t->changes[value / PAGE % PAGES] };
	ends = ends && value == part.first && is_live(m, in_front) && is_gone(m, part.id);
	*out = memory_spot_of(m, ends ? in_front : part.id, value);            /* the end of what is there rather than something that is not */
	return true;
}

/* It has this pointer from memory, or from a function nobody watches: from now on that is what lies there, unless it is a pointer to something that is gone. */
static void hear(struct memory *m, struct thread_memory *t, uint64_t value, struct named_spot is)
{
	struct named_spot knew = number(value);
	bool known = find_known(m, t, value, &knew);
	if (t->held.count)
		let_go(t, value);
	if (known && same_spot(knew, is))
		return;
	if (is.id != NO_ID && (!known || is_live(m, is.id)))
		memory_teach(m, t, is.id);
	else if (known || !is.thing)
		hold(t, value, is);
}

struct spot memory_read(struct memory *m, struct thread_id by, uint64_t address, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	uint64_t *index = map_get(&m->pointers, address);
	const struct stored *s = index ? &m->stored.at[*index - 1] : NULL;
	bool is_kept = s && s->value == value;
	struct named_spot is;
	uint64_t halves;
	if (is_kept)
		is = s->is;
	else if (!memory_is_handle(m, address, value, &is))
		is = memory_now(m, value);
	if (!is.thing)
		return told(is);
	if (!is_kept && halves_word(&m->halves, address, &halves) && halves == value)
		is = number(value);
	hear(m, &m->threads[by.i], value, is);
	return told(is);
}

static struct named_spot register_of(struct memory *m, struct thread_memory *t, uint64_t value)
{
	struct named_spot is = number(value);
	if (t->held.count && is_held(t, value, &is))
		return is;
	if (find_known(m, t, value, &is) || !memory_find(m, value, &is))
		return is;
	if (is.id != NO_ID)
		memory_teach(m, t, is.id);
	else
		memory_keep_file(m, t, value);
	return is;
}

struct spot memory_register(struct memory *m, struct thread_id by, uint64_t value)
{
	return may_point(value) ? told(register_of(m, &m->threads[by.i], value)) : (struct spot){ 0, value };
}

static bool is_of(const char *name, const char *called)         /* strdup is called raddle_lib_strdup where it is watched */
{
	size_t length = strlen(name), end = strlen(called);
	return length >= end && !strcmp(name + length - end, called);
}

struct spot memory_result(struct memory *m, struct thread_id by, const char *name, uint64_t value)
{
	struct thread_memory *t = &m->threads[by.i];
	const char *called = t->called;
	t->called = NULL;
	if (!may_point(value))
		return (struct spot){ 0, value };
	struct named_spot is = called && name && is_of(name, called) ? memory_now(m, value) : number(value);
	if (is_live(m, is.id))
		hear(m, t, value, is);
	return told(register_of(m, t, value));
}

struct spot memory_wrote(struct memory *m, struct thread_id by, uint64_t address, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	struct named_spot is = register_of(m, &m->threads[by.i], value), two;
	if (is.thing)
		*memory_store_for(m, address) = (struct stored){ value, is };
	else if (is_held(&m->threads[by.i], value, &two))
		halves_put_word(&m->halves, address, value);                /* it was two numbers where it was read */
	return told(is);
}
