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

#define MOST_PARTS 48u

/* What a thread is about to access in one go, as far as others have to do with it. */
struct parts { uint32_t count, at[MOST_PARTS]; };

static void find_parts(const struct space *s, const struct state *at, uint32_t node, struct parts *out)
{
	out->count = 0;
	while (node != NO_NODE && node_at(s, node)->size && out->count < MOST_PARTS) {
		if (is_access(node_at(s, node)))
			out->at[out->count++] = node;
		uint32_t first = node_at(s, node)->first;       /* of a program's own accesses: in one go whatever is read, or not */
		if (!s->threads->follows_libraries && (first == NO_NODE || node_at(s, first)->points))
			break;
		node = space_after(s, at, node);
		if (node != NO_NODE && node_at(s, node)->points)
			break;
	}
}

/* The i-th access of a thread: what it is about to do, or a store of its that waits; NO_NODE: it is none. */
static uint32_t access_of(const struct space *s, const struct state *at, uint32_t thread, const struct parts *parts, uint32_t i)
{
	uint32_t node = i < parts->count ? parts->at[i] : pending_node(s, at, thread, i - parts->count);
	return node == PENDING_FENCE || node == NO_NODE || !is_access(node_at(s, node)) ? NO_NODE : node;
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
	struct parts mine, theirs;
	find_parts(s, at, space_node(at, one), &mine);
	find_parts(s, at, space_node(at, other), &theirs);
	for (uint32_t i = 0; i < mine.count + pending_count(s, at, one); i++)
		for (uint32_t k = 0; k < theirs.count + pending_count(s, at, other); k++) {
			uint32_t a = access_of(s, at, one, &mine, i), b = access_of(s, at, other, &theirs, k);
			if (!pair(s, at, a, b, known))
				continue;
			bool turned = !space_writes(s, at, a), waits = i >= mine.count, other_waits = k >= theirs.count;
			*out = (struct adjacent){ { turned ? b : a, turned ? a : b }, { turned ? other_waits : waits, turned ? waits : other_waits } };
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
			if (space_node(at, i) != NO_NODE && space_node(at, k) != NO_NODE && pairs_of(s, at, i, k, known, out))
				return true;
	return false;
}
