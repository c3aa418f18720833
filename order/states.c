/* order/states.c -- all states the threads can come to, depth first, lowest observed number first.
 *
 * For conditions that are waited for and signalled many times: which signal serves which wait is a matching, and solvers count badly.
 * A state is how far each thread has come, and who of those that wait has been signalled; two threads of n nodes have n^2 of them at most.
 *   (1) a node that only enables others goes at once and is no choice: what gives a lock, posts, begins to wait, or does nothing but
 *       come after others.  Any order that leads to the end does so with it moved to the front;
 *   (2) no state is gone through twice;
 *   (3) their memory is bounded: past it the answer is not known.  Questions of one trace are alike: each that came to the bound
 *       halves it for the next ones, each that was answered doubles it again.
 * Values of reads are not asked here. */
#include <string.h>

#include "base/mix.h"
#include "order/search.h"

#define ROOM_MOST   (16u << 20)         /* words of states kept */
#define HALVED_MOST 8u                  /* and never fewer than ROOM_MOST >> HALVED_MOST */
#define ASK_EVERY   1024u               /* states, whether to go on */
#define THREADS_MOST 64u                /* who is signalled is one word */

struct frame { uint32_t row, tried; };  /* nodes of the row when it was entered; the node tried last + 1 */
struct walk {
	struct search *s;
	const struct order *o;
	size_t given;
	uint32_t *at;                           /* by thread */
	uint64_t signalled;                     /* threads that wait and may wake */
	int64_t *sems;
	uint32_t *holders, *readers;            /* by lock */
	VEC(uint64_t) before;                   /* by node of the row: who was signalled */
	VEC(struct frame) frames;
	uint32_t *slots, slot_count;            /* 1 + state */
	VEC(uint32_t) states;                   /* threads + 2 words each, */
	size_t room;                            /* so many in all */
};

static bool is_open(const struct walk *w, const struct section *x)
{
	return !w->holders[x->lock] && (x->shared || !w->readers[x->lock]);
}

/* By must-order and edges. */
static bool is_due(const struct walk *w, uint32_t id)
{
	const struct order *o = w->o;
	const struct node *n = &o->nodes.at[id];
	const uint32_t *row = o->rows.at + (size_t)n->row * o->thread_count;
	for (uint32_t t = 0; t < o->thread_count; t++)
		if (row[t] > w->at[t] && t != n->thread)
			return false;
	for (size_t i = 0; i < w->given; i++) {
		struct edge e = w->s->edges.at[i];
		if (e.to == id && (e.from == END || !in_front(o, w->at, e.from)))
			return false;
	}
	return true;
}

static bool may_go(const struct walk *w, uint32_t id)
{
	const struct node *n = &w->o->nodes.at[id];
	if (!is_due(w, id))
		return false;
	switch (n->op) {
	case OP_TAKE:  return is_open(w, &w->o->sections.at[n->section]);
	case OP_CWAKE: return (n->other == NONE || w->signalled >> n->thread & 1) &&
			(n->section == NONE || is_open(w, &w->o->sections.at[n->section]));
	case OP_SWAIT: return w->sems[n->object] > 0;
	default:       return true;
	}
}

static bool is_choice(const struct node *n)
{
	return n->op == OP_TAKE || n->op == OP_CWAKE || n->op == OP_SIGNAL || n->op == OP_BROADCAST || n->op == OP_SWAIT;
}

static void lock_change(struct walk *w, const struct node *n, bool takes)
{
	const struct section *x = n->section == NONE ? NULL : &w->o->sections.at[n->section];
	if (x && x->shared)
		w->readers[x->lock] += takes ? 1 : UINT32_MAX;
	else if (x)
		w->holders[x->lock] = takes;
}

/* Those who wait for this condition now, and need a signal. */
static uint64_t waiting(const struct walk *w, uint32_t cond)
{
	uint64_t who = 0;
	for (uint32_t t = 0; t < w->o->thread_count; t++) {
		uint32_t next = node_of(w->o, t, w->at[t]);
		const struct node *n = next == NONE ? NULL : &w->o->nodes.at[next];
		if (n && n->op == OP_CWAKE && n->object == cond && n->other != NONE && w->at[t] > w->o->nodes.at[n->other].at)
			who |= 1ull << t;
	}
	return who;
}

static void go(struct walk *w, uint32_t id)
{
	const struct node *n = &w->o->nodes.at[id];
	vec_push(&w->s->row, id);
	vec_push(&w->before, w->signalled);
	w->at[n->thread] = n->at + 1;
	switch (n->op) {
	case OP_TAKE:  lock_change(w, n, true); break;
	case OP_GIVE:  lock_change(w, n, false); break;
	case OP_CWAIT: lock_change(w, n, false); w->signalled &= ~(1ull << n->thread); break;
	case OP_CWAKE: lock_change(w, n, true); w->signalled &= ~(1ull << n->thread); break;
	case OP_SIGNAL: case OP_BROADCAST: w->signalled |= waiting(w, n->object); break;
	case OP_SWAIT: w->sems[n->object]--; break;
	case OP_SPOST: w->sems[n->object]++; break;
	}
}

static void back_to(struct walk *w, uint32_t row)
{
	while (w->s->row.count > row) {
		const struct node *n = &w->o->nodes.at[w->s->row.at[--w->s->row.count]];
		w->signalled = w->before.at[--w->before.count];
		w->at[n->thread] = n->at;
		if (n->op == OP_TAKE || n->op == OP_CWAKE)
			lock_change(w, n, false);
		else if (n->op == OP_GIVE || n->op == OP_CWAIT)
			lock_change(w, n, true);
		else if (n->op == OP_SWAIT)
			w->sems[n->object]++;
		else if (n->op == OP_SPOST)
			w->sems[n->object]--;
	}
}

static void go_at_once(struct walk *w)
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t t = 0; t < w->o->thread_count; t++)
			for (uint32_t id; (id = node_of(w->o, t, w->at[t])) != NONE && !is_choice(&w->o->nodes.at[id]) && may_go(w, id); again = true)
				go(w, id);
	}
}

static bool is_end(const struct walk *w)
{
	for (uint32_t t = 0; w->s->whole && t < w->o->thread_count; t++)
		if (w->at[t] < w->o->threads[t].node.count)
			return false;
	for (size_t i = 0; i < w->given; i++)
		if (w->s->edges.at[i].to == END && !in_front(w->o, w->at, w->s->edges.at[i].from))
			return false;
	return true;
}

/* 1 it is new, 0 it was met before, -1 there is no room for more. */
static int enter(struct walk *w)
{
	uint32_t threads = w->o->thread_count, words = threads + 2;
	if (w->states.count + words > w->room || 2 * (w->states.count / words) >= w->slot_count)
		return -1;
	size_t start = w->states.count;
	for (uint32_t t = 0; t < threads; t++)
		vec_push(&w->states, w->at[t]);
	vec_push(&w->states, (uint32_t)w->signalled);
	vec_push(&w->states, (uint32_t)(w->signalled >> 32));
	uint64_t hash = 0;
	for (size_t i = start; i < w->states.count; i++)
		hash = mix_word(hash, w->states.at[i]);
	uint32_t slot = (uint32_t)(hash % w->slot_count);
	for (; w->slots[slot]; slot = slot + 1 == w->slot_count ? 0 : slot + 1)
		if (!memcmp(&w->states.at[(size_t)(w->slots[slot] - 1) * words], &w->states.at[start], words * sizeof(uint32_t))) {
			w->states.count = start;
			return 0;
		}
	w->slots[slot] = (uint32_t)(start / words) + 1;
	return 1;
}

/* The next choice of the frame on top; NONE: all were tried. */
static uint32_t next_choice(const struct walk *w, struct frame *f)
{
	uint32_t best = NONE;
	for (uint32_t t = 0; t < w->o->thread_count; t++) {
		uint32_t id = node_of(w->o, t, w->at[t]);
		if (id != NONE && id >= f->tried && id < best && may_go(w, id))
			best = id;
	}
	f->tried = best == NONE ? NONE : best + 1;
	return best;
}

static enum order_answer walk_states(struct walk *w)
{
	for (;;) {
		go_at_once(w);
		if (is_end(w))
			return ORDER_YES;
		int fresh = enter(w);
		if (fresh < 0 || (w->s->steps++ % ASK_EVERY == 0 && order_stopped(w->o)))
			return ORDER_UNKNOWN;
		if (fresh)
			vec_push(&w->frames, ((struct frame){ (uint32_t)w->s->row.count, 0 }));
		uint32_t id = NONE;
		while (w->frames.count && id == NONE) {
			struct frame *f = &w->frames.at[w->frames.count - 1];
			back_to(w, f->row);
			id = next_choice(w, f);
			if (id == NONE)
				w->frames.count--;
		}
		if (id == NONE)
			return ORDER_NO;
		go(w, id);
	}
}

enum order_answer search_states(struct search *s, size_t given)
{
	const struct order *o = s->order;
	if (o->thread_count > THREADS_MOST)
		return ORDER_UNKNOWN;
	struct walk w = { .s = s, .o = o, .given = given, .at = mem_take((o->thread_count + 1) * sizeof *w.at),
		.sems = mem_take((o->sems.count + 1) * sizeof *w.sems), .holders = mem_take((o->locks.count + 1) * sizeof *w.holders),
		.readers = mem_take((o->locks.count + 1) * sizeof *w.readers), .room = ROOM_MOST >> s->states_halved,
		.slot_count = 2 * ((ROOM_MOST >> s->states_halved) / (o->thread_count + 2)) };
	w.slots = mem_take(w.slot_count * sizeof *w.slots);
	for (size_t i = 0; i < o->sems.count; i++)
		w.sems[i] = o->sems.at[i].first;
	s->cut = 0;
	vec_clear(&s->row);
	enum order_answer answer = walk_states(&w);
	if (answer != ORDER_UNKNOWN)
		s->states_halved -= s->states_halved > 0;
	else if (s->states_halved < HALVED_MOST)
		s->states_halved++;
	if (answer == ORDER_NO && s->explain)
		fprintf(s->explain, "  none of %zu states that threads can come to leads there\n", w.states.count / (o->thread_count + 2));
	mem_free(w.at);
	mem_free(w.sems);
	mem_free(w.holders);
	mem_free(w.readers);
	mem_free(w.slots);
	vec_release(&w.before);
	vec_release(&w.frames);
	vec_release(&w.states);
	return answer;
}
