/* order/walk.c -- a sealed order looked at from outside: which spot an event has, what stands there, what was chosen. */
#include "order/inside.h"
#include "trace/objects.h"

struct order_walk { const struct order *order; uint32_t at[]; };

struct order_walk *order_walk_begin(const struct order *o)
{
	struct order_walk *w = mem_take(sizeof *w + (o->thread_count + 1) * sizeof *w->at);
	w->order = o;
	return w;
}

struct spot order_walk_next(struct order_walk *w, const struct event *ev)
{
	const struct order *o = w->order;
	const struct thread_line *t = &o->threads[ev->thread.i];
	uint32_t *at = &w->at[ev->thread.i];
	while (*at < t->node.count && o->nodes.at[t->node.at[*at]].key < 2 * ev->index + 1)
		++*at;
	return (struct spot){ ev->thread.i, *at };
}

void order_walk_end(struct order_walk *w)
{
	mem_free(w);
}

uint32_t order_nodes(const struct order *o) { return (uint32_t)o->nodes.count; }

const char *node_word(uint8_t kind, uint64_t address)
{
	bool gives = kind == EV_SPOST || kind == EV_RELEASE;
	if ((gives || kind == EV_SWAIT || kind == EV_ACQUIRE) && handed_by_pipe(address))
		return gives ? "write into a pipe" : "read from a pipe";
	return event_word((enum event_kind)kind);
}

struct order_node order_node(const struct order *o, uint32_t node)
{
	check(node < o->nodes.count);
	const struct node *n = &o->nodes.at[node];
	return (struct order_node){ n->thread % o->own_count, n->at, n->kind, n->key & 1, n->key / 2, n->address, n->place };
}

uint32_t order_at(const struct order *o, struct spot spot)
{
	return node_of(o, spot.thread, spot.at);
}

struct order_node order_node_at(const struct order *o, struct spot spot)
{
	return order_node(o, node_of(o, spot.thread, spot.at));
}

struct spot order_spot(const struct order *o, uint32_t thread, uint64_t index)
{
	check(thread < o->own_count);
	const struct thread_line *t = &o->threads[thread];
	size_t low = 0, high = t->node.count;           /* [0, low) come before it */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (o->nodes.at[t->node.at[middle]].key < 2 * index + 1)
			low = middle + 1;
		else
			high = middle;
	}
	return (struct spot){ thread, (uint32_t)low };
}

static struct spot spot_of(const struct order *o, uint32_t node)
{
	return (struct spot){ o->nodes.at[node].thread, o->nodes.at[node].at };
}

bool order_choice(const struct order *o, uint32_t i, struct order_choice *c)
{
	if (i >= o->choices.count)
		return false;
	const struct choice *from = &o->choices.at[i];
	uint32_t second = from->second;
	if (from->after)                        /* the section's end: what comes behind it */
		second = o->sections.at[second].give == NONE ? from->first : o->sections.at[second].give;
	*c = (struct order_choice){ spot_of(o, from->first), spot_of(o, second), from->object, from->what,
		{ o->nodes.at[from->first].place, o->nodes.at[second].place } };
	return true;
}
