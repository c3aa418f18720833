/* model/points_ask.c -- what the solver found. */
#include "model/points_inside.h"

void points_free(struct points *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nodes.count; i++) {
		struct node *n = &p->nodes.at[i];
		set_release(&n->set);
		set_release(&n->copies);
		vec_release(&n->edges);
		vec_release(&n->loads);
		vec_release(&n->stores);
		vec_release(&n->calls);
	}
	for (size_t i = 0; i < p->objects.count; i++) {
		struct object *o = &p->objects.at[i];
		vec_release(&o->cells);
		vec_release(&o->locations);
		set_release(&o->readers);
		vec_release(&o->clones);
	}
	vec_release(&p->nodes);
	vec_release(&p->objects);
	vec_release(&p->locations);
	vec_release(&p->queue);
	vec_release(&p->escaping);
	map_release(&p->location_of);
	map_release(&p->cell_of);
	mem_free(p);
}

uint32_t points_count(const struct points *p, uint32_t node)
{
	return p->nodes.at[leader_of(p, node)].set.count;
}

struct points_place points_at(const struct points *p, uint32_t node, uint32_t i)
{
	const struct set *s = &p->nodes.at[leader_of(p, node)].set;
	check(i < s->count);
	return place_of(p, s->at[i]);
}

uint32_t points_objects(const struct points *p)
{
	return (uint32_t)p->objects.count;
}

bool points_has_escaped(const struct points *p, uint32_t object)
{
	return p->objects.at[object].escaped;
}

bool points_overlap(const struct points *p, struct points_place a, uint32_t a_bytes, struct points_place b, uint32_t b_bytes)
{
	uint32_t stride = p->objects.at[a.object].stride;
	if (a.object != b.object)
		return false;
	if (!a_bytes || !b_bytes || a.offset == POINTS_ANYWHERE || b.offset == POINTS_ANYWHERE || (stride && (a_bytes >= stride || b_bytes >= stride)))
		return true;
	if (!stride)
		return a.offset < b.offset + b_bytes && b.offset < a.offset + a_bytes;
	return (uint64_t)folded(b.offset - a.offset, stride) < a_bytes || (uint64_t)folded(a.offset - b.offset, stride) < b_bytes;
}
