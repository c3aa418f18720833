/* analyses/check/adjacent.c -- see adjacent.h. */
#include "analyses/check/adjacent.h"

#include "analyses/check/pending.h"

static const struct node *node_at(const struct space *s, uint32_t node) { return &s->threads->nodes.at[node]; }

static bool is_access(const struct node *n)
{
	return (n->deed == DEED_READ || n->deed == DEED_WRITE || n->deed == DEED_UPDATE) && n->cell != NO_CELL;
}

static bool race(const struct space *s, const struct state *at, uint32_t one, uint32_t other)
{
	const struct node *a = node_at(s, one), *b = node_at(s, other);
	bool overlap = a->cell < b->cell + b->size && b->cell < a->cell + a->size;
	return overlap && (a->plain || b->plain) && (space_writes(s, at, one) || space_writes(s, at, other));
}

/* The access among those a thread is about to make in one go that others have to do with, or its last. */
static uint32_t shared_part(const struct space *s, uint32_t node)
{
	while (node != NO_NODE && node_at(s, node)->size && !is_access(node_at(s, node))) {
		uint32_t next = node_at(s, node)->first;
		if (next == NO_NODE || node_at(s, next)->points || !node_at(s, next)->size)
			break;
		node = next;
	}
	return node;
}

/* The i-th access of a thread: what it is about to do, or a store of its that waits; NO_NODE: there is none. */
static uint32_t access_of(const struct space *s, const struct state *at, uint32_t thread, uint32_t i)
{
	uint32_t node = i ? pending_node(s, at, thread, i - 1) : shared_part(s, space_node(at, thread));
	return node == PENDING_FENCE || node == NO_NODE || !is_access(node_at(s, node)) ? NO_NODE : node;
}

static uint32_t accesses(const struct space *s, const struct state *at, uint32_t thread)
{
	return space_node(at, thread) == NO_NODE ? 0 : 1 + pending_count(s, at, thread);
}

static bool is_new(struct map *known, uint32_t one, uint32_t other)
{
	bool fresh;
	map_put(known, one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one, &fresh);
	return fresh;
}

/* Two accesses of two threads. */
static bool pair(const struct space *s, const struct state *at, uint32_t a, uint32_t b, struct map *known)
{
	if (a == NO_NODE || b == NO_NODE || !race(s, at, a, b))
		return false;
	return is_new(known, node_at(s, a)->place, node_at(s, b)->place);
}

static bool pairs_of(const struct space *s, const struct state *at, uint32_t one, uint32_t other, struct map *known, struct adjacent *out)
{
	for (uint32_t i = 0; i < accesses(s, at, one); i++)
		for (uint32_t k = 0; k < accesses(s, at, other); k++) {
			uint32_t a = access_of(s, at, one, i), b = access_of(s, at, other, k);
			if (!pair(s, at, a, b, known))
				continue;
			bool turned = !space_writes(s, at, a);
			*out = (struct adjacent){ { turned ? b : a, turned ? a : b }, { (turned ? k : i) != 0, (turned ? i : k) != 0 } };
			return true;
		}
	return false;
}

bool adjacent_next(const struct space *s, const struct state *at, struct map *known, struct adjacent *out)
{
	if (!s->threads->shares_plainly)
		return false;
	for (uint32_t i = 0; i < s->thread_count; i++)
		for (uint32_t k = i + 1; k < s->thread_count; k++)
			if (pairs_of(s, at, i, k, known, out))
				return true;
	return false;
}
