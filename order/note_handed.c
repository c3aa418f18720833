/* order/note_handed.c -- what one thread hands on to another: barriers, semaphores, once, annotations, atomics and fences.
 * The rule of each is in docs/order.md. */
#include <errno.h>
#include <string.h>

#include "order/note.h"

static uint32_t sem_number(struct order *o, uint64_t address)
{
	bool fresh;
	uint32_t number = note_number(o, &o->sem_index, address, o->sems.count, &fresh);
	if (fresh)
		vec_add(&o->sems)->address = address;
	return number;
}

static struct gather *gather_of(struct order *o, uint64_t what, uint64_t object, uint64_t number)
{
	uint64_t key = (object * 0x9e3779b97f4a7c15ull ^ number) * 0xd6e8feb86659fd93ull ^ what << 60;
	uint64_t *slot = map_put(&o->gather_index, key, NULL);
	if (!*slot) {
		vec_add(&o->gathers);
		*slot = o->gathers.count;
	}
	return &o->gathers.at[*slot - 1];
}

/* ---- barriers, semaphores, once, annotations ---- */

static void learn_all(struct order *o, uint32_t thread, const struct gather *g)
{
	bool own = false;
	for (size_t i = 0; i < g->nodes.count; i++)
		if (note_owner(o, g->nodes.at[i]) != thread)
			note_learn(o, thread, g->nodes.at[i], &own);
}

void note_benter(struct order *o, const struct event *ev)
{
	uint32_t n = note_node(o, OP_PASS, ev);
	struct gather *g = gather_of(o, 1, ev->object, ev->arg);
	vec_push(&g->nodes, n);
}

void note_bleave(struct order *o, const struct event *ev)
{
	learn_all(o, ev->thread.i, gather_of(o, 1, ev->object, ev->arg));
	note_node(o, OP_PASS, ev);
}

void note_sem(struct order *o, const struct event *ev)
{
	uint32_t sem = sem_number(o, ev->object);
	struct sem *s = &o->sems.at[sem];
	if (ev->kind == EV_SPOST && ev->result) {               /* the post noted before was refused */
		for (size_t i = s->nodes.count; i-- > 0;) {
			struct node *n = &o->nodes.at[s->nodes.at[i]];
			if (n->op == OP_SPOST && n->thread == ev->thread.i) {
				n->op = OP_PASS;
				s->value--;
				for (; i < s->nodes.count; i++)
					s->after.at[i]--;
				return;
			}
		}
		return;
	}
	if (ev->result) {
		if (ev->result != EINTR && ev->result != EINVAL)
			note_unmodelled(o, "a semaphore that was not to be had", ev);
		return;
	}
	bool own = false;
	if (s->made && note_learn(o, ev->thread.i, s->made - 1, &own)) {
		note_unmodelled(o, "a semaphore used by a thread that may come before it is made", ev);
		o->overordered = true;              /* to the one that was there */
	}
	uint32_t n = note_node(o, ev->kind == EV_SPOST ? OP_SPOST : OP_SWAIT, ev);
	o->nodes.at[n].object = sem;
	vec_push(&s->nodes, n);
	s->value += ev->kind == EV_SPOST ? 1 : -1;
	vec_push(&s->after, s->value);
	if (s->value < s->lowest)
		s->lowest = s->value;
}

/* Is the semaphore over for this thread in every run?  All its waits are, and each of its posts, as they could not all have been without it. */
static bool sem_is_over(const struct order *o, const struct sem *s, uint32_t thread)
{
	int64_t posts = 0, waits = 0;
	bool all = true;
	for (size_t i = 0; i < s->nodes.count; i++) {
		bool post = o->nodes.at[s->nodes.at[i]].op == OP_SPOST, wait = o->nodes.at[s->nodes.at[i]].op == OP_SWAIT, known = note_knows(o, thread, s->nodes.at[i]);
		if (wait && !known)
			return false;
		posts += post;
		waits += wait;
		all &= known || !post;
	}
	return all || (s->known && s->first + posts - 1 < waits);
}

/* sem_init fills the semaphore behind its LOCKINIT: the first word is the value.  Where there was one before, or may have been, another begins, and everybody
 * is done with the first by then: where that need not be so, no question may be answered NO. */
void note_sem_init(struct order *o, const struct event *ev)
{
	uint32_t sem = sem_number(o, ev->object), thread = ev->thread.i;
	struct sem *s = &o->sems.at[sem];
	bool own = false;
	if (s->nodes.count || s->known || note_early(o, ev)) {
		bool over = sem_is_over(o, s, thread) && (!s->made || note_knows(o, thread, s->made - 1));
		if (!over)
			note_unmodelled(o, "a semaphore initialised again while a thread may use it", ev);
		o->overordered |= !over;
		if (s->made)
			note_learn(o, thread, s->made - 1, &own);
		for (size_t i = s->nodes.count; i-- > 0;)
			note_learn(o, thread, s->nodes.at[i], &own);
		uint32_t node = note_node(o, OP_PASS, ev);
		bool again = s->nodes.count || s->known;
		s->again |= again;
		s = vec_add(&o->sems);
		s->again = again;
		s->address = ev->object;
		s->made = node + 1;
		sem = (uint32_t)o->sems.count - 1;
		o->nodes.at[node].object = sem;
		*map_put(&o->sem_index, ev->object, NULL) = o->sems.count;
	}
	s->fresh = true;
}

void note_sem_born(struct order *o, uint64_t address)
{
	uint64_t *number = map_get(&o->sem_index, address);
	if (number)
		*number = 0;
}

void note_sem_value(struct order *o, const struct event *ev)
{
	uint64_t *slot = o->sem_index.count ? map_get(&o->sem_index, ev->object) : NULL;
	struct sem *s = slot && *slot ? &o->sems.at[*slot - 1] : NULL;
	uint32_t value;
	if (!s || !s->fresh || ev->byte_count < 4)
		return;
	memcpy(&value, ev->bytes, 4);
	s->first = value;
	s->known = true;
	s->fresh = false;
}

void note_once(struct order *o, const struct event *ev)
{
	bool own = false;
	uint64_t *slot = map_put(&o->once_index, ev->object, NULL);     /* 1 + node that is about to run it << 32 | 1 + node that ran it, or, with nothing above it, left it */
	if (ev->kind == EV_ONCERUN) {
		if (*slot && !(*slot >> 32))
			note_learn(o, ev->thread.i, (uint32_t)*slot - 1, &own);
		*slot = (uint64_t)(note_node(o, OP_PASS, ev) + 1) << 32;
	} else if (ev->arg && ev->result) {
		struct event left = *ev;
		left.arg = ONCE_LEFT;
		*slot = note_node(o, OP_PASS, &left) + 1;
		note_unmodelled(o, "a once routine that was left before its end", ev);
	} else if (ev->arg) {
		uint32_t n = note_node(o, OP_PASS, ev);
		*slot = (*slot >> 32 ? *slot >> 32 : n + 1) << 32 | (n + 1);
	} else if (*slot & NONE && *slot >> 32) {
		uint32_t ran = (uint32_t)(*slot & NONE) - 1, began = (uint32_t)(*slot >> 32) - 1;
		note_learn(o, ev->thread.i, ran, &own);
		uint32_t n = note_node(o, OP_PASS, ev);
		if (o->nodes.at[ran].thread != ev->thread.i)
			*vec_add(&o->choices) = (struct choice){ began, n, ev->object, "once", false };
	}
}

void note_handed(struct order *o, const struct event *ev)
{
	struct gather *g = gather_of(o, 2, ev->object, 0);
	if (ev->kind == EV_ACQUIRE)
		learn_all(o, ev->thread.i, g);
	uint32_t n = note_node(o, OP_PASS, ev);
	if (ev->kind == EV_RELEASE)
		vec_push(&g->nodes, note_reached(o, n, false, ev));
}

/* ---- atomics ---- */

static void node_saw(struct order *o, uint32_t node, size_t first)
{
	for (size_t i = first; i < o->saws.count; i++)
		o->saws.at[i].node = node;
}

static bool releases(uint8_t order) { return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST; }
static bool acquires(uint8_t order)
{
	return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static struct message *message_at(struct order *o, uint64_t address)
{
	uint64_t *slot = map_put(&o->message_index, address, NULL);
	if (!*slot) {
		vec_add(&o->messages);
		*slot = o->messages.count;
	}
	return &o->messages.at[*slot - 1];
}

/* One release of each thread, the newest: it comes after those before it. */
static void newest_add(const struct order *o, void *list, uint32_t node)
{
	VEC(uint32_t) *nodes = list;
	for (size_t i = 0; i < nodes->count; i++)
		if (note_owner(o, nodes->at[i]) == note_owner(o, node)) {
			nodes->at[i] = nodes->at[i] > node ? nodes->at[i] : node;
			return;
		}
	vec_push(nodes, node);
}

void note_fence(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	bool own = false;
	size_t first = o->saws.count;
	if (acquires(ev->order)) {
		for (size_t i = 0; i < t->loose.count; i++) {
			note_learn(o, ev->thread.i, t->loose.at[i], &own);
			vec_push(&o->saws, ((struct saw){ NONE, t->loose.at[i] }));
		}
		vec_clear(&t->loose);
	}
	uint32_t n = note_node(o, OP_PASS, ev);
	node_saw(o, n, first);
	if (releases(ev->order))
		t->release_fence = note_reached(o, n, true, ev);
}

void note_atomic(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	struct message *m = message_at(o, ev->object);
	bool begins = ev->kind == EV_ASTORE, reads = !begins && !o->blind, writes = ev->kind != EV_ALOAD && !(ev->kind == EV_CAS && ev->failed);
	uint8_t order = ev->kind == EV_CAS && ev->failed ? ev->order2 : ev->order;
	bool learnt = false, own = false;
	size_t first = o->saws.count;
	for (size_t i = 0; reads && i < m->from.count; i++) {
		uint32_t from = m->from.at[i];
		if (note_owner(o, from) == ev->thread.i)
			continue;
		if (!acquires(order)) {
			newest_add(o, &t->loose, from);
		} else if (note_learn(o, ev->thread.i, from, &own)) {
			learnt = true;
			vec_push(&o->saws, ((struct saw){ NONE, from }));
		}
	}
	uint32_t n = learnt || (writes && releases(order)) ? note_node(o, OP_PASS, ev) : NONE;
	if (n != NONE)
		node_saw(o, n, first);
	if (writes && (begins || (reads && acquires(order) && releases(order))))
		m->from.count = 0;              /* a store begins anew; a read-modify-write goes on with what was there, unless it knows all of it */
	if (writes && releases(order))
		newest_add(o, &m->from, note_reached(o, n, false, ev));
	else if (writes && t->release_fence != NONE)
		newest_add(o, &m->from, t->release_fence);
}
