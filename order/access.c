/* order/access.c -- accesses that are nodes, for questions about what a read returns: which bytes each touches, with what
 * values, and who wrote a byte last in the observed order.
 *   (1) accesses[] rise by node; those of one node lie side by side, node.access is the first of them;
 *   (2) cells are 8 aligned bytes; writes of a cell rise by node;
 *   (3) what is written is there for others from node `reaches` on, which under SC is the node itself;
 *   (4) a first value is known when the byte was read before anybody wrote it.
 * Cost: cells touched by a write, one look-up each. */
#include <string.h>

#include "order/note.h"

#define ACCESS_MOST (16u << 20)         /* bytes of one access that are looked at */

struct access_cell *access_cell(const struct order *o, uint64_t byte)
{
	uint64_t *slot = o->cell_index.count ? map_get(&o->cell_index, byte >> 3) : NULL;
	return slot ? &o->cells.at[*slot - 1] : NULL;
}

uint32_t access_cells(const struct access *a)
{
	return (uint32_t)(((a->address + a->size - 1) >> 3) - (a->address >> 3)) + 1;
}

uint8_t access_in_cell(const struct access *a, uint32_t nth)
{
	unsigned from = nth ? 0 : a->address & 7, last = nth + 1 < access_cells(a) ? 7 : (a->address + a->size - 1) & 7;
	return (uint8_t)(0xffu << from & 0xffu >> (7 - last));
}

static struct access_cell *cell_put(struct order *o, uint64_t byte)
{
	uint64_t *slot = map_put(&o->cell_index, byte >> 3, NULL);
	if (!*slot) {
		vec_add(&o->cells);
		*slot = o->cells.count;
	}
	return &o->cells.at[*slot - 1];
}

int access_byte(const struct access *a, uint64_t byte, bool written)
{
	bool known = written ? a->wrote_known : a->read_known;
	return known ? (written ? a->wrote : a->read)[byte - a->address] : -1;
}

uint32_t access_last_write(const struct order *o, uint64_t byte, uint32_t before)
{
	const struct access_cell *c = access_cell(o, byte);
	size_t low = 0, high = c ? c->writes.count : 0;         /* [0, low) are of nodes below `before` */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (o->accesses.at[c->writes.at[middle]].node < before)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0)
		if (access_covers(&o->accesses.at[c->writes.at[low]], byte))
			return c->writes.at[low];
	return NONE;
}

uint32_t access_last_own(const struct order *o, uint64_t byte, uint32_t reader)
{
	const struct access_cell *c = access_cell(o, byte);
	for (size_t i = c ? c->writes.count : 0; i-- > 0;) {
		const struct access *a = &o->accesses.at[c->writes.at[i]];
		if (a->node < reader && o->nodes.at[a->node].thread == o->nodes.at[reader].thread && access_covers(a, byte))
			return c->writes.at[i];
	}
	return NONE;
}

uint32_t access_write_of(const struct order *o, uint32_t node, uint64_t byte)
{
	for (uint32_t i = o->nodes.at[node].access; i < o->accesses.count && o->accesses.at[i].node == node; i++)
		if (o->accesses.at[i].writes && access_covers(&o->accesses.at[i], byte))
			return i;
	return NONE;
}

void order_first_values(struct order *o, uint64_t address, const uint8_t *bytes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct access_cell *c = cell_put(o, address + i);
		uint64_t in_cell = (address + i) & 7;
		if (c->first_known >> in_cell & 1)
			continue;
		c->first_known |= (uint8_t)(1u << in_cell);
		c->first[in_cell] = bytes[i];
	}
}

/* What a read that nobody wrote before says about first values. */
static void first_seen(struct order *o, const struct access *a, uint32_t before)
{
	for (uint32_t i = 0; a->read_known && i < a->size; i++)
		if (access_last_write(o, a->address + i, before) == NONE)
			order_first_values(o, a->address + i, a->read + i, 1);
}

static void access_put(struct order *o, struct access a)
{
	uint32_t id = (uint32_t)o->accesses.count;
	if (!a.size)
		return;
	a.reaches = a.writes ? node_reaches(o, a.node) : a.node;
	a.torn = a.reaches != a.node && (a.size > 8 || o->nodes.at[a.node].kind == EV_COPY);
	if (o->nodes.at[a.node].access == NONE)
		o->nodes.at[a.node].access = id;
	a.cell = (uint32_t)o->written_cells.count;
	vec_push(&o->accesses, a);
	if (a.reads)
		first_seen(o, &a, a.node);
	for (uint64_t cell = a.address >> 3; a.writes && cell <= (a.address + a.size - 1) >> 3; cell++) {
		struct access_cell *c = cell_put(o, cell << 3);
		vec_push(&c->writes, id);
		vec_push(&o->written_cells, (uint32_t)(c - o->cells.at));
	}
}

static void value_put(uint8_t *into, uint64_t low, uint64_t high)
{
	memcpy(into, &low, 8);
	memcpy(into + 8, &high, 8);
}

static uint64_t source_of(const struct event *ev)
{
	uint64_t address = 0;
	if (ev->byte_count >= 8)
		memcpy(&address, ev->bytes, 8);
	return address;
}

/* The bytes a library call wrote, if few and all kept. */
static void written_bytes(struct access *a, const uint8_t *bytes, uint32_t count)
{
	a->wrote_known = a->size <= sizeof a->wrote && count >= a->size;
	if (a->wrote_known)
		memcpy(a->wrote, bytes, a->size);
}

static void range_put(struct order *o, const struct event *ev, uint32_t node, uint64_t address, bool writes)
{
	struct access a = { .address = address, .node = node, .reads = !writes, .writes = writes };
	if (ev->arg > ACCESS_MOST || address + ev->arg < address) {
		note_unmodelled(o, "a library call on more memory than is looked at", ev);
		return;
	}
	a.size = (uint32_t)ev->arg;
	if (writes && (ev->kind == EV_LIBWRITE || ev->kind == EV_INPUT))
		written_bytes(&a, ev->bytes, ev->byte_count);
	access_put(o, a);
}

static void word_put(struct order *o, const struct event *ev, uint32_t node)
{
	struct access a = { .address = ev->object, .size = ev->size > 16 ? 16 : ev->size, .node = node };
	bool both = ev->kind == EV_RMW || ev->kind == EV_CAS;
	a.reads = both || ev->kind == EV_READ || ev->kind == EV_ALOAD;
	a.writes = ev->kind == EV_WRITE || ev->kind == EV_ASTORE || (both && !(ev->kind == EV_CAS && ev->failed));
	a.read_known = a.reads && ev->has_value;
	a.wrote_known = a.writes && ev->has_value;
	value_put(a.read, ev->arg, ev->arg_high);
	value_put(a.wrote, both ? ev->written : ev->arg, both ? ev->written_high : ev->arg_high);
	if (a.address + a.size < a.address)
		return;
	access_put(o, a);
}

uint32_t order_note_access(struct order *o, const struct event *ev)
{
	order_note(o, ev);
	const struct thread_line *t = &o->threads[ev->thread.i];
	uint32_t node = t->node.count ? t->node.at[t->node.count - 1] : NONE;
	if (node == NONE || o->nodes.at[node].key != 2 * ev->index + 1)
		node = note_node(o, OP_PASS, ev);
	if (o->model != ORDER_SC && waits_in_buffer(ev) && o->nodes.count == node + 1)
		note_store(o, node, ev);
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		word_put(o, ev, node);
		break;
	case EV_LIBREAD: case EV_OUTPUT:
		range_put(o, ev, node, ev->object, false);
		break;
	case EV_LIBWRITE: case EV_INPUT: case EV_ALLOC:
		range_put(o, ev, node, ev->object, true);
		break;
	case EV_COPY:
		range_put(o, ev, node, source_of(ev), false);
		range_put(o, ev, node, ev->object, true);
		break;
	}
	return node;
}
