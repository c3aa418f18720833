/* order/waits.c -- can a run of these events get stuck, although no two dependent events change places?
 *
 * Everything but locks, lost signals and semaphores that several threads take is *persistent*: an event that may happen stays so
 * until it does, and then the observed run's end is every run's end.  For locks: whoever waits for lock b (or for an event
 * that needs b taken by another thread) while it holds a gives an edge a -> b.  No cycle of locks: nobody gets stuck.  A
 * cycle of locks, or of one lock and a wait for its taker, is asked of the engine: can all stand there at once?  Of threads that wait
 * in a cycle some wait in one without shortcuts, where each has another lock: only those are gone through, of at most STUCK_MOST. */
#include <string.h>

#include "order/inside.h"

#define ASK_MOST  512u          /* questions about cycles */
#define KEEP_MOST 64u           /* sections kept per edge */
#define STEP_MOST 50000000u     /* nodes looked at behind waits */
#define EDGE_MOST 4096u         /* edges on cycles */

struct hold { uint32_t section, waits, taker; };        /* in `section`, stands in front of node `waits`; taker: of a -> a */
struct lock_edge { uint32_t from, to; bool indirect, full; VEC(struct hold) holds; };
struct waits { struct order *o; struct order_cycles *closed; struct map index; VEC(struct lock_edge) edges; const bool *on; uint32_t asked; uint64_t steps; };
struct chain { uint32_t locks[STUCK_MOST]; const struct hold *holds[STUCK_MOST]; uint32_t count; };     /* each waits for the lock of the next */

static void edge_add(struct waits *w, uint32_t section, uint32_t to, uint32_t node, uint32_t taker)
{
	uint32_t from = w->o->sections.at[section].lock;
	uint64_t *slot = map_put(&w->index, (uint64_t)from << 32 | to, NULL);
	if (!*slot) {
		*vec_add(&w->edges) = (struct lock_edge){ .from = from, .to = to };
		*slot = w->edges.count;
	}
	struct lock_edge *e = &w->edges.at[*slot - 1];
	e->indirect |= taker != NONE && from != to;
	if (e->holds.count < KEEP_MOST)
		*vec_add(&e->holds) = (struct hold){ section, node, taker };
	else
		e->full = true;
}

/* Takes of other threads that may still be to come when `section` has begun, and are needed for `until`. */
static void edges_through(struct waits *w, uint32_t section, uint32_t node, uint32_t until)
{
	struct order *o = w->o;
	uint32_t take = o->sections.at[section].take, self = o->nodes.at[node].thread;
	const uint32_t *known = o->rows.at + (size_t)o->nodes.at[take].row * o->thread_count;
	const uint32_t *needs = o->rows.at + (size_t)o->nodes.at[until].row * o->thread_count;
	for (uint32_t t = 0; t < o->thread_count; t++) {
		uint32_t last = t == o->nodes.at[until].thread ? o->nodes.at[until].at + 1 : needs[t];
		for (uint32_t i = known[t]; t != self && i < last && w->steps++ < STEP_MOST; i++) {
			uint32_t x = node_of(o, t, i);
			if ((o->nodes.at[x].op == OP_TAKE || o->nodes.at[x].op == OP_CWAKE) && o->nodes.at[x].section != NONE)
				edge_add(w, section, o->sections.at[o->nodes.at[x].section].lock, node, x);
		}
	}
}

static void edges_of(struct waits *w, uint32_t node)
{
	struct order *o = w->o;
	const struct node *n = &o->nodes.at[node];
	uint32_t before = n->at ? node_of(o, n->thread, n->at - 1) : NONE;
	if (before == NONE)
		return;
	for (uint32_t h = o->nodes.at[before].held; h; h = o->helds.at[h].next) {
		uint32_t section = o->helds.at[h].section;
		if (section_left(o, &o->sections.at[section], before))
			continue;
		if ((n->op == OP_TAKE || n->op == OP_CWAKE) && n->section != NONE)
			edge_add(w, section, o->sections.at[n->section].lock, node, NONE);
		if (n->row != o->nodes.at[before].row)
			edges_through(w, section, node, node);
		if (n->op == OP_SWAIT)
			for (size_t i = 0; i < o->sems.at[n->object].nodes.count; i++)
				edges_through(w, section, node, o->sems.at[n->object].nodes.at[i]);
		if (n->op == OP_CWAKE && n->other != NONE)
			for (size_t i = 0; i < o->conds.at[n->object].nodes.count; i++)
				edges_through(w, section, node, o->conds.at[n->object].nodes.at[i]);
	}
}

/* Locks on a cycle keep a neighbour on both sides, however often those without are taken away. */
static bool *cyclic(struct waits *w)
{
	size_t locks = w->o->locks.count;
	bool *on = mem_take(locks + 1), *in = mem_take(locks + 1), *out = mem_take(locks + 1);
	memset(on, 1, locks);
	for (bool again = true; again;) {
		again = false;
		memset(in, 0, locks);
		memset(out, 0, locks);
		for (size_t i = 0; i < w->edges.count; i++) {
			struct lock_edge *e = &w->edges.at[i];
			if (on[e->from] && on[e->to])
				in[e->to] = out[e->from] = true;
		}
		for (size_t i = 0; i < locks; i++)
			if (on[i] && (!in[i] || !out[i])) {
				on[i] = false;
				again = true;
			}
	}
	mem_free(in);
	mem_free(out);
	return on;
}

static bool in_the_way(const struct order *o, uint32_t section, uint32_t taker)
{
	const struct section *a = &o->sections.at[section], *b = &o->sections.at[o->nodes.at[taker].section];
	return a->thread != b->thread && !(a->shared && b->shared);
}

/* Can all stand in front of these nodes at once? */
static enum order_answer ask(struct waits *w, const uint32_t *nodes, uint32_t count, struct order_stuck *found)
{
	struct order_stuck all = { .count = count };
	if (w->asked++ >= ASK_MOST)
		return ORDER_UNKNOWN;
	for (uint32_t i = 0; i < count; i++)
		all.spot[i] = (struct spot){ w->o->nodes.at[nodes[i]].thread, w->o->nodes.at[nodes[i]].at };
	struct question q = { .reach = all.spot, .reach_count = count, .limit = all.spot, .limit_count = count };
	enum order_answer answer = order_ask(w->o, &q);
	if (answer == ORDER_YES)
		*found = all;
	if (answer == ORDER_NO && w->closed)
		vec_push(w->closed, all);
	return answer;
}

/* A lock held while its holder waits for a thread that wants it. */
static enum order_answer ask_own(struct waits *w, const struct lock_edge *e, struct order_stuck *found)
{
	enum order_answer all = e->full ? ORDER_UNKNOWN : ORDER_NO;
	for (size_t i = 0; i < e->holds.count; i++) {
		const struct hold *h = &e->holds.at[i];
		if (h->taker == NONE || !in_the_way(w->o, h->section, h->taker))
			continue;
		if (w->o->nodes.at[h->waits].thread == w->o->nodes.at[h->taker].thread)
			continue;
		enum order_answer answer = ask(w, (const uint32_t[]){ h->waits, h->taker }, 2, found);
		uint8_t kind = w->o->nodes.at[h->waits].kind;
		if (answer == ORDER_YES && kind != EV_JOIN && kind != EV_BLEAVE && kind != EV_ONCE)
			answer = ORDER_UNKNOWN;         /* it need not wait: another post may do, an atomic sees something else */
		if (answer != ORDER_NO)
			all = answer;
		if (answer == ORDER_YES)
			return answer;
	}
	return all;
}

static bool in_chain(const struct waits *w, const struct chain *c, uint32_t lock, uint32_t thread)
{
	for (uint32_t i = 0; i < c->count; i++)
		if ((i && c->locks[i] == lock) || w->o->sections.at[c->holds[i]->section].thread == thread)
			return true;
	return false;
}

static enum order_answer ask_chain(struct waits *w, const struct chain *c, struct order_stuck *found)
{
	uint32_t nodes[STUCK_MOST];
	if (!in_the_way(w->o, c->holds[0]->section, c->holds[c->count - 1]->waits))
		return ORDER_NO;
	for (uint32_t i = 0; i < c->count; i++)
		nodes[i] = c->holds[i]->waits;
	return ask(w, nodes, c->count, found);
}

/* The chain waits for `lock`: whoever has it, and what he waits for.  The first lock of a chain is its lowest, so that each cycle is
 * come upon once. */
static enum order_answer ask_on(struct waits *w, struct chain *c, uint32_t lock, struct order_stuck *found)
{
	enum order_answer all = ORDER_NO;
	for (size_t i = 0; i < w->edges.count && all != ORDER_YES; i++) {
		const struct lock_edge *e = &w->edges.at[i];
		if (e->from != lock || e->from == e->to || !w->on[e->to] || e->to < c->locks[0])
			continue;
		all = e->full || e->indirect ? ORDER_UNKNOWN : all;
		for (size_t k = 0; k < e->holds.count && all != ORDER_YES; k++) {
			const struct hold *h = &e->holds.at[k];
			if (w->steps++ > STEP_MOST || w->asked > ASK_MOST || c->count == STUCK_MOST)
				return ORDER_UNKNOWN;
			if (h->taker != NONE || in_chain(w, c, e->to == c->locks[0] ? NONE : e->to, w->o->sections.at[h->section].thread) ||
				!in_the_way(w->o, h->section, c->holds[c->count - 1]->waits))
				continue;
			c->locks[c->count] = lock;
			c->holds[c->count++] = h;
			enum order_answer answer = e->to == c->locks[0] ? ask_chain(w, c, found) : ask_on(w, c, e->to, found);
			c->count--;
			all = answer == ORDER_NO ? all : answer;
		}
	}
	return all;
}

static enum order_answer ask_from(struct waits *w, const struct lock_edge *e, struct order_stuck *found)
{
	enum order_answer all = e->full || e->indirect ? ORDER_UNKNOWN : ORDER_NO;
	for (size_t k = 0; k < e->holds.count && all != ORDER_YES; k++) {
		struct chain c = { .locks = { e->from }, .holds = { &e->holds.at[k] }, .count = 1 };
		enum order_answer answer = e->holds.at[k].taker == NONE ? ask_on(w, &c, e->to, found) : ORDER_NO;
		all = answer == ORDER_NO ? all : answer;
	}
	return all;
}

static enum order_answer ask_locks(struct waits *w, struct order_stuck *found)
{
	enum order_answer all = ORDER_NO;
	bool *on = cyclic(w);
	size_t many = 0;
	for (size_t i = 0; i < w->edges.count; i++)
		many += on[w->edges.at[i].from] && on[w->edges.at[i].to];
	w->on = on;
	for (size_t i = 0; i < w->edges.count && all != ORDER_YES && many <= EDGE_MOST; i++) {
		struct lock_edge *e = &w->edges.at[i];
		enum order_answer answer = ORDER_NO;
		if (!on[e->from] || !on[e->to])
			continue;
		if (e->from == e->to)
			answer = ask_own(w, e, found);
		else if (e->from < e->to)
			answer = ask_from(w, e, found);
		all = answer == ORDER_NO ? all : answer;
	}
	mem_free(on);
	return many > EDGE_MOST ? ORDER_UNKNOWN : all;
}

/* Waits of different threads on one semaphore: in one order in every run? */
static bool sems_persistent(const struct order *o)
{
	for (size_t i = 0; i < o->sems.count; i++) {
		uint32_t last = NONE;
		for (size_t k = 0; k < o->sems.at[i].nodes.count; k++) {
			uint32_t n = o->sems.at[i].nodes.at[k];
			if (o->nodes.at[n].op != OP_SWAIT)
				continue;
			if (last != NONE && !must(o, last, n))
				return false;
			last = n;
		}
	}
	return true;
}

/* A lock never given back: whoever else takes it must have done so before. */
static bool all_given(const struct order *o)
{
	for (size_t i = 0; i < o->sections.count; i++) {
		const struct section *kept = &o->sections.at[i];
		if (kept->give != NONE)
			continue;
		for (size_t u = 0; u < o->locks.at[kept->lock].users.count; u++) {
			const struct lock_user *user = &o->locks.at[kept->lock].users.at[u];
			for (size_t k = 0; user->thread != kept->thread && k < user->sections.count; k++) {
				const struct section *other = &o->sections.at[user->sections.at[k]];
				if (!(other->shared && kept->shared) && (other->give == NONE || !must(o, other->give, kept->take)))
					return false;
			}
		}
	}
	return true;
}

enum order_answer order_deadlock(struct order *o, struct order_stuck *found, struct order_cycles *closed)
{
	struct waits w = { .o = o, .closed = closed };
	check(o->sealed);
	for (uint32_t i = 0; i < o->nodes.count; i++)
		edges_of(&w, i);
	enum order_answer answer = w.edges.count ? ask_locks(&w, found) : ORDER_NO;
	if (w.steps >= STEP_MOST && answer == ORDER_NO)
		answer = ORDER_UNKNOWN;
	if (answer == ORDER_NO && (!sems_persistent(o) || !all_given(o)))
		answer = ORDER_UNKNOWN;
	if (!ask_no_counts(o))
		answer = ORDER_UNKNOWN;                 /* who makes a lock again may also set free those who wait for it */
	for (size_t i = 0; i < w.edges.count; i++)
		vec_release(&w.edges.at[i].holds);
	vec_release(&w.edges);
	map_release(&w.index);
	return answer;
}
