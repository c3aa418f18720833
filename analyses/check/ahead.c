/* analyses/check/ahead.c -- see ahead.h.  The guess costs nothing if it is wrong: the run shows what is there, and steps that cannot be taken are passed over. */
#include "analyses/check/ahead.h"

#include <string.h>
#include <xxhash.h>

#include "analyses/check/explore.h"

#define MOST_ROUND  64u                 /* looks of a round */
#define MOST_STATES 2000u               /* looked at for a class */

static bool is_look(const struct node *up, const struct node *below)
{
	return up->deed == DEED_READ || (up->deed == DEED_UPDATE && below->written == below->told) || up->deed == DEED_LOCK || up->deed == DEED_UNLOCK;
}

static bool is_same(const struct threads *t, const uint32_t *a, const uint32_t *b)
{
	const struct node *x = &t->nodes.at[a[0]], *y = &t->nodes.at[b[0]];
	return x->deed == y->deed && x->object == y->object && x->size == y->size && x->place == y->place && t->nodes.at[a[1]].told == t->nodes.at[b[1]].told;
}

uint32_t ahead_guess(const struct threads *t, uint32_t node)
{
	uint32_t looks[2 * MOST_ROUND][2], count = 0;           /* nodes that looked and where that led, the last one first */
	for (uint32_t at = node; count < 2 * MOST_ROUND; count++) {
		uint32_t up = t->nodes.at[at].parent;
		if (up == NO_NODE || !is_look(&t->nodes.at[up], &t->nodes.at[at]))
			break;
		looks[count][0] = up;
		looks[count][1] = at;
		at = up;
	}
	for (uint32_t many = 1; 2 * many <= count; many++) {
		uint32_t same = 0;
		while (same < many && is_same(t, looks[same], looks[same + many]))
			same++;
		if (same == many)
			return looks[many - 1][0];
	}
	return NO_NODE;
}

/* ---------------------------------------------------------------- to a class that is wanted */

struct seen_state { uint32_t from; struct step step; size_t at; };

struct looking {
	const struct space *s;
	VEC(struct seen_state) all;
	VEC(char) bytes;
	struct keys seen;
	struct state *here;
};

static void add(struct looking *l, const struct state *state, uint32_t from, struct step step)
{
	size_t bytes = space_bytes(l->s, state);
	bool fresh;
	XXH128_hash_t h = XXH3_128bits(state, bytes);
	keys_put(&l->seen, (struct key){ h.high64, h.low64 }, &fresh);
	if (!fresh)
		return;
	vec_push(&l->all, ((struct seen_state){ from, step, l->bytes.count }));
	if (l->bytes.count + bytes > l->bytes.room)
		l->bytes.at = mem_resize(l->bytes.at, l->bytes.room = 2 * (l->bytes.count + bytes));
	memcpy(l->bytes.at + l->bytes.count, state, bytes);
	l->bytes.count += bytes;
}

static void get(struct looking *l, uint32_t i)
{
	size_t end = i + 1 < l->all.count ? l->all.at[i + 1].at : l->bytes.count;
	memcpy(l->here, l->bytes.at + l->all.at[i].at, end - l->all.at[i].at);
}

static struct key class_here(const struct looking *l)
{
	uint32_t nodes[MAX_THREADS];
	for (uint32_t i = 0; i < l->s->thread_count; i++)
		nodes[i] = space_node(l->here, i);
	return class_of(l->s, nodes, l->s->thread_count);
}

/* Does a thread do something new here, and not only come back to where it was? */
static bool is_new(struct looking *l, struct ahead *a, struct step unknown)
{
	uint32_t node = unknown.thread == NOBODY ? NO_NODE : space_node(l->here, unknown.thread);
	if (node == NO_NODE || (l->s->threads->nodes.at[node].deed == DEED_UNKNOWN && ahead_guess(l->s->threads, node) != NO_NODE))
		return false;
	a->unknown = unknown;
	a->unknown_node = node;
	return true;
}

/* The number of a state where such a class ends, or something is new; NO_NODE: none was found. */
static uint32_t search(struct looking *l, struct ahead *a)
{
	struct state *then = mem_take(l->s->most_bytes + sizeof(uint32_t));
	uint32_t found = NO_NODE;
	steps next = { 0 };
	struct step unknown;
	for (uint32_t i = 0; i < l->all.count && i < MOST_STATES && found == NO_NODE; i++) {
		get(l, i);
		vec_clear(&next);
		unknown.thread = NOBODY;
		if (!space_is_over(l->s, l->here))
			space_steps(l->s, l->here, &next, &unknown);
		if (is_new(l, a, unknown) || (unknown.thread == NOBODY && !next.count && !space_is_discarded(l->s, l->here) && a->wanted(a->who, class_here(l))))
			found = i;
		for (size_t k = 0; k < next.count && unknown.thread == NOBODY; k++) {
			get(l, i);
			memcpy(then, l->here, space_bytes(l->s, l->here));
			space_take(l->s, then, next.at[k], NULL);
			add(l, then, i, next.at[k]);
		}
	}
	vec_release(&next);
	mem_free(then);
	return found;
}

static void log_way(struct looking *l, uint32_t end, doings *way)
{
	VEC(struct step) back = { 0 };
	for (uint32_t i = end; i; i = l->all.at[i].from)
		vec_push(&back, l->all.at[i].step);
	get(l, 0);
	while (back.count)
		space_take(l->s, l->here, back.at[--back.count], way);
	vec_release(&back);
}

bool ahead_find(const struct space *s, const struct state *from, struct ahead *a, doings *way)
{
	struct node *n = &s->threads->nodes.at[a->node];
	struct node was = *n;
	bool was_head = s->threads->nodes.at[a->head].is_head;
	struct looking l = { .s = s, .here = mem_take(s->most_bytes + sizeof(uint32_t)) };
	n->deed = DEED_BACK;
	n->first = a->head;
	s->threads->nodes.at[a->head].is_head = true;
	a->unknown.thread = NOBODY;
	memcpy(l.here, from, space_bytes(s, from));
	space_settle(s, l.here, way);
	add(&l, l.here, 0, (struct step){ NOBODY, NOBODY });
	uint32_t end = search(&l, a);
	if (end != NO_NODE)
		log_way(&l, end, way);
	s->threads->nodes.at[a->node] = was;
	s->threads->nodes.at[a->head].is_head = was_head;
	keys_release(&l.seen);
	vec_release(&l.all);
	vec_release(&l.bytes);
	mem_free(l.here);
	return end != NO_NODE;
}
