/* order/check.c -- replays a witness by its own reading of the rules in docs/order.md.
 *
 * Shares with the engine the row of events as they were noted (kind, objects, thread, order), and nothing that was derived
 * from them: no clocks, no sections, no edges.  It walks the observed row once to see what each event depended on (whose
 * message an acquire saw, who ran once, whom a trylock met), then the witness, and holds every step against that.
 * What a lock is taken for is asked of the lock's own state here: who holds it, how many read it.
 * Cost: both rows once, and per acquire the messages it saw. */
#include <string.h>

#include "order/inside.h"

struct lock_now { uint32_t holder, readers; };          /* thread + 1; how many */
struct wait_now { bool waits, signalled; };
struct need { uint32_t node, of; };                     /* `node` comes after `of` */

struct checker {
	const struct order *o;
	uint32_t *done;                                 /* nodes done, by thread */
	struct map locks;                               /* address -> holder + 1 << 32 | readers */
	struct map sems;                                /* address -> value */
	struct wait_now *waits;                         /* by thread */
	uint64_t *waits_at;                             /* condition, by thread */
	VEC(struct need) needs;                         /* rising by node */
	const char *wrong;
};

static bool is_done(const struct checker *c, uint32_t node)
{
	return c->o->nodes.at[node].at < c->done[c->o->nodes.at[node].thread];
}

/* ---- the observed row: what each depended on ---- */

struct said { uint32_t node; uint32_t next; };          /* a list of releases, newest first */

struct reading {
	struct map heads;                               /* (what, object, number) -> list */
	VEC(struct said) said;
	uint32_t *begun;                                /* by thread: fork node + 1 */
};

static uint64_t *head_of(struct reading *r, uint64_t what, uint64_t object, uint64_t number)
{
	uint64_t mixed = object ^ (number + 1) * 0xff51afd7ed558ccdull;
	return map_put(&r->heads, mixed * 0xc4ceb9fe1a85ec53ull + what, NULL);
}

static void say(struct reading *r, uint64_t *head, uint32_t node)
{
	*vec_add(&r->said) = (struct said){ node, (uint32_t)*head };
	*head = r->said.count;
}

static void need_all(struct checker *c, struct reading *r, uint32_t node, uint64_t head)
{
	for (; head; head = r->said.at[head - 1].next)
		*vec_add(&c->needs) = (struct need){ node, r->said.at[head - 1].node };
}

static void read_node(struct checker *c, struct reading *r, uint32_t id)
{
	const struct node *n = &c->o->nodes.at[id];
	uint64_t *head;
	switch (n->kind) {
	case EV_FORK:
		if (n->address < c->o->thread_count && !r->begun[n->address])
			r->begun[n->address] = id + 1;
		break;
	case EV_BEGIN:
		if (n->at == 0 && r->begun[n->thread])
			*vec_add(&c->needs) = (struct need){ id, r->begun[n->thread] - 1 };
		r->begun[n->thread] = NONE;
		break;
	case EV_JOIN: {
		uint32_t last = NONE;
		const struct thread_line *child = &c->o->threads[n->address];
		for (size_t i = child->node.count; i-- > 0 && last == NONE;)
			if (child->node.at[i] < id)
				last = child->node.at[i];
		if (last != NONE && n->address != n->thread)
			*vec_add(&c->needs) = (struct need){ id, last };
		break;
	}
	case EV_BENTER:
		say(r, head_of(r, 1, n->address, n->number), id);
		break;
	case EV_BLEAVE:
		need_all(c, r, id, *head_of(r, 1, n->address, n->number));
		break;
	case EV_RELEASE:
		say(r, head_of(r, 2, n->address, 0), id);
		break;
	case EV_ACQUIRE:
		need_all(c, r, id, *head_of(r, 2, n->address, 0));
		break;
	case EV_ONCE:
		head = head_of(r, 3, n->address, 0);
		if (n->number)
			*head = 0, say(r, head, id);
		else
			need_all(c, r, id, *head);
		break;
	}
	for (uint32_t i = 0; i < n->saw.count; i++)
		*vec_add(&c->needs) = (struct need){ id, c->o->saws.at[n->saw.first + i] };
}

static void read_observed(struct checker *c)
{
	struct reading r = { .begun = mem_take((c->o->thread_count + 1) * sizeof *r.begun) };
	for (uint32_t i = 0; i < c->o->nodes.count; i++)
		read_node(c, &r, i);
	map_release(&r.heads);
	vec_release(&r.said);
	mem_free(r.begun);
}

/* ---- the witness ---- */

static void fail(struct checker *c, const char *wrong)
{
	if (!c->wrong)
		c->wrong = wrong;
}

static struct lock_now lock_now(const struct checker *c, uint64_t address)
{
	uint64_t *slot = map_get(&c->locks, address);
	return slot ? (struct lock_now){ (uint32_t)(*slot >> 32), (uint32_t)*slot } : (struct lock_now){ 0 };
}

static void lock_is(struct checker *c, uint64_t address, struct lock_now now)
{
	*map_put(&c->locks, address, NULL) = (uint64_t)now.holder << 32 | now.readers;
}

static void take(struct checker *c, uint32_t thread, uint64_t address, bool reads)
{
	struct lock_now now = lock_now(c, address);
	if (now.holder || (now.readers && !reads))
		fail(c, "a lock is taken that somebody has");
	lock_is(c, address, reads ? (struct lock_now){ 0, now.readers + 1 } : (struct lock_now){ thread + 1, 0 });
}

static void give(struct checker *c, uint32_t thread, uint64_t address)
{
	struct lock_now now = lock_now(c, address);
	if (now.holder != thread + 1 && !now.readers)
		fail(c, "a lock is given back that its thread has not");
	lock_is(c, address, now.holder ? (struct lock_now){ 0 } : (struct lock_now){ 0, now.readers - 1 });
}

/* A failed trylock, or a lock taken again: the lock is as it was then? */
static void tryfail(struct checker *c, const struct node *n)
{
	struct lock_now now = lock_now(c, n->address);
	bool by_other = now.holder && now.holder != n->thread + 1;
	if (!by_other && !(now.readers && !(n->number & LOCK_FOR_READING)))
		fail(c, "a trylock fails on a lock that is free");
}

static void post(struct checker *c, const struct node *n, int64_t by)
{
	bool fresh;
	uint64_t *slot = map_put(&c->sems, n->address, &fresh);
	if (fresh)
		*slot = (uint64_t)c->o->sems.at[n->object].first;
	*slot += (uint64_t)by;
	if ((int64_t)*slot < 0)
		fail(c, "a semaphore is taken that is 0");
}

static void step(struct checker *c, uint32_t id)
{
	const struct node *n = &c->o->nodes.at[id];
	size_t low = 0, high = c->needs.count;
	if (n->at != c->done[n->thread])
		fail(c, "a thread leaves its program order");
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (c->needs.at[middle].node < id)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < c->needs.count && c->needs.at[low].node == id; low++)
		if (!is_done(c, c->needs.at[low].of))
			fail(c, "an event comes before one it saw");
	switch (n->kind) {
	case EV_LOCK:   take(c, n->thread, n->address, n->number & LOCK_FOR_READING); break;
	case EV_UNLOCK: give(c, n->thread, n->address); break;
	case EV_TRYFAIL: tryfail(c, n); break;
	case EV_SWAIT:  if (n->op == OP_SWAIT) post(c, n, -1); break;
	case EV_SPOST:  if (n->op == OP_SPOST) post(c, n, 1); break;
	case EV_CWAIT:
		if (n->number && n->section != NONE)
			give(c, n->thread, n->number);
		c->waits[n->thread] = (struct wait_now){ true, false };
		c->waits_at[n->thread] = n->address;
		break;
	case EV_CWAKE:
		if (n->other != NONE && !c->waits[n->thread].signalled)
			fail(c, "a wait ends that nobody signalled");
		c->waits[n->thread].waits = false;
		if (n->number && n->section != NONE)
			take(c, n->thread, n->number, false);
		break;
	case EV_CSIGNAL: case EV_CBROADCAST:
		for (uint32_t t = 0; t < c->o->thread_count; t++)
			if (c->waits[t].waits && c->waits_at[t] == n->address)
				c->waits[t].signalled = true;
		break;
	}
	c->done[n->thread]++;
}

const char *check_witness(const struct order *o, const struct witness *w, const struct question *q)
{
	struct checker c = { .o = o };
	size_t threads = o->thread_count + 1;
	c.done = mem_take(threads * sizeof *c.done);
	c.waits = mem_take(threads * sizeof *c.waits);
	c.waits_at = mem_take(threads * sizeof *c.waits_at);
	read_observed(&c);
	for (uint32_t i = 0; i < w->count && !c.wrong; i++)
		step(&c, w->node[i]);
	for (uint32_t i = 0; i < q->reach_count; i++)
		if (c.done[q->reach[i].thread] < q->reach[i].at)
			fail(&c, "it does not come as far as asked");
	for (uint32_t i = 0; i < q->limit_count; i++)
		if (c.done[q->limit[i].thread] > q->limit[i].at)
			fail(&c, "it goes further than asked");
	map_release(&c.locks);
	map_release(&c.sems);
	vec_release(&c.needs);
	mem_free(c.done);
	mem_free(c.waits);
	mem_free(c.waits_at);
	return c.wrong;
}
