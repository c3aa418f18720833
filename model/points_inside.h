/* model/points_inside.h -- what the solver keeps, for points.c, which solves, and points_ask.c, which answers. */
#ifndef RADDLE_MODEL_POINTS_INSIDE_H
#define RADDLE_MODEL_POINTS_INSIDE_H

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/points.h"
#include "model/points_set.h"

struct edge { uint32_t to; uint32_t stride; int64_t distance; };
struct access { uint32_t node; uint32_t bytes; int64_t distance; };

struct node {
	uint32_t leader;                        /* itself, or who stands for it */
	uint32_t done;                          /* elements of the set handed on */
	struct set set;
	struct set copies;                      /* nodes that hold what this one holds */
	VEC(struct edge) edges;                 /* those at a distance */
	VEC(struct access) loads, stores;       /* through this pointer */
	VEC(uint32_t) calls;
	bool queued, escapes;
	bool outside;                           /* its set has location 0 */
};

struct object {
	uint64_t bytes;
	uint32_t stride;
	bool escaped;
	bool wild;                              /* it had too many offsets: new ones are POINTS_ANYWHERE */
	uint32_t anywhere;                      /* node of stores anywhere, or UINT32_MAX */
	VEC(struct points_place) cells;         /* object field: the node; offset: of the cell */
	VEC(uint32_t) locations;
	struct set readers;                     /* nodes that read all of it */
	VEC(uint32_t) clones;
};

struct points {
	VEC(struct node) nodes;
	VEC(struct object) objects;
	VEC(struct points_place) locations;
	struct map location_of, cell_of;        /* object and offset -> location, cell's node */
	VEC(uint32_t) queue;
	size_t queue_at;
	uint64_t work, next_cycles;
	uint32_t edge_count, edges_at_cycles;
	const struct points_hooks *hooks;
	VEC(uint32_t) escaping;                 /* objects whose escape is to be told */
};

/* Who stands for this node. */
static inline uint32_t leader_of(const struct points *p, uint32_t node)
{
	uint32_t at = node;
	while (p->nodes.at[at].leader != at)
		at = p->nodes.at[at].leader;
	while (p->nodes.at[node].leader != at) {
		uint32_t next = p->nodes.at[node].leader;
		p->nodes.at[node].leader = at;
		node = next;
	}
	return at;
}

static inline int64_t folded(int64_t offset, uint32_t stride)
{
	if (!stride)
		return offset;
	int64_t rest = offset % (int64_t)stride;
	return rest < 0 ? rest + stride : rest;
}

static inline struct points_place place_of(const struct points *p, uint32_t location)
{
	struct points_place l = p->locations.at[location];
	if (l.offset != POINTS_ANYWHERE)
		l.offset = folded(l.offset, p->objects.at[l.object].stride);
	return l;
}

#endif
