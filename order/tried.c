/* order/tried.c -- locks that were tried for and had: could another thread have held one of them at that moment?
 * Those refused are choices (note_locks.c): their outcome is kept by an edge.  One that was not refused keeps its outcome by the rule of its section,
 * so what is asked is whether its thread can stand in front of it while another is inside a section that excludes it. */
#include "order/inside.h"

#define ASK_MOST 256u                   /* sections asked about, of one try */

void order_note_tried(struct order *o, struct spot spot)
{
	uint32_t node = node_of(o, spot.thread, spot.at);
	if (node != NONE && o->nodes.at[node].op == OP_TAKE)
		vec_push(&o->tried, node);
}

static enum order_answer held_by(struct order *o, uint32_t node, const struct section *other)
{
	struct spot try = { o->nodes.at[node].thread, o->nodes.at[node].at };
	struct spot reach[2] = { try, { other->thread, o->nodes.at[other->take].at + 1 } };
	bool given = other->give != NONE && o->nodes.at[other->give].thread % o->own_count == other->thread;    /* else by nobody, or taken from it against the rules */
	struct spot limit[2] = { try, { given ? o->nodes.at[other->give].thread : other->thread, given ? o->nodes.at[other->give].at : 0 } };
	while (limit[1].thread == other->thread && limit[1].at && o->nodes.at[node_of(o, other->thread, limit[1].at - 1)].kind == EV_END)
		limit[1].at--;                  /* one who has ended refuses nobody */
	return order_ask(o, &(struct question){ .reach = reach, .reach_count = 2, .limit = limit, .limit_count = given ? 2 : 1 });
}

static enum order_answer refused(struct order *o, uint32_t node)
{
	uint32_t own = o->nodes.at[node].section, asked = 0;
	if (own == NONE)
		return ORDER_NO;
	const struct section *mine = &o->sections.at[own];
	for (size_t i = 0; i < o->sections.count; i++) {
		const struct section *s = &o->sections.at[i];
		if (s->lock != mine->lock || s->thread == mine->thread || (s->shared && mine->shared) || must(o, node, s->take) ||
			(s->give != NONE && must(o, s->give, node)))
			continue;
		enum order_answer answer = asked++ < ASK_MOST ? held_by(o, node, s) : ORDER_UNKNOWN;
		if (answer != ORDER_NO)
			return answer;
	}
	return ORDER_NO;
}

bool order_tried(struct order *o, uint32_t i, enum order_answer *answer, const struct place **where)
{
	if (i >= o->tried.count)
		return false;
	*where = o->nodes.at[o->tried.at[i]].place;
	*answer = refused(o, o->tried.at[i]);
	if (*answer == ORDER_NO && !ask_no_counts(o))
		*answer = ORDER_UNKNOWN;
	return true;
}
