/* model/points.c -- the solver.  Sets grow at their end, and what was handed on is remembered by its length, so each location goes
 * along each edge once.  Nodes in a cycle of plain copies hold the same and become one (find_cycles, when it pays).
 *   (1) sets only grow, strides only shrink to divisors: the answer does not hang on the order of work;
 *   (2) a location whose object got a new stride stands for its offset modulo that stride from then on (place_of). */
#include "model/points.h"

#include <string.h>

#include "model/graph.h"
#include "model/points_inside.h"

#define CELL 8
#define OFFSETS_MAX 100                         /* of an object, and one for each four bytes of it; more are folded */

static void push(struct points *p, uint32_t node)
{
	if (!p->nodes.at[node].queued) {
		p->nodes.at[node].queued = true;
		vec_push(&p->queue, node);
	}
}

uint32_t points_node(struct points *p)
{
	uint32_t index = (uint32_t)p->nodes.count;
	vec_add(&p->nodes)->leader = index;
	return index;
}

uint32_t points_object(struct points *p, uint64_t bytes)
{
	struct object *o = vec_add(&p->objects);
	o->bytes = bytes;
	o->anywhere = UINT32_MAX;
	return (uint32_t)p->objects.count - 1;
}

/* ---- offsets, locations, cells ---- */

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static int64_t cell_offset(const struct object *o, int64_t offset)
{
	if (o->stride % CELL)
		return 0;
	offset = folded(offset, o->stride);
	return offset & ~(int64_t)(CELL - 1);
}

#define OFFSET_FAR (1ll << 30)                  /* further away is anywhere */

static uint64_t key_of(uint32_t object, int64_t offset)
{
	return (uint64_t)object << 32 | (offset == POINTS_ANYWHERE ? 1u << 31 : (uint32_t)(int32_t)offset);
}

static void add_edge(struct points *p, uint32_t from, uint32_t to, int64_t distance, uint32_t stride);
static void merge(struct points *p, uint32_t a, uint32_t b);
static void add_location(struct points *p, uint32_t node, uint32_t location);
static void start_escape(struct points *p, uint32_t node);

static uint32_t anywhere_of(struct points *p, uint32_t object)
{
	if (p->objects.at[object].anywhere == UINT32_MAX) {
		uint32_t node = points_node(p);
		p->objects.at[object].anywhere = node;
		if (p->objects.at[object].escaped)
			start_escape(p, node);
		for (size_t i = 0; i < p->objects.at[object].clones.count; i++)
			add_edge(p, node, anywhere_of(p, p->objects.at[object].clones.at[i]), 0, 0);
	}
	return p->objects.at[object].anywhere;
}

/* The node of the cell at this offset. */
static uint32_t cell_of(struct points *p, uint32_t object, int64_t offset)
{
	bool fresh;
	offset = cell_offset(&p->objects.at[object], offset);
	uint64_t *known = map_put(&p->cell_of, key_of(object, offset), &fresh);
	if (!fresh)
		return leader_of(p, (uint32_t)*known);
	uint32_t node = points_node(p);
	*known = node;
	vec_push(&p->objects.at[object].cells, ((struct points_place){ node, offset }));
	for (size_t i = 0; i < p->objects.at[object].readers.count; i++)
		add_edge(p, node, p->objects.at[object].readers.at[i], 0, 0);
	for (size_t i = 0; i < p->objects.at[object].clones.count; i++)
		add_edge(p, node, cell_of(p, p->objects.at[object].clones.at[i], offset), 0, 0);
	if (p->objects.at[object].escaped)
		start_escape(p, node);
	return node;
}

/* Offsets count modulo this from now on; cells that become the same are merged. */
static void set_stride(struct points *p, uint32_t object, uint64_t stride)
{
	uint32_t old = p->objects.at[object].stride, new = (uint32_t)divisor(old, stride);
	if (new == old)
		return;
	p->objects.at[object].stride = new;
	size_t count = p->objects.at[object].cells.count;
	for (size_t i = 0; i < count; i++) {
		struct points_place cell = p->objects.at[object].cells.at[i];
		merge(p, cell.object, cell_of(p, object, cell.offset));
	}
	for (size_t i = 0; i < p->objects.at[object].clones.count; i++)
		set_stride(p, p->objects.at[object].clones.at[i], new);
}

/* Too many offsets: a stride that folds them together, if one does; else they are not told apart from here on. */
static void fold(struct points *p, uint32_t object)
{
	struct object *o = &p->objects.at[object];
	uint64_t common = o->stride;
	for (size_t i = 0; i < o->locations.count; i++) {
		int64_t offset = p->locations.at[o->locations.at[i]].offset;
		common = offset == POINTS_ANYWHERE ? common : divisor(common, (uint64_t)(offset < 0 ? -offset : offset));
	}
	if (common > 1 && common != o->stride)
		set_stride(p, object, common);
	else
		p->objects.at[object].wild = true;
	vec_clear(&p->objects.at[object].locations);
}

static uint32_t location_of(struct points *p, uint32_t object, int64_t offset)
{
	bool fresh;
	if (object == POINTS_OUTSIDE)
		return 0;
	if (p->objects.at[object].wild || offset > OFFSET_FAR || offset < -OFFSET_FAR)
		offset = POINTS_ANYWHERE;
	if (offset != POINTS_ANYWHERE)
		offset = folded(offset, p->objects.at[object].stride);
	uint64_t *known = map_put(&p->location_of, key_of(object, offset), &fresh);
	if (!fresh)
		return (uint32_t)*known;
	uint32_t location = (uint32_t)p->locations.count;
	*known = location;
	vec_push(&p->locations, ((struct points_place){ object, offset }));
	vec_push(&p->objects.at[object].locations, location);
	if (p->objects.at[object].locations.count > OFFSETS_MAX + p->objects.at[object].bytes / 4)
		fold(p, object);
	return location;
}

/* ---- edges and what flows along them ---- */

static void add_location(struct points *p, uint32_t node, uint32_t location)
{
	node = leader_of(p, node);
	struct node *n = &p->nodes.at[node];
	if (n->outside && (!location || p->objects.at[p->locations.at[location].object].escaped))
		return;                                 /* location 0 says it already */
	if (!set_add(&n->set, location))
		return;
	n->outside |= !location;
	push(p, node);
}

static uint32_t moved(struct points *p, uint32_t location, int64_t distance, uint32_t stride)
{
	struct points_place l = place_of(p, location);
	if (l.object == POINTS_OUTSIDE || l.offset == POINTS_ANYWHERE)
		return location;
	if (stride == 1)
		return location_of(p, l.object, POINTS_ANYWHERE);
	if (stride)
		set_stride(p, l.object, stride);
	return location_of(p, l.object, l.offset + distance);
}

/* Elements [first, end) of the set.  A node that became another's on the way is seen to there. */
static void flow_along(struct points *p, uint32_t from, const struct edge *e, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end && p->nodes.at[from].leader == from; i++) {
		uint32_t location = p->nodes.at[from].set.at[i];
		if (e->distance || e->stride)
			location = moved(p, location, e->distance, e->stride);
		p->work++;
		add_location(p, e->to, location);
	}
}

static void add_edge(struct points *p, uint32_t from, uint32_t to, int64_t distance, uint32_t stride)
{
	from = leader_of(p, from);
	to = leader_of(p, to);
	struct edge e = { to, stride, distance };
	if (distance || stride)
		vec_push(&p->nodes.at[from].edges, e);
	else if (from == to || !set_add(&p->nodes.at[from].copies, to))
		return;
	p->edge_count++;
	flow_along(p, from, &e, 0, p->nodes.at[from].done);
}

/* Two nodes become one: the second stands for both. */
static void merge(struct points *p, uint32_t a, uint32_t b)
{
	a = leader_of(p, a);
	b = leader_of(p, b);
	if (a == b)
		return;
	struct node gone = p->nodes.at[a];
	p->nodes.at[a] = (struct node){ .leader = b, .queued = gone.queued };
	struct node *n = &p->nodes.at[b];
	n->done = 0;                                    /* what one had handed on, the other had not */
	for (size_t i = 0; i < gone.edges.count; i++)
		vec_push(&n->edges, gone.edges.at[i]);
	for (uint32_t i = 0; i < gone.copies.count; i++)
		set_add(&n->copies, gone.copies.at[i]);
	for (size_t i = 0; i < gone.loads.count; i++)
		vec_push(&n->loads, gone.loads.at[i]);
	for (size_t i = 0; i < gone.stores.count; i++)
		vec_push(&n->stores, gone.stores.at[i]);
	for (size_t i = 0; i < gone.calls.count; i++)
		vec_push(&n->calls, gone.calls.at[i]);
	n->escapes |= gone.escapes;
	n->outside |= gone.outside;
	for (uint32_t i = 0; i < gone.set.count; i++)
		set_add(&n->set, gone.set.at[i]);
	push(p, b);
	set_release(&gone.set);
	set_release(&gone.copies);
	vec_release(&gone.edges);
	vec_release(&gone.loads);
	vec_release(&gone.stores);
	vec_release(&gone.calls);
}

/* ---- through memory ---- */

static void read_all(struct points *p, uint32_t object, uint32_t to)
{
	if (!set_add(&p->objects.at[object].readers, to))
		return;
	for (size_t i = 0; i < p->objects.at[object].cells.count; i++)
		add_edge(p, p->objects.at[object].cells.at[i].object, to, 0, 0);
}

static void load_one(struct points *p, uint32_t location, const struct access *a)
{
	struct points_place l = place_of(p, location);
	if (p->objects.at[l.object].escaped) {
		add_location(p, a->node, 0);
		return;
	}
	add_edge(p, anywhere_of(p, l.object), a->node, 0, 0);
	if (!a->bytes || l.offset == POINTS_ANYWHERE) {
		read_all(p, l.object, a->node);
		return;
	}
	int64_t first = l.offset + a->distance;
	for (int64_t at = first & ~(int64_t)(CELL - 1); at < first + a->bytes; at += CELL)
		add_edge(p, cell_of(p, l.object, at), a->node, 0, 0);
}

static void store_one(struct points *p, uint32_t location, const struct access *a)
{
	struct points_place l = place_of(p, location);
	if (p->objects.at[l.object].escaped) {
		start_escape(p, leader_of(p, a->node));
		return;
	}
	if (!a->bytes || l.offset == POINTS_ANYWHERE) {
		add_edge(p, a->node, anywhere_of(p, l.object), 0, 0);
		return;
	}
	int64_t first = l.offset + a->distance;
	for (int64_t at = first & ~(int64_t)(CELL - 1); at < first + a->bytes; at += CELL)
		add_edge(p, a->node, cell_of(p, l.object, at), 0, 0);
}

/* ---- escape ---- */

static void escape_object(struct points *p, uint32_t object)
{
	if (p->objects.at[object].escaped)
		return;
	p->objects.at[object].escaped = true;
	vec_push(&p->escaping, object);
	add_location(p, anywhere_of(p, object), 0);
	start_escape(p, anywhere_of(p, object));
	for (size_t i = 0; i < p->objects.at[object].cells.count; i++)
		start_escape(p, p->objects.at[object].cells.at[i].object);
	for (size_t i = 0; i < p->objects.at[object].clones.count; i++)
		escape_object(p, p->objects.at[object].clones.at[i]);
}

/* Everything in this node's set, now and later, escapes.  What it holds already is seen to when its turn comes. */
static void start_escape(struct points *p, uint32_t node)
{
	node = leader_of(p, node);
	if (p->nodes.at[node].escapes)
		return;
	p->nodes.at[node].escapes = true;
	p->nodes.at[node].done = 0;
	push(p, node);
}

/* ---- constraints from outside; before or while solving ---- */

struct points *points_new(uint32_t nodes)
{
	struct points *p = mem_take(sizeof *p);
	for (uint32_t i = 0; i < nodes; i++)
		points_node(p);
	points_object(p, 0);
	p->objects.at[0].escaped = true;
	vec_push(&p->locations, ((struct points_place){ 0, 0 }));
	return p;
}

void points_address(struct points *p, uint32_t node, uint32_t object, int64_t offset)
{
	add_location(p, node, location_of(p, object, offset));
}

void points_copy(struct points *p, uint32_t from, uint32_t to, int64_t distance, uint32_t stride)
{
	add_edge(p, from, to, distance, stride);
}

void points_load(struct points *p, uint32_t pointer, uint32_t to, int64_t distance, uint32_t bytes)
{
	pointer = leader_of(p, pointer);
	vec_push(&p->nodes.at[pointer].loads, ((struct access){ to, bytes, distance }));
	p->nodes.at[pointer].done = 0;
	push(p, pointer);
}

void points_store(struct points *p, uint32_t from, uint32_t pointer, int64_t distance, uint32_t bytes)
{
	pointer = leader_of(p, pointer);
	vec_push(&p->nodes.at[pointer].stores, ((struct access){ from, bytes, distance }));
	p->nodes.at[pointer].done = 0;
	push(p, pointer);
}

void points_call(struct points *p, uint32_t pointer, uint32_t call)
{
	pointer = leader_of(p, pointer);
	vec_push(&p->nodes.at[pointer].calls, call);
	p->nodes.at[pointer].done = 0;
	push(p, pointer);
}

void points_escape(struct points *p, uint32_t node)
{
	start_escape(p, node);
}

void points_clone(struct points *p, uint32_t base, uint32_t clone)
{
	vec_push(&p->objects.at[base].clones, clone);
	set_stride(p, clone, p->objects.at[base].stride);
	for (size_t i = 0; i < p->objects.at[base].cells.count; i++) {
		struct points_place cell = p->objects.at[base].cells.at[i];
		add_edge(p, cell.object, cell_of(p, clone, cell.offset), 0, 0);
	}
	if (p->objects.at[base].anywhere != UINT32_MAX)
		add_edge(p, p->objects.at[base].anywhere, anywhere_of(p, clone), 0, 0);
	if (p->objects.at[base].escaped)
		escape_object(p, clone);
}

/* ---- solving ---- */

/* Nodes on a cycle of plain copies become one. */
static void find_cycles(struct points *p)
{
	VEC(struct graph_edge) plain = { 0 };
	struct graph g;
	uint32_t count = (uint32_t)p->nodes.count;
	for (uint32_t n = 0; n < count; n++)
		for (uint32_t i = 0; i < p->nodes.at[n].copies.count; i++) {
			uint32_t to = leader_of(p, p->nodes.at[n].copies.at[i]);
			if (to != n)
				vec_push(&plain, ((struct graph_edge){ n, to }));
		}
	graph_make(&g, count, plain.at, (uint32_t)plain.count);
	uint32_t *component = mem_take((count + 1ul) * 4), *first = mem_take((count + 1ul) * 4);
	graph_components(&g, component);
	for (uint32_t n = 0; n < count; n++) {
		if (p->nodes.at[n].leader != n)
			continue;
		if (first[component[n]])
			merge(p, n, first[component[n]] - 1);
		else
			first[component[n]] = n + 1;
	}
	graph_release(&g);
	vec_release(&plain);
	mem_free(component);
	mem_free(first);
}

static void visit(struct points *p, uint32_t n)
{
	uint32_t first = p->nodes.at[n].done, end = p->nodes.at[n].set.count;
	p->nodes.at[n].done = end;
	for (uint32_t i = first; i < end && p->nodes.at[n].leader == n; i++) {
		uint32_t location = p->nodes.at[n].set.at[i];
		if (p->nodes.at[n].escapes)
			escape_object(p, p->locations.at[location].object);
		for (size_t k = 0; k < p->nodes.at[n].loads.count && p->nodes.at[n].leader == n; k++) {
			struct access a = p->nodes.at[n].loads.at[k];
			load_one(p, location, &a);
		}
		for (size_t k = 0; k < p->nodes.at[n].stores.count && p->nodes.at[n].leader == n; k++) {
			struct access a = p->nodes.at[n].stores.at[k];
			store_one(p, location, &a);
		}
		for (size_t k = 0; k < p->nodes.at[n].calls.count && p->nodes.at[n].leader == n; k++)
			p->hooks->called(p->hooks->with, p->nodes.at[n].calls.at[k], p->locations.at[location].object);
	}
	for (uint32_t k = 0; k < p->nodes.at[n].copies.count && p->nodes.at[n].leader == n; k++) {
		struct edge e = { .to = p->nodes.at[n].copies.at[k] };
		flow_along(p, n, &e, first, end);
	}
	for (size_t k = 0; k < p->nodes.at[n].edges.count && p->nodes.at[n].leader == n; k++) {
		struct edge e = p->nodes.at[n].edges.at[k];
		flow_along(p, n, &e, first, end);
	}
}

void points_solve(struct points *p, const struct points_hooks *hooks)
{
	p->hooks = hooks;
	find_cycles(p);
	p->next_cycles = p->work + 4 * p->nodes.count;
	while (p->queue_at < p->queue.count || p->escaping.count) {
		while (p->escaping.count) {
			uint32_t object = p->escaping.at[--p->escaping.count];
			if (hooks->escaped)
				hooks->escaped(hooks->with, object);
		}
		if (p->queue_at == p->queue.count)
			break;
		uint32_t n = p->queue.at[p->queue_at++];
		p->nodes.at[n].queued = false;
		if (p->nodes.at[n].leader == n)
			visit(p, n);
		if (p->queue_at > 1u << 20 && p->queue_at * 2 > p->queue.count) {
			memmove(p->queue.at, p->queue.at + p->queue_at, (p->queue.count - p->queue_at) * sizeof *p->queue.at);
			p->queue.count -= p->queue_at;
			p->queue_at = 0;
		}
		if (p->work > p->next_cycles && p->edge_count > p->edges_at_cycles) {
			p->edges_at_cycles = p->edge_count;
			find_cycles(p);
			p->next_cycles = p->work + p->work / 2 + 4 * p->nodes.count;
		}
	}
}
