/* model/graph.h -- directed graphs as two arrays, and who dominates whom in them. */
#ifndef RADDLE_MODEL_GRAPH_H
#define RADDLE_MODEL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

struct graph {                                  /* edges of node n: next[at[n]] .. next[at[n + 1] - 1] */
	uint32_t count;
	uint32_t *at, *next;
};

struct graph_edge { uint32_t from, to; };

void graph_make(struct graph *g, uint32_t count, const struct graph_edge *edges, uint32_t edge_count);   /* edges keep their order */
void graph_reverse(struct graph *into, const struct graph *g);
void graph_release(struct graph *g);

/* above[n]: the immediate dominator of n seen from root, root for itself, UINT32_MAX where root does not lead. */
void graph_dominators(const struct graph *g, uint32_t root, uint32_t *above);

/* Component of each node, numbered so that an edge never leads to a higher number; the number of components. */
uint32_t graph_components(const struct graph *g, uint32_t *component);

#endif
