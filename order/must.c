/* order/must.c -- the must-order: what comes before what in every run that keeps the outcomes met before.
 * Rows are shared: a node that learns nothing of other threads has its predecessor's, so locks cost none.
 * Query O(1); learning O(threads). */
#include <string.h>

#include "order/inside.h"

uint32_t row_new(struct order *o, uint32_t like)
{
	size_t width = o->thread_count;
	while (o->rows.room < o->rows.count + width + 1) {
		o->rows.room = o->rows.room ? o->rows.room * 2 : 1024;
		o->rows.at = mem_resize(o->rows.at, o->rows.room * sizeof *o->rows.at);
	}
	if (o->row_count)
		memcpy(o->rows.at + o->rows.count, o->rows.at + like * width, width * sizeof *o->rows.at);
	else
		memset(o->rows.at, 0, width * sizeof *o->rows.at);
	o->rows.count += width;
	return o->row_count++;
}

static const uint32_t *row_at(const struct order *o, uint32_t row)
{
	return o->rows.at + (size_t)row * o->thread_count;
}

bool row_learn(struct order *o, struct thread_line *t, uint32_t self, uint32_t node, bool *own)
{
	const struct node *n = &o->nodes.at[node];
	if (n->thread == self || row_at(o, t->row)[n->thread] > n->at)
		return false;                   /* then all that node knows is known too */
	if (!*own)
		t->row = row_new(o, t->row);
	*own = true;
	uint32_t *into = o->rows.at + (size_t)t->row * o->thread_count;
	const uint32_t *from = row_at(o, n->row);
	for (uint32_t i = 0; i < o->thread_count; i++)
		if (from[i] > into[i])
			into[i] = from[i];
	into[n->thread] = n->at + 1;
	return true;
}

bool must(const struct order *o, uint32_t x, uint32_t y)
{
	const struct node *a = &o->nodes.at[x], *b = &o->nodes.at[y];
	return a->thread == b->thread ? a->at < b->at : row_at(o, b->row)[a->thread] > a->at;
}

void cone_add(const struct order *o, uint32_t *front, uint32_t node)
{
	const struct node *n = &o->nodes.at[node];
	const uint32_t *row = row_at(o, n->row);
	if (front[n->thread] > n->at)
		return;
	for (uint32_t i = 0; i < o->thread_count; i++)
		if (row[i] > front[i] && i != n->thread)
			front[i] = row[i];
	front[n->thread] = n->at + 1;
}

void front_at(const struct order *o, uint32_t *front, uint32_t cut)
{
	for (uint32_t t = 0; t < o->thread_count; t++) {
		const uint32_t *node = o->threads[t].node.at;
		size_t low = front[t], high = o->threads[t].node.count;         /* [0, low) are below */
		while (low < high) {
			size_t middle = (low + high) / 2;
			if (node[middle] < cut)
				low = middle + 1;
			else
				high = middle;
		}
		front[t] = (uint32_t)low;
	}
}

const uint32_t *order_row(const struct order *o, struct spot b)
{
	return row_at(o, b.at ? o->nodes.at[node_of(o, b.thread, b.at - 1)].row : 0);
}

bool order_overordered(const struct order *o)
{
	return o->overordered;
}

bool order_before(const struct order *o, struct spot a, struct spot b)
{
	return a.thread == b.thread ? a.at < b.at : order_row(o, b)[a.thread] > a.at;
}

uint32_t order_locks_at(const struct order *o, struct spot spot, uint32_t *locks, uint32_t room)
{
	uint32_t before = spot.at ? node_of(o, spot.thread, spot.at - 1) : NONE, count = 0;
	for (uint32_t h = before == NONE ? 0 : o->nodes.at[before].held; h; h = o->helds.at[h].next) {
		const struct section *s = &o->sections.at[o->helds.at[h].section];
		if (!s->shared && !section_left(o, s, before) && count++ < room)
			locks[count - 1] = s->lock;
	}
	return count;
}
