/* analyses/check/packed.c -- see packed.h.
 * The bytes may be anybody's.  What is taken from them is such that the search does not leave its tables and ends:
 *   (1) a node comes behind its parent; `first` is one of its children, or where a loop begins, which is an ancestor;
 *   (2) a loop begins with a read or update that is a point of its own, so no round of it happens unnoticed;
 *   (3) a deed that leads on always has led on, but for those a thread may wait at for ever;
 *   (4) a thread creates only threads that were numbered after it. */
#include "analyses/check/packed.h"

#include <string.h>

#define MOST_OBJECT 4096u               /* bytes of a lock or the like */

/* Whoever gives these another member says here what becomes of it. */
_Static_assert(sizeof(struct node) == 96, "every member of a node is in a file or found again");
_Static_assert(sizeof(struct block) == 32, "and of a block");
_Static_assert(sizeof(struct threads) == 2112 + sizeof(struct surroundings), "and of all threads");

struct cursor { const uint8_t *at; size_t left; bool bad; };

static void put(struct buffer *out, uint64_t word, unsigned bytes)
{
	uint8_t all[8];
	for (unsigned i = 0; i < bytes; i++)
		all[i] = (uint8_t)(word >> 8 * i);
	buffer_add(out, all, bytes);
}

static uint64_t get(struct cursor *c, unsigned bytes)
{
	uint64_t word = 0;
	if (c->left < bytes) {
		c->bad = true;
		c->left = 0;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		word |= (uint64_t)c->at[i] << 8 * i;
	c->at += bytes;
	c->left -= bytes;
	return word;
}

const char *packed_name(enum packed_part part)
{
	static const char *const names[] = { "paths", "places", "nodes", "bytes", "initial", "objects", "blocks", "ends" };
	return names[part];
}

/* ---------------------------------------------------------------- nodes */

enum { IS_WAITING = 1, IS_RELEASE = 2, IS_RECURSIVE = 4, IS_READING = 8, IS_TRIED = 16, IS_TIMED = 32, IS_HEAD = 64, IS_PLAIN = 128 };
#define HAS_FAILED 0x80ull              /* beside the deed */

static void put_node(struct buffer *out, const struct node *n)
{
	put(out, n->parent, 4);
	put(out, n->thread, 1);
	put(out, n->deed | (n->failed ? HAS_FAILED : 0), 1);
	put(out, n->size, 1);
	put(out, (n->waits ? IS_WAITING : 0) | (n->release ? IS_RELEASE : 0) | (n->recursive ? IS_RECURSIVE : 0) | (n->reading ? IS_READING : 0) |
		(n->tried ? IS_TRIED : 0) | (n->timed ? IS_TIMED : 0) | (n->is_head ? IS_HEAD : 0) | (n->plain ? IS_PLAIN : 0), 1);
	put(out, n->told, 8);
	put(out, n->written, 8);
	put(out, n->object, 8);
	put(out, n->second, 8);
	put(out, n->value, 8);
	put(out, n->other, 4);
	put(out, n->points, 4);
	put(out, n->first, 4);
	put(out, n->place, 4);
}

static struct node get_node(struct cursor *c)
{
	struct node n = { .cell = NO_CELL, .life = NO_CELL };
	n.parent = (uint32_t)get(c, 4);
	n.thread = (uint32_t)get(c, 1);
	uint64_t deed = get(c, 1);
	n.deed = (uint8_t)(deed & ~HAS_FAILED), n.failed = deed & HAS_FAILED;
	n.size = (uint8_t)get(c, 1);
	uint64_t flags = get(c, 1);
	n.waits = flags & IS_WAITING, n.release = flags & IS_RELEASE, n.recursive = flags & IS_RECURSIVE, n.reading = flags & IS_READING;
	n.tried = flags & IS_TRIED, n.timed = flags & IS_TIMED, n.is_head = flags & IS_HEAD, n.plain = flags & IS_PLAIN;
	n.told = get(c, 8);
	n.written = get(c, 8);
	n.object = get(c, 8);
	n.second = get(c, 8);
	n.value = get(c, 8);
	n.other = (uint32_t)get(c, 4);
	n.points = (uint32_t)get(c, 4);
	n.first = (uint32_t)get(c, 4);
	n.place = (uint32_t)get(c, 4);
	return n;
}

/* A thread may have come here and never gone on. */
static bool may_wait_for_ever(const struct node *n)
{
	return n->deed == DEED_UNKNOWN || n->deed == DEED_LOCK || n->deed == DEED_DOWN || n->deed == DEED_ONCE || n->deed == DEED_WAKE || n->deed == DEED_JOIN ||
		n->deed == DEED_NEVER;
}

static bool has_its_object(const struct node *n)
{
	switch (n->deed) {
	case DEED_LOCK: case DEED_UNLOCK: case DEED_DOWN: case DEED_UP: case DEED_ARRIVE: case DEED_LEAVE: case DEED_ONCE: case DEED_ONCE_DONE: case DEED_INIT:
		return n->object;
	case DEED_WAIT: case DEED_WAKE: return n->object && n->second;
	default: return true;
	}
}

static bool loop_is_sound(const struct threads *t, uint32_t node)
{
	uint32_t head = t->nodes.at[node].first, up = node;
	while (up != NO_NODE && up != head)
		up = t->nodes.at[up].parent;
	return up != NO_NODE && up != node && t->nodes.at[up].is_head;
}

static bool node_is_sound(const struct threads *t, uint32_t node)
{
	const struct node *n = &t->nodes.at[node];
	bool creates = n->deed == DEED_CREATE, names = creates || n->deed == DEED_JOIN || n->deed == DEED_RESULT;
	if (n->deed > DEED_NEVER || n->size > 8 || n->thread >= t->paths.count || !has_its_object(n) || (n->size && n->place >= t->places.count))
		return false;
	if (n->parent != NO_NODE && (n->parent >= node || t->nodes.at[n->parent].thread != n->thread))
		return false;
	if (names && (n->other >= t->paths.count || (creates && n->other <= n->thread)))
		return false;
	if (n->deed == DEED_CHOOSE && n->value > MOST_CHOICES)
		return false;
	if (n->is_head && ((n->deed != DEED_READ && n->deed != DEED_UPDATE) || !n->points))
		return false;
	if (n->deed == DEED_BACK)
		return loop_is_sound(t, node);
	if (n->first == NO_NODE)
		return may_wait_for_ever(n);
	return n->deed != DEED_UNKNOWN && n->first > node && n->first < t->nodes.count && t->nodes.at[n->first].parent == node;
}

/* Who was told what, again; false: two children were told the same, or a thread begins twice. */
static bool add_to_parent(struct threads *t, uint32_t node)
{
	const struct node *n = &t->nodes.at[node];
	bool fresh;
	if (n->parent == NO_NODE) {
		fresh = t->roots[n->thread] == NO_NODE;
		t->roots[n->thread] = node;
		return fresh;
	}
	uint64_t *number = map_put(&t->tolds, n->told, &fresh);
	if (fresh)
		*number = t->tolds.count;
	*map_put(&t->children, (uint64_t)n->parent << 32 | *number, &fresh) = node;
	return fresh;
}

static void find_kinds(struct threads *t, const struct node *n)
{
	t->has_sections |= n->deed == DEED_ATOMIC;
	t->has_assumptions |= n->deed == DEED_NEVER;
	t->has_wide |= n->deed == DEED_CHOOSE && n->plain;
	t->bounded |= t->has_wide;
}

static bool take_nodes(struct cursor *c, struct threads *t)
{
	while (c->left && !c->bad)
		vec_push(&t->nodes, get_node(c));
	if (c->bad || t->nodes.count >= NO_NODE)
		return false;
	for (uint32_t i = 0; i < t->nodes.count; i++)
		if (!node_is_sound(t, i) || !add_to_parent(t, i))
			return false;
		else
			find_kinds(t, &t->nodes.at[i]);
	for (uint32_t i = 0; i < t->paths.count; i++)
		if (t->roots[i] == NO_NODE)
			return false;
	return true;
}

/* ---------------------------------------------------------------- the rest */

static void put_map(struct buffer *out, const struct map *m, unsigned bytes)
{
	for (size_t i = 0; i < m->room; i++)
		if (m->cells[i].used) {
			put(out, m->cells[i].key, 8);
			put(out, m->cells[i].value, bytes);
		}
}

static bool take_map(struct cursor *c, struct map *m, unsigned bytes, uint64_t low, uint64_t high)
{
	bool fresh = true;
	while (c->left && !c->bad && fresh) {
		uint64_t *value = map_put(m, get(c, 8), &fresh);
		*value = get(c, bytes);
		fresh &= *value >= low && *value <= high;
	}
	return fresh && !c->bad;
}

static void put_names(struct buffer *out, const struct names *n)
{
	for (uint32_t i = 0; i < n->count; i++)
		buffer_add(out, names_text(n, i), strlen(names_text(n, i)) + 1);
}

/* Each is another one. */
static bool take_names(struct cursor *c, struct names *n, size_t most)
{
	while (c->left) {
		size_t length = strnlen((const char *)c->at, c->left), before = n->count;
		if (length == c->left)
			return false;
		names_put(n, (const char *)c->at, length);
		if (n->count == before || n->count > most)
			return false;
		c->at += length + 1;
		c->left -= length + 1;
	}
	return true;
}

static bool take_paths(struct cursor *c, struct threads *t)
{
	return take_names(c, &t->paths, MAX_THREADS) && t->paths.count && !strcmp(names_text(&t->paths, 0), "T_0");
}

/* With a tab in each. */
static bool take_places(struct cursor *c, struct threads *t)
{
	if (!take_names(c, &t->places, UINT32_MAX - 1))
		return false;
	for (uint32_t i = 0; i < t->places.count; i++)
		if (!strchr(names_text(&t->places, i), '\t'))
			return false;
	return true;
}

enum { BY_MORE_THREADS = 1, WAS_FREED = 2, OTHER_USES = 4 };

static void put_block(struct buffer *out, const struct block *b)
{
	put(out, b->at, 8);
	put(out, b->bytes, 8);
	put(out, b->thread, 4);
	put(out, (b->by_more ? BY_MORE_THREADS : 0) | (b->freed ? WAS_FREED : 0) | (b->other_uses ? OTHER_USES : 0), 1);
}

static struct block get_block(struct cursor *c)
{
	struct block b = { .cell = NO_CELL };
	b.at = get(c, 8);
	b.bytes = get(c, 8);
	b.thread = (uint32_t)get(c, 4);
	uint64_t flags = get(c, 1);
	b.by_more = flags & BY_MORE_THREADS, b.freed = flags & WAS_FREED, b.other_uses = flags & OTHER_USES;
	return b;
}

/* By address, one behind the other. */
static bool take_blocks(struct cursor *c, struct threads *t)
{
	while (c->left && !c->bad) {
		struct block b = get_block(c), *last = t->blocks.count ? &t->blocks.at[t->blocks.count - 1] : NULL;
		if (!b.bytes || b.at + b.bytes < b.at || (last && b.at < last->at + last->bytes))
			return false;
		vec_push(&t->blocks, b);
	}
	return !c->bad;
}

#define IS_DISCARDED 0x8000u            /* with the number of threads of an end */

static void put_ends(struct buffer *out, struct ends *e)
{
	struct run_end end;
	bool again;
	for (size_t place = 0; ends_next(e, &place, &end, &again);) {
		if (again)
			continue;
		put(out, end.count | (end.discarded ? IS_DISCARDED : 0), 2);
		for (uint32_t i = 0; i < end.count; i++)
			put(out, end.at[i], 4);
	}
}

static bool take_ends(struct cursor *c, const struct threads *t, struct ends *e)
{
	while (c->left && !c->bad) {
		uint64_t head = get(c, 2);
		struct run_end end = { .count = head & ~(uint64_t)IS_DISCARDED, .discarded = head & IS_DISCARDED };
		if (end.count > t->paths.count)
			return false;
		for (uint32_t i = 0; i < end.count; i++) {
			end.at[i] = (uint32_t)get(c, 4);
			if (end.at[i] != NO_NODE && (end.at[i] >= t->nodes.count || t->nodes.at[end.at[i]].thread != i))
				return false;
		}
		ends_add(e, &end, false);
	}
	return !c->bad;
}

void packed_make(const struct threads *t, struct ends *e, enum packed_part part, struct buffer *out)
{
	switch (part) {
	case PACKED_PATHS: put_names(out, &t->paths); break;
	case PACKED_PLACES: put_names(out, &t->places); break;
	case PACKED_NODES:
		for (size_t i = 0; i < t->nodes.count; i++)
			put_node(out, &t->nodes.at[i]);
		break;
	case PACKED_BYTES: put_map(out, &t->bytes, 4); break;
	case PACKED_INITIAL: put_map(out, &t->initial, 2); break;
	case PACKED_OBJECTS: put_map(out, &t->objects, 4); break;
	case PACKED_BLOCKS:
		for (size_t i = 0; i < t->blocks.count; i++)
			put_block(out, &t->blocks.at[i]);
		break;
	default: put_ends(out, e); break;
	}
}

bool packed_take(const struct buffer parts[PACKED_PARTS], struct threads *t, struct ends *e)
{
	struct cursor c[PACKED_PARTS];
	for (int i = 0; i < PACKED_PARTS; i++)
		c[i] = (struct cursor){ parts[i].at, parts[i].count, false };
	return take_paths(&c[PACKED_PATHS], t) && take_places(&c[PACKED_PLACES], t) && take_nodes(&c[PACKED_NODES], t) && take_map(&c[PACKED_BYTES], &t->bytes, 4, 0, UINT32_MAX) &&
		take_map(&c[PACKED_INITIAL], &t->initial, 2, 1, 256) && take_map(&c[PACKED_OBJECTS], &t->objects, 4, 0, MOST_OBJECT) &&
		take_blocks(&c[PACKED_BLOCKS], t) && take_ends(&c[PACKED_ENDS], t, e);
}
