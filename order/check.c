/* order/check.c -- replays a witness by its own reading of the rules in docs/order.md.
 *
 * Shares with the engine what was noted: the row of events (kind, objects, thread, order; of a wait at a condition, whether it has a section to give up),
 * whom an event saw (saws), where memory was given out over a lock or semaphore (born).  It shares nothing that was derived from them: no clocks, no ends of
 * sections, no edges.  It walks the observed row once to see what each event depended on (whose message an acquire saw, who ran once, whom a trylock met),
 * then the witness, and holds every step against that.
 * What a lock is taken for is asked of the lock's own state here: who holds it, how many read it.  Where several lay in one place, each has a state of
 * its own: whoever takes one comes behind who made it and before who makes the next, and gives back what it took.
 * Cost: both rows once, and per acquire the messages it saw. */
#include <string.h>

#include "order/inside.h"

struct lock_now { uint32_t holder, readers; };          /* thread + 1; how many */
struct wait_now { bool waits, signalled; };
struct need { uint32_t node, of; };                     /* `node` comes after `of` */

#define KEEP_EVERY 2048u

/* What is so after some steps: nodes done by thread; lock -> holder + 1 << 32 | readers; semaphore -> value; who waits, at
 * which condition; lives: semaphore -> 1 + which of those that were there one after the other a semaphore is. */
struct kept { uint32_t *done; struct map locks, sems, lives; struct wait_now *waits; uint64_t *waits_at; };
/* needs: rising by node; life: by node, which of the locks or semaphores that lay there one after the other it is about, or NULL: there were none such;
 * wrong_at: the node */
struct replay { VEC(struct need) needs; VEC(struct kept) kept; uint32_t *life; const char *wrong; uint32_t wrong_at; };

struct checker {
	const struct order *o;
	struct kept now;
	struct replay *needs;
	const char *wrong;
};

static bool is_done(const struct checker *c, uint32_t node)
{
	return c->o->nodes.at[node].at < c->now.done[c->o->nodes.at[node].thread];
}

/* ---- the observed row: what each depended on ---- */

struct said { uint32_t node; uint32_t next; };          /* a list of releases, newest first */

struct reading {
	struct map heads;                               /* (what, object, number) -> list */
	VEC(struct said) said;
	uint32_t *begun;                                /* by thread: fork node + 1 */
	uint32_t *flushed;                              /* by line of a buffer: its last node + 1 */
	size_t saw;                                     /* of saws[], the next to look at */
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
		if (!c->o->weak || c->o->nodes.at[r->said.at[head - 1].node].thread != c->o->own_count + c->o->nodes.at[node].thread)
			*vec_add(&c->needs->needs) = (struct need){ node, r->said.at[head - 1].node };
}

/* Weak orders: a release reaches memory after it was made, and before its thread does what needs an empty buffer. */
static void read_buffer(struct checker *c, struct reading *r, uint32_t id)
{
	const struct node *n = &c->o->nodes.at[id];
	if (n->kind == EV_FLUSH) {
		r->flushed[n->thread] = id + 1;
		*vec_add(&c->needs->needs) = (struct need){ id, n->other };
		return;
	}
	bool store = n->kind == EV_ASTORE, fence = n->kind == EV_FENCE;
	bool access = n->kind == EV_READ || n->kind == EV_WRITE || n->kind == EV_ALOAD || n->kind == EV_LIBREAD || n->kind == EV_COPY || n->kind == EV_ALLOC;
	bool waits = n->kind == EV_BEGIN || n->keeps || access || n->kind == EV_RELEASE || n->kind == EV_ACQUIRE ||
		((store || fence) && n->order != ORDER_SEQ_CST && n->op != OP_EMPTIES);
	for (uint32_t line = n->thread + c->o->own_count; !waits && line < c->o->thread_count; line += c->o->own_count)
		if (r->flushed[line])
			*vec_add(&c->needs->needs) = (struct need){ id, r->flushed[line] - 1 };
}

static void read_node(struct checker *c, struct reading *r, uint32_t id)
{
	const struct node *n = &c->o->nodes.at[id];
	uint64_t *head;
	read_buffer(c, r, id);
	if (n->op == OP_EMPTIES)
		return;
	switch (n->kind) {
	case EV_FORK:
		if (n->address < c->o->own_count && !r->begun[n->address])
			r->begun[n->address] = id + 1;
		break;
	case EV_BEGIN:
		if (n->at == 0 && r->begun[n->thread])
			*vec_add(&c->needs->needs) = (struct need){ id, r->begun[n->thread] - 1 };
		r->begun[n->thread] = NONE;
		break;
	case EV_JOIN: {
		uint32_t last = NONE;
		const struct thread_line *child = &c->o->threads[n->address];
		for (size_t i = child->node.count; i-- > 0 && last == NONE;)
			if (child->node.at[i] < id)
				last = child->node.at[i];
		if (last != NONE && n->address != n->thread)
			*vec_add(&c->needs->needs) = (struct need){ id, last };
		break;
	}
	case EV_BENTER:
		say(r, head_of(r, 1, n->address, n->number), id);
		break;
	case EV_BLEAVE:
		need_all(c, r, id, *head_of(r, 1, n->address, n->number));
		break;
	case EV_RELEASE:
		if (!c->o->weak)
			say(r, head_of(r, 2, n->address, 0), id);
		break;
	case EV_FLUSH:
		if (c->o->nodes.at[n->other].kind == EV_RELEASE)
			say(r, head_of(r, 2, n->address, 0), id);
		break;
	case EV_ACQUIRE:
		need_all(c, r, id, *head_of(r, 2, n->address, 0));
		break;
	case EV_ONCERUN:
		head = head_of(r, 3, n->address, 0);
		if (*head && c->o->nodes.at[r->said.at[*head - 1].node].number == ONCE_LEFT)
			need_all(c, r, id, *head);
		break;
	case EV_ONCE:
		head = head_of(r, 3, n->address, 0);
		if (n->number)
			*head = 0, say(r, head, id);
		else
			need_all(c, r, id, *head);
		break;
	}
	for (; r->saw < c->o->saws.count && c->o->saws.at[r->saw].node == id; r->saw++)
		*vec_add(&c->needs->needs) = (struct need){ id, c->o->saws.at[r->saw].from };
}

/* ---- locks that lay in one place one after the other ---- */

struct lives { struct map now, took; size_t born; };    /* address -> which it is now; address and thread -> which it took */

static uint64_t object_key(uint64_t address, uint64_t number)
{
	return address ^ number * 0x9e3779b97f4a7c15ull;
}

/* A lock is made; of a semaphore it says which. */
static bool makes_lock(const struct node *n)
{
	return n->kind == EV_LOCKINIT && n->object == NONE;
}

/* Did any lie where one was before? */
static bool has_lives(const struct order *o)
{
	bool any = o->born.count > 0;
	for (uint32_t i = 0; i < o->nodes.count && !any; i++)
		any = makes_lock(&o->nodes.at[i]);
	return any;
}

/* The lock it takes or tries for, gives back: 0, none. */
static uint64_t lock_used(const struct node *n, bool *gives)
{
	*gives = n->kind == EV_UNLOCK || n->kind == EV_CWAIT || (n->kind == EV_END && n->op == OP_GIVE);
	if (n->kind == EV_CWAIT || n->kind == EV_CWAKE)
		return n->section == NONE ? 0 : n->number;
	return *gives || n->kind == EV_LOCK || n->kind == EV_TRYFAIL ? n->address : 0;
}

static void read_life(struct checker *c, struct reading *r, struct lives *l, uint32_t id)
{
	const struct node *n = &c->o->nodes.at[id];
	bool gives, made = makes_lock(n);
	uint64_t lock = n->op == OP_EMPTIES ? 0 : lock_used(n, &gives), *head;
	for (; l->born < c->o->born.count && c->o->born.at[l->born].node <= id; l->born++) {
		++*map_put(&l->now, c->o->born.at[l->born].address, NULL);
		*head_of(r, 4, c->o->born.at[l->born].address, 0) = 0;
	}
	if (n->kind == EV_SWAIT || n->kind == EV_SPOST || (n->kind == EV_LOCKINIT && !made))
		c->needs->life[id] = (uint32_t)*map_put(&l->now, n->address, NULL);
	if (made) {
		head = head_of(r, 4, n->address, 0);
		need_all(c, r, id, *head);
		*head = 0;
		*head_of(r, 5, n->address, ++*map_put(&l->now, n->address, NULL)) = id + 1;
	}
	if (!lock)
		return;
	uint64_t *took = map_put(&l->took, object_key(lock, n->thread + 1), NULL), life = gives ? *took : *map_put(&l->now, lock, NULL);
	c->needs->life[id] = (uint32_t)life;
	if (n->kind != EV_TRYFAIL)
		*took = life;
	if (gives)
		return;
	uint64_t maker = *head_of(r, 5, lock, life);
	if (maker)
		*vec_add(&c->needs->needs) = (struct need){ id, (uint32_t)maker - 1 };
	say(r, head_of(r, 4, lock, 0), id);
}

static void read_observed(struct checker *c)
{
	struct reading r = { .begun = mem_take((c->o->thread_count + 1) * sizeof *r.begun),
		.flushed = mem_take((c->o->thread_count + 1) * sizeof *r.flushed) };
	struct lives lives = { 0 };
	if (has_lives(c->o))
		c->needs->life = mem_take((c->o->nodes.count + 1) * sizeof *c->needs->life);
	for (uint32_t i = 0; i < c->o->nodes.count; i++) {
		read_node(c, &r, i);
		if (c->needs->life)
			read_life(c, &r, &lives, i);
	}
	map_release(&lives.now);
	map_release(&lives.took);
	map_release(&r.heads);
	vec_release(&r.said);
	mem_free(r.begun);
	mem_free(r.flushed);
}

/* ---- the witness ---- */

static void fail(struct checker *c, const char *wrong)
{
	if (!c->wrong)
		c->wrong = wrong;
}

static struct lock_now lock_now(const struct checker *c, uint64_t key)
{
	uint64_t *slot = map_get(&c->now.locks, key);
	return slot ? (struct lock_now){ (uint32_t)(*slot >> 32), (uint32_t)*slot } : (struct lock_now){ 0 };
}

static uint64_t lock_word(struct lock_now now)
{
	return (uint64_t)now.holder << 32 | now.readers;
}

/* That which this node is about, of those that lay there. */
static uint64_t key_of(const struct checker *c, uint32_t id, uint64_t address)
{
	return object_key(address, c->needs->life ? c->needs->life[id] : 0);
}

static void take(struct checker *c, uint32_t thread, uint64_t key, bool reads)
{
	uint64_t *slot = map_put(&c->now.locks, key, NULL);
	struct lock_now now = { (uint32_t)(*slot >> 32), (uint32_t)*slot };
	if (now.holder || (now.readers && !reads))
		fail(c, "a lock is taken that somebody has");
	*slot = lock_word(reads ? (struct lock_now){ 0, now.readers + 1 } : (struct lock_now){ thread + 1, 0 });
}

static void give(struct checker *c, uint32_t thread, uint64_t key)
{
	uint64_t *slot = map_put(&c->now.locks, key, NULL);
	struct lock_now now = { (uint32_t)(*slot >> 32), (uint32_t)*slot };
	if (now.holder != thread + 1 && !now.readers)
		fail(c, "a lock is given back that its thread has not");
	*slot = lock_word(now.holder ? (struct lock_now){ 0 } : (struct lock_now){ 0, now.readers - 1 });
}

/* A failed trylock, or a lock taken again: the lock is as it was then? */
static void tryfail(struct checker *c, const struct node *n, uint64_t key)
{
	struct lock_now now = lock_now(c, key);
	bool by_other = now.holder && now.holder != n->thread + 1;
	if (!by_other && !(now.readers && !(n->number & LOCK_FOR_READING)))
		fail(c, "a trylock fails on a lock that is free");
}

/* Another semaphore lies there from now on. */
static void made_anew(struct checker *c, const struct node *n, uint64_t key)
{
	if (n->object == NONE)
		return;                         /* a lock: read_life() */
	*map_put(&c->now.lives, key, NULL) = n->object + 1;
	*map_put(&c->now.sems, key, NULL) = (uint64_t)c->o->sems.at[n->object].first;
}

static void post(struct checker *c, const struct node *n, uint64_t key, int64_t by)
{
	bool fresh;
	const uint64_t *life = map_get(&c->now.lives, key);
	if (life && *life ? *life != n->object + 1 : c->o->sems.at[n->object].made != 0)
		fail(c, "a semaphore is used before it is made, or after another one is");
	uint64_t *slot = map_put(&c->now.sems, key, &fresh);
	if (fresh)
		*slot = (uint64_t)c->o->sems.at[n->object].first;
	*slot += (uint64_t)by;
	if ((int64_t)*slot < 0)
		fail(c, "a semaphore is taken that is 0");
}

static void step(struct checker *c, uint32_t id)
{
	const struct node *n = &c->o->nodes.at[id];
	uint64_t key = key_of(c, id, n->address);
	size_t low = 0, high = c->needs->needs.count;
	if (n->at != c->now.done[n->thread])
		fail(c, "a thread leaves its program order");
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (c->needs->needs.at[middle].node < id)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < c->needs->needs.count && c->needs->needs.at[low].node == id; low++)
		if (!is_done(c, c->needs->needs.at[low].of))
			fail(c, "an event comes before one it saw");
	switch (n->op == OP_EMPTIES ? 0 : n->kind) {
	case EV_LOCK:   take(c, n->thread, key, n->number & LOCK_FOR_READING); break;
	case EV_UNLOCK: if (node_reaches(c->o, id) == id) give(c, n->thread, key); break;
	case EV_FLUSH:  if (c->o->nodes.at[n->other].kind == EV_UNLOCK) give(c, n->thread % c->o->own_count, key_of(c, n->other, n->address)); break;
	case EV_END:    if (n->op == OP_GIVE) give(c, n->thread, key); break;           /* a robust mutex it had when it ended */
	case EV_TRYFAIL: tryfail(c, n, key); break;
	case EV_LOCKINIT: made_anew(c, n, key); break;
	case EV_SWAIT:  if (n->op == OP_SWAIT) post(c, n, key, -1); break;
	case EV_SPOST:  if (n->op == OP_SPOST) post(c, n, key, 1); break;
	case EV_CWAIT:
		if (n->number && n->section != NONE)
			give(c, n->thread, key_of(c, id, n->number));
		c->now.waits[n->thread] = (struct wait_now){ true, false };
		c->now.waits_at[n->thread] = n->address;
		break;
	case EV_CWAKE:
		if (n->other != NONE && !c->now.waits[n->thread].signalled)
			fail(c, "a wait ends that nobody signalled");
		c->now.waits[n->thread].waits = false;
		if (n->number && n->section != NONE)
			take(c, n->thread, key_of(c, id, n->number), false);
		break;
	case EV_CSIGNAL: case EV_CBROADCAST:
		for (uint32_t t = 0; t < c->o->thread_count; t++)
			if (c->now.waits[t].waits && c->now.waits_at[t] == n->address)
				c->now.waits[t].signalled = true;
		break;
	}
	c->now.done[n->thread]++;
}

/* ---- the observed row, replayed once; states kept every so often ---- */

static void copy_map(struct map *to, const struct map *from)
{
	*to = *from;
	if (!from->room)
		return;
	to->cells = mem_take(from->room * sizeof *to->cells);
	memcpy(to->cells, from->cells, from->room * sizeof *to->cells);
}

/* Of locks only those somebody has: a lock that is not there is free. */
static void copy_held(struct map *to, const struct map *from)
{
	*to = (struct map){ 0 };
	for (size_t i = 0; i < from->room; i++)
		if (from->cells[i].used && from->cells[i].value)
			*map_put(to, from->cells[i].key, NULL) = from->cells[i].value;
}

static void *copy(const void *from, size_t bytes)
{
	void *to = mem_take(bytes);
	memcpy(to, from, bytes);
	return to;
}

static void state_copy(struct kept *to, const struct kept *from, uint32_t threads)
{
	to->done = copy(from->done, (threads + 1) * sizeof *to->done);
	to->waits = copy(from->waits, (threads + 1) * sizeof *to->waits);
	to->waits_at = copy(from->waits_at, (threads + 1) * sizeof *to->waits_at);
	copy_held(&to->locks, &from->locks);
	copy_map(&to->sems, &from->sems);
	copy_map(&to->lives, &from->lives);
}

static void state_free(struct kept *k)
{
	mem_free(k->done);
	mem_free(k->waits);
	mem_free(k->waits_at);
	map_release(&k->locks);
	map_release(&k->sems);
	map_release(&k->lives);
}

static void prepare(struct order *o)
{
	struct checker c = { .o = o };
	size_t threads = o->thread_count + 1;
	o->replay = mem_take(sizeof *o->replay);
	c.now = (struct kept){ .done = mem_take(threads * sizeof *c.now.done), .waits = mem_take(threads * sizeof *c.now.waits),
		.waits_at = mem_take(threads * sizeof *c.now.waits_at) };
	c.needs = o->replay;
	read_observed(&c);
	for (uint32_t i = 0; i <= o->nodes.count; i++) {
		if (i % KEEP_EVERY == 0)
			state_copy(vec_add(&o->replay->kept), &c.now, o->thread_count);
		if (i < o->nodes.count)
			step(&c, i);
		if (c.wrong && !o->replay->wrong) {
			o->replay->wrong = c.wrong;
			o->replay->wrong_at = i;
		}
	}
	state_free(&c.now);
}

const char *order_broken(const struct order *o, const struct place **where)
{
	check(o->sealed);
	const char *wrong = o->replay->wrong;
	*where = wrong ? o->nodes.at[o->replay->wrong_at].place : NULL;
	return wrong;
}

const char *check_observed(struct order *o)
{
	if (!o->replay)
		prepare(o);
	return o->replay->wrong;
}

void check_free(struct replay *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->kept.count; i++)
		state_free(&r->kept.at[i]);
	vec_release(&r->kept);
	vec_release(&r->needs);
	mem_free(r->life);
	mem_free(r);
}

/* As it was when the observed row had come to `node`. */
static void state_observed(struct checker *c, struct order *o, uint32_t node)
{
	*c = (struct checker){ .o = o, .needs = o->replay };
	state_copy(&c->now, &o->replay->kept.at[node / KEEP_EVERY], o->thread_count);
	for (uint32_t i = node / KEEP_EVERY * KEEP_EVERY; i < node; i++)
		step(c, i);
	c->wrong = NULL;
}

/* Is every lock a knows of as it is of b? */
static bool same_locks(const struct checker *a, const struct checker *b)
{
	for (size_t i = 0; i < a->now.locks.room; i++) {
		const struct map_cell *cell = &a->now.locks.cells[i];
		if (cell->used && cell->value != lock_word(lock_now(b, cell->key)))
			return false;
	}
	return true;
}

/* Is every lock, semaphore and thread of a as it is of b? */
static bool same_state(const struct checker *a, const struct checker *b)
{
	for (uint32_t t = 0; t < a->o->thread_count; t++) {
		uint32_t next = node_of(a->o, t, b->now.done[t]);
		bool wakes = next != NONE && a->o->nodes.at[next].kind == EV_CWAKE && a->o->nodes.at[next].other != NONE;
		if (a->now.done[t] != b->now.done[t] || (wakes && b->now.waits[t].signalled && !a->now.waits[t].signalled))
			return false;
	}
	return same_locks(a, b) && same_locks(b, a);    /* semaphores count what is done, which is the same */
}

const char *check_witness(struct order *o, const struct witness *w, const struct question *q)
{
	struct checker c, at_tail = { 0 };
	if (!o->replay)
		prepare(o);
	if (w->head > o->nodes.count || w->tail > o->nodes.count)
		return "it begins or ends nowhere";
	state_observed(&c, o, w->head);
	for (uint32_t i = 0; i < w->count && !c.wrong; i++)
		step(&c, w->node[i]);
	if (w->tail < o->nodes.count && !c.wrong) {
		state_observed(&at_tail, o, w->tail);
		if (!same_state(&c, &at_tail))
			fail(&c, "it does not meet the observed order again");
		state_free(&at_tail.now);
		for (uint32_t t = 0; t < o->thread_count; t++)
			c.now.done[t] = (uint32_t)o->threads[t].node.count;
	}
	for (uint32_t i = 0; i < q->reach_count; i++)
		if (c.now.done[q->reach[i].thread] < q->reach[i].at)
			fail(&c, "it does not come as far as asked");
	for (uint32_t i = 0; i < q->limit_count; i++)
		if (c.now.done[q->limit[i].thread] > q->limit[i].at)
			fail(&c, "it goes further than asked");
	state_free(&c.now);
	return c.wrong;
}
