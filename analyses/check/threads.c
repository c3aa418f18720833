/* analyses/check/threads.c -- see threads.h: the trees, which bytes and blocks threads share, which threads are alike. */
#include "analyses/check/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOUCHED_BY(thread) ((uint64_t)(thread) + 1)
#define TOUCHED_MASK   0xffffu
#define BY_MORE        (1u << 16)
#define MOST_BYTES     (1u << 20)
#define MOST_TAIL      64u              /* writes of a thread that is like others */

void threads_init(struct threads *t)
{
	memset(t, 0, sizeof *t);
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		t->roots[i] = NO_NODE;
}

void threads_release(struct threads *t)
{
	vec_release(&t->nodes);
	surroundings_release(&t->around);
	names_release(&t->paths);
	names_release(&t->places);
	map_release(&t->children);
	map_release(&t->tolds);
	map_release(&t->tails);
	map_release(&t->bytes);
	map_release(&t->initial);
	map_release(&t->cells);
	map_release(&t->locks);
	map_release(&t->objects);
	vec_release(&t->cell_at);
	vec_release(&t->blocks);
	for (size_t i = 0; i < t->images.count; i++)
		image_close(t->images.at[i]);
	vec_release(&t->images);
}

/* ---------------------------------------------------------------- trees */

static uint32_t node_add(struct threads *t, uint32_t parent, uint32_t thread, uint64_t told)
{
	vec_push(&t->nodes, ((struct node){ .parent = parent, .thread = thread, .told = told, .cell = NO_CELL, .life = NO_CELL, .first = NO_NODE }));
	check(t->nodes.count < NO_NODE);
	return (uint32_t)t->nodes.count - 1;
}

uint32_t threads_child_known(const struct threads *t, uint32_t node, uint64_t told)
{
	const uint64_t *number = map_get(&t->tolds, told);
	const uint64_t *child = number ? map_get(&t->children, (uint64_t)node << 32 | *number) : NULL;
	return child ? (uint32_t)*child : NO_NODE;
}

void threads_are_ends(struct threads *t, const uint32_t *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (nodes[i] != NO_NODE)
			t->nodes.at[nodes[i]].was_end = true;
}

uint32_t threads_child(struct threads *t, uint32_t node, uint64_t told)
{
	bool fresh;
	uint64_t *number = map_put(&t->tolds, told, &fresh);
	if (fresh)
		*number = t->tolds.count;
	uint64_t *child = map_put(&t->children, (uint64_t)node << 32 | *number, &fresh);
	if (fresh) {
		uint32_t made = node_add(t, node, t->nodes.at[node].thread, told);
		*map_get(&t->children, (uint64_t)node << 32 | *map_get(&t->tolds, told)) = made;
		return made;
	}
	return (uint32_t)*child;
}

bool deed_is_private(const struct node *n)
{
	switch (n->deed) {
	case DEED_READ: case DEED_WRITE: case DEED_UPDATE: case DEED_ALLOC: case DEED_FREE: return n->cell == NO_CELL && n->life == NO_CELL && !n->is_head;
	case DEED_CREATE: case DEED_INIT: case DEED_REFUSED: return true;
	default: return false;
	}
}

uint32_t threads_thread(struct threads *t, const char *path)
{
	uint32_t thread = names_put(&t->paths, path, strlen(path));
	if (thread < MAX_THREADS && t->roots[thread] == NO_NODE) {
		t->roots[thread] = node_add(t, NO_NODE, thread, 0);
		t->grown = true;
	}
	return thread;
}

/* ---------------------------------------------------------------- what is shared */

void threads_touch(struct threads *t, uint32_t thread, uint64_t at, uint64_t bytes, uint64_t flags)
{
	if (bytes > MOST_BYTES && !*t->trouble)
		snprintf(t->trouble, sizeof t->trouble, "a library function touches more than a megabyte at once");
	for (uint64_t i = 0; i < bytes && bytes <= MOST_BYTES; i++) {
		uint64_t *byte = map_put(&t->bytes, at + i, NULL), was = *byte;
		if (!(*byte & TOUCHED_MASK))
			*byte |= TOUCHED_BY(thread);
		else if ((*byte & TOUCHED_MASK) != TOUCHED_BY(thread))
			*byte |= BY_MORE;
		*byte |= flags;
		bool is_shared = (*byte & BY_MORE) && (*byte & IS_WRITTEN);
		t->grown |= is_shared && !((was & BY_MORE) && (was & IS_WRITTEN));
	}
}

/* Blocks of the heap: one an address, however often it is given out. */
static struct block *block_of(const struct threads *t, uint64_t at)
{
	size_t low = 0, high = t->blocks.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (t->blocks.at[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at - t->blocks.at[low - 1].at < t->blocks.at[low - 1].bytes ? &t->blocks.at[low - 1] : NULL;
}

void threads_block_add(struct threads *t, uint64_t at, uint64_t bytes)
{
	struct block *known = block_of(t, at);
	if (known && known->at == at && bytes > known->bytes)
		known->bytes = bytes;
	if (known || !bytes)
		return;
	size_t i = t->blocks.count;
	vec_push(&t->blocks, ((struct block){ 0 }));
	for (; i && t->blocks.at[i - 1].at > at; i--)
		t->blocks.at[i] = t->blocks.at[i - 1];
	t->blocks.at[i] = (struct block){ .at = at, .bytes = bytes, .thread = NO_NODE, .cell = NO_CELL };
}

void threads_block_touch(struct threads *t, uint32_t thread, uint64_t at, enum use use)
{
	struct block *b = block_of(t, at);
	if (!b)
		return;
	bool was = b->by_more && b->freed, other = b->other_uses;
	b->by_more |= b->thread != NO_NODE && b->thread != thread;
	b->thread = thread;
	b->freed |= use == USE_FREE;
	b->other_uses |= use == USE_OTHER;
	t->grown |= b->by_more && b->freed && (!was || b->other_uses != other);
}

bool threads_has_block(const struct threads *t, uint64_t at) { return block_of(t, at) != NULL; }

void threads_uses_object(struct threads *t, uint32_t thread, uint64_t at, uint32_t bytes)
{
	*map_put(&t->objects, at, NULL) = bytes;
	threads_block_touch(t, thread, at, USE_OTHER);
}

static bool is_shared(const struct threads *t, uint64_t at)
{
	const uint64_t *byte = map_get(&t->bytes, at);
	return byte && (*byte & BY_MORE) && (*byte & IS_WRITTEN);
}

static uint32_t shared_bytes(const struct threads *t, const struct node *n)
{
	uint32_t shared = 0;
	for (uint32_t i = 0; i < n->size; i++)
		shared += is_shared(t, n->object + i);
	return shared;
}

bool threads_shares(const struct threads *t, const struct node *n)
{
	return shared_bytes(t, n) != 0;
}

/* Is its object one of sync.h, itself and not beside a condition? */
static bool has_word(const struct node *n)
{
	switch (n->deed) {
	case DEED_LOCK: case DEED_UNLOCK: case DEED_DOWN: case DEED_UP: case DEED_ARRIVE: case DEED_LEAVE: case DEED_ONCE: case DEED_ONCE_DONE:
	case DEED_INIT:
		return true;
	default:
		return false;
	}
}

void threads_find_cell(struct threads *t, struct node *n)
{
	const uint64_t *cell = n->size ? map_get(&t->cells, n->object) : NULL;
	uint64_t lock = has_word(n) ? n->object : n->second;
	uint32_t shared = shared_bytes(t, n);
	bool fresh = false;
	const struct block *block = n->size || n->deed == DEED_FREE || n->deed == DEED_ALLOC ? block_of(t, n->object) : NULL;
	n->cell = cell ? (uint32_t)*cell : NO_CELL;
	t->shares_plainly |= n->plain && cell;
	n->life = block ? block->cell : NO_CELL;
	t->grown |= shared && (!cell || shared != n->size);
	if (lock) {
		uint64_t *number = map_put(&t->locks, lock, &fresh);
		if (fresh)
			*number = t->locks.count - 1;
		n->lock = (uint32_t)*number;
	}
	t->grown |= fresh;
}

/* All bytes of an access are cells or none is: those beside a shared one are made so until nothing changes. */
static bool widen(struct threads *t)
{
	bool more = false;
	for (size_t i = 0; i < t->nodes.count; i++) {
		const struct node *n = &t->nodes.at[i];
		uint32_t shared = shared_bytes(t, n);
		if (!shared || shared == n->size)
			continue;
		for (uint32_t b = 0; b < n->size; b++)
			*map_put(&t->bytes, n->object + b, NULL) |= BY_MORE | IS_WRITTEN;
		more = true;
	}
	return more;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void find_first(struct threads *t, uint64_t at)
{
	for (size_t i = 0; i < t->images.count && !map_get(&t->initial, at); i++) {
		int byte = t->images.at[i] ? image_byte(t->images.at[i], at) : -1;
		if (byte >= 0)
			*map_put(&t->initial, at, NULL) = (uint64_t)byte + 1;
	}
}

static void doubt(struct threads *t, const char *why)
{
	if (!*t->trouble)
		snprintf(t->trouble, sizeof t->trouble, "%s", why);
}

/* Locks and conditions lie where they are, and are not written over. */
static void doubt_objects(struct threads *t)
{
	for (size_t i = 0; i < t->objects.room; i++) {
		const struct map_cell *c = &t->objects.cells[i];
		if (!c->used)
			continue;
		for (uint64_t b = 0; b < c->value; b++) {
			const uint64_t *byte = map_get(&t->bytes, c->key + b);
			if (byte && *byte & WRITTEN_AMONG)
				doubt(t, "the memory of a lock or condition is written while threads run");
		}
	}
}

/* Which of two threads has ended matters to who joins one of them: they are alike only where all such threads are joined in one go. */
static bool joins_are_common(struct threads *t)
{
	for (uint32_t i = 0; i < t->nodes.count; i++) {
		const struct node *n = &t->nodes.at[i];
		bool joined[MAX_THREADS] = { 0 };
		if (n->deed != DEED_JOIN || !threads_tail(t, t->roots[n->other]))
			continue;
		uint32_t head = i;
		for (uint32_t up = n->parent; up != NO_NODE && (t->nodes.at[up].deed == DEED_JOIN || deed_is_private(&t->nodes.at[up])); up = t->nodes.at[up].parent)
			head = up;
		for (uint32_t at = head; at != NO_NODE && (t->nodes.at[at].deed == DEED_JOIN || deed_is_private(&t->nodes.at[at])); at = t->nodes.at[at].first)
			if (t->nodes.at[at].deed == DEED_JOIN)
				joined[t->nodes.at[at].other] = true;
		for (uint32_t k = 0; k < t->paths.count && k < MAX_THREADS; k++)
			if (!joined[k] && t->roots[k] != NO_NODE && threads_tail(t, t->roots[k]))
				return false;
	}
	return true;
}

void threads_find_cells(struct threads *t)
{
	while (widen(t))
		;
	vec_clear(&t->cell_at);
	for (size_t i = 0; i < t->bytes.room; i++) {
		const struct map_cell *c = &t->bytes.cells[i];
		if (!c->used || !is_shared(t, c->key))
			continue;
		vec_push(&t->cell_at, c->key);
		if (c->value & BY_LIBRARY) {
			doubt(t, "a library function touches memory that threads share: not explored yet");
			t->shares_by_library = !t->follows_libraries;
		}
	}
	if (t->cell_at.count)
		qsort(t->cell_at.at, t->cell_at.count, sizeof *t->cell_at.at, by_address);
	map_release(&t->cells);
	for (size_t i = 0; i < t->cell_at.count; i++) {
		*map_put(&t->cells, t->cell_at.at[i], NULL) = i;
		find_first(t, t->cell_at.at[i]);
	}
	doubt_objects(t);
	t->life_count = 0;
	for (size_t i = 0; i < t->blocks.count; i++) {
		struct block *b = &t->blocks.at[i];
		if (b->by_more && b->freed && b->other_uses) {
			doubt(t, "a block that one thread frees is used by another for a lock, or by a library function: not explored yet");
			t->shares_by_library = !t->follows_libraries;
		}
		b->cell = b->by_more && b->freed ? (uint32_t)t->cell_at.count + t->life_count++ : NO_CELL;
	}
	for (size_t i = 0; i < t->nodes.count; i++) {
		threads_find_cell(t, &t->nodes.at[i]);
		t->nodes.at[i].tail = 0;
	}
	t->alike = joins_are_common(t);
	t->grown = false;
}

/* ---------------------------------------------------------------- threads that are alike */

#define TAIL_END 1u

/* A number for a pair; the tables of two words make one for four. */
static uint32_t pair_number(struct threads *t, uint64_t a, uint64_t b)
{
	bool fresh;
	uint64_t *first = map_put(&t->tolds, a, &fresh);
	if (fresh)
		*first = t->tolds.count;
	uint64_t high = *first;
	uint64_t *second = map_put(&t->tolds, b, &fresh);
	if (fresh)
		*second = t->tolds.count;
	uint64_t *number = map_put(&t->tails, high << 32 | *second, &fresh);
	if (fresh)
		*number = t->tails.count + TAIL_END;
	return (uint32_t)*number;
}

uint32_t threads_tail_with(struct threads *t, uint32_t write, uint32_t tail)
{
	const struct node *n = &t->nodes.at[write];
	uint64_t what = (uint64_t)n->size << 32 | n->cell, how = (uint64_t)n->life << 3 | (n->points ? 0 : 4u) | (unsigned)n->release << 1 | n->waits;
	return pair_number(t, (uint64_t)pair_number(t, n->value, what) << 32 | tail, how);
}

uint32_t threads_tail(struct threads *t, uint32_t node)
{
	uint32_t at = node, writes[MOST_TAIL], count = 0, tail = TAIL_END;
	for (; !t->nodes.at[at].tail && t->nodes.at[at].deed != DEED_END; at = t->nodes.at[at].first) {
		const struct node *n = &t->nodes.at[at];
		bool private = deed_is_private(n) && n->deed != DEED_CREATE;
		if (n->first == NO_NODE || (!private && (n->deed != DEED_WRITE || count == MOST_TAIL)))
			return 0;
		if (!private)
			writes[count++] = at;
	}
	if (t->nodes.at[at].tail)
		tail = t->nodes.at[at].tail;
	while (count) {
		tail = threads_tail_with(t, writes[--count], tail);
		t->nodes.at[writes[count]].tail = tail;
	}
	return tail;
}
