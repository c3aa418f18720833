/* order/complete.c -- a prefix laid in a row by the rules, lowest observed number first; what it gets stuck at becomes clauses.
 * Cost of one completion: nodes of the prefix behind the first that is in doubt. */
#include <string.h>

#include "order/search.h"

static uint32_t *grown(void *vec, uint32_t count)
{
	VEC(uint32_t) *v = vec;
	while (v->count < count)
		vec_push(v, 0);
	return v->at;
}

static void hold(struct search *s, uint32_t section)
{
	const struct section *x = &s->order->sections.at[section];
	vec_push(&s->touched, x->lock);
	if (x->shared)
		s->lock_readers.at[x->lock]++;
	else
		s->lock_holder.at[x->lock] = section + 1;
}

/* Which nodes wait for more than the must-order, from here on: most do not. */
static void note_edges(struct search *s)
{
	while (s->led_to.count < s->order->nodes.count)
		vec_add(&s->led_to);
	grown(&s->led_next, (uint32_t)s->edges.count);
	if (!++s->lay) {
		memset(s->led_to.at, 0, s->led_to.count * sizeof *s->led_to.at);        /* it has come round */
		s->lay = 1;
	}
	for (uint32_t i = 0; i < s->edges.count; i++) {
		struct led_to *to = s->edges.at[i].to == END ? NULL : &s->led_to.at[s->edges.at[i].to];
		if (!to)
			continue;
		s->led_next.at[i] = to->lay == s->lay ? to->first : 0;
		*to = (struct led_to){ s->lay, i + 1 };
	}
}

/* As it is when all nodes below `cut` have happened in observed order. */
static void state_at(struct search *s, uint32_t cut)
{
	struct order *o = s->order;
	note_edges(s);
	grown(&s->lock_holder, (uint32_t)o->locks.count);
	grown(&s->lock_readers, (uint32_t)o->locks.count);
	for (size_t i = 0; i < s->touched.count; i++)
		s->lock_holder.at[s->touched.at[i]] = s->lock_readers.at[s->touched.at[i]] = 0;
	vec_clear(&s->touched);
	vec_clear(&s->row);
	vec_clear(&s->blocked);
	s->ready.count = 0;
	s->cut = cut;
	memset(s->done, 0, o->thread_count * sizeof *s->done);
	front_at(o, s->done, cut);
	for (uint32_t t = 0; t < o->thread_count; t++) {
		uint32_t h = s->done[t] ? o->nodes.at[node_of(o, t, s->done[t] - 1)].held : 0;
		for (; h; h = o->helds.at[h].next) {
			uint32_t give = o->sections.at[o->helds.at[h].section].give;
			if (give == NONE || o->nodes.at[give].kind != EV_FLUSH || !in_front(o, s->done, give))
				hold(s, o->helds.at[h].section);
		}
	}
	grown(&s->signal_at, (uint32_t)o->conds.count);
	memset(s->waited, 0, o->thread_count * sizeof *s->waited);
	if (o->conds.count)
		memset(s->signal_at.at, 0, o->conds.count * sizeof *s->signal_at.at);
	vec_clear(&s->sem_value);
	for (size_t i = 0; i < o->sems.count; i++) {
		const struct sem *m = &o->sems.at[i];
		size_t k = 0;
		while (k < m->nodes.count && m->nodes.at[k] < cut)
			k++;
		vec_push(&s->sem_value, m->first + (k ? m->after.at[k - 1] : 0));
	}
}

static bool lock_free(const struct search *s, const struct section *x)
{
	return !s->lock_holder.at[x->lock] && (x->shared || !s->lock_readers.at[x->lock]);
}

static bool is_signal(const struct node *n, uint32_t cond)
{
	return (n->op == OP_SIGNAL || n->op == OP_BROADCAST) && n->object == cond;
}

/* Has there been a signal since its wait?  The row is what happened; before it, what was observed. */
static bool signalled(const struct search *s, const struct node *wake)
{
	const struct order *o = s->order;
	const struct cond *c = &o->conds.at[wake->object];
	uint32_t waited = s->waited[wake->thread], signal = s->signal_at.at[wake->object];
	if (waited && s->row.at[waited - 1] == wake->other)
		return signal > waited;
	if (signal)
		return true;
	for (size_t i = c->nodes.count; i-- > 0 && c->nodes.at[i] > wake->other;)
		if (c->nodes.at[i] < s->cut && is_signal(&o->nodes.at[c->nodes.at[i]], wake->object))
			return true;
	return false;
}

enum stop { GOES, WAITS_FOR_EDGE, WAITS_FOR_LOCK, WAITS_FOR_SEM, WAITS_FOR_SIGNAL };

static enum stop may_go(const struct search *s, uint32_t id)
{
	const struct order *o = s->order;
	const struct node *n = &o->nodes.at[id];
	const uint32_t *row = o->rows.at + (size_t)n->row * o->thread_count;
	if (!n->at || o->nodes.at[node_of(o, n->thread, n->at - 1)].row != n->row)
		for (uint32_t t = 0; t < o->thread_count; t++)
			if (row[t] > s->done[t] && t != n->thread)
				return WAITS_FOR_EDGE;
	for (uint32_t i = s->led_to.at[id].lay == s->lay ? s->led_to.at[id].first : 0; i; i = s->led_next.at[i - 1])
		if (s->edges.at[i - 1].from != END && !in_front(o, s->done, s->edges.at[i - 1].from))
			return WAITS_FOR_EDGE;
	switch (n->op) {
	case OP_TAKE:
		return lock_free(s, &o->sections.at[n->section]) ? GOES : WAITS_FOR_LOCK;
	case OP_CWAKE:
		if (n->other != NONE && !signalled(s, n))
			return WAITS_FOR_SIGNAL;
		return n->section == NONE || lock_free(s, &o->sections.at[n->section]) ? GOES : WAITS_FOR_LOCK;
	case OP_SWAIT:
		return s->sem_value.at[n->object] > 0 ? GOES : WAITS_FOR_SEM;
	default:
		return GOES;
	}
}

static void go(struct search *s, uint32_t id)
{
	const struct order *o = s->order;
	const struct node *n = &o->nodes.at[id];
	const struct section *x = n->section == NONE ? NULL : &o->sections.at[n->section];
	if (x && (n->op == OP_TAKE || n->op == OP_CWAKE)) {
		hold(s, n->section);
	} else if (x && (n->op == OP_GIVE || n->op == OP_CWAIT)) {
		if (x->shared)
			s->lock_readers.at[x->lock]--;
		else
			s->lock_holder.at[x->lock] = 0;
	} else if (n->op == OP_SWAIT) {
		s->sem_value.at[n->object]--;
	} else if (n->op == OP_SPOST) {
		s->sem_value.at[n->object]++;
	}
	s->done[n->thread] = n->at + 1;
	vec_push(&s->row, id);
	if (n->kind == EV_CWAIT)
		s->waited[n->thread] = (uint32_t)s->row.count;
	if (n->op == OP_SIGNAL || n->op == OP_BROADCAST)
		s->signal_at.at[n->object] = (uint32_t)s->row.count;
}

static void ready_put(struct search *s, uint32_t thread, const uint32_t *front)
{
	if (s->done[thread] < front[thread])
		heap_push(&s->ready, node_of(s->order, thread, s->done[thread]), thread);
}

/* A thread as far as it comes. */
static void run_on(struct search *s, uint32_t thread, const uint32_t *front)
{
	while (s->done[thread] < front[thread] && may_go(s, node_of(s->order, thread, s->done[thread])) == GOES)
		go(s, node_of(s->order, thread, s->done[thread]));
}

/* All of front[], lowest observed number first.  False: stuck, what waits is in blocked.  `stays`: whoever goes, goes on until he cannot, so that
 * those who are to be signalled wait by then. */
static bool complete(struct search *s, const uint32_t *front, bool stays)
{
	for (uint32_t t = 0; t < s->order->thread_count; t++)
		ready_put(s, t, front);
	while (s->ready.count) {
		struct heap_item next = heap_pop(&s->ready);
		uint32_t id = (uint32_t)next.key;
		if (may_go(s, id) != GOES) {
			vec_push(&s->blocked, id);
			continue;
		}
		go(s, id);
		if (stays)
			run_on(s, (uint32_t)next.who, front);
		ready_put(s, (uint32_t)next.who, front);
		for (size_t i = 0; i < s->blocked.count;) {
			uint32_t b = s->blocked.at[i];
			if (may_go(s, b) != GOES) {
				i++;
				continue;
			}
			s->blocked.at[i] = s->blocked.at[--s->blocked.count];
			ready_put(s, s->order->nodes.at[b].thread, front);
		}
	}
	s->steps += s->row.count;
	return !s->blocked.count;
}

/* Below this, the observed order is nowhere in doubt. */
static uint32_t safe_cut(const struct search *s)
{
	const struct order *o = s->order;
	uint32_t cut = (uint32_t)o->nodes.count;
	for (size_t i = 0; i < s->edges.count; i++)
		if (s->edges.at[i].to < cut)
			cut = s->edges.at[i].to;
	for (size_t i = 0; i < s->clauses.count; i++) {
		const struct clause *c = &s->clauses.at[i];
		uint32_t first = c->rule == RULE_LOCK ? o->sections.at[c->about[0]].take : 0;
		if (c->rule == RULE_LOCK && o->sections.at[c->about[1]].take < first)
			first = o->sections.at[c->about[1]].take;
		if (c->rule == RULE_READ)
			first = c->about[0] < c->about[1] ? c->about[0] : c->about[1];
		cut = first < cut ? first : cut;
	}
	if (s->read && cut < o->nodes.count && o->nodes.at[cut].kind == EV_FLUSH)
		cut--;                          /* where no store waits */
	return cut;
}

/* The prefix that edges and must-order need. */
static void front_of(struct search *s)
{
	const struct order *o = s->order;
	memset(s->front, 0, o->thread_count * sizeof *s->front);
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < s->edges.count; i++) {
			struct edge e = s->edges.at[i];
			if (e.from != END && (e.to == END || in_front(o, s->front, e.to)) && !in_front(o, s->front, e.from)) {
				cone_add(o, s->front, e.from);
				again = true;
			}
		}
	}
}

/* Clauses for what the completion is stuck at.  False: none is new, which cannot be. */
static bool learn_blocked(struct search *s)
{
	const struct order *o = s->order;
	bool learnt = false;
	for (size_t i = 0; i < s->blocked.count; i++) {
		uint32_t id = s->blocked.at[i];
		const struct node *n = &o->nodes.at[id];
		enum stop stop = may_go(s, id);
		if (stop == WAITS_FOR_SEM)
			learnt |= clause_sem(s, id);
		else if (stop == WAITS_FOR_SIGNAL)
			learnt |= clause_cond(s, id);
		if (stop != WAITS_FOR_LOCK)
			continue;
		const struct lock *l = &o->locks.at[o->sections.at[n->section].lock];
		for (size_t u = 0; u < l->users.count; u++) {
			uint32_t thread = l->users.at[u].thread;
			uint32_t j = thread == n->thread ? NONE :
				last_begun(o, 0, &l->users.at[u], s->done[thread], o->sections.at[n->section].shared);
			if (j != NONE && (o->sections.at[j].give == NONE || !in_front(o, s->done, o->sections.at[j].give)))
				learnt |= clause_lock(s, j, n->section);
		}
	}
	return learnt;
}

static bool misses_signal(const struct search *s)
{
	for (size_t i = 0; i < s->blocked.count; i++)
		if (may_go(s, s->blocked.at[i]) == WAITS_FOR_SIGNAL)
			return true;
	return false;
}

/* Stuck at a lock: the first that waits for one has it all the same.  What such a row runs into further on are rules of the trace as any other,
 * though it is no order of it.  False: nobody waits for a lock. */
static bool break_lock(struct search *s)
{
	uint32_t first = NONE;
	for (size_t i = 0; i < s->blocked.count; i++)
		if (s->blocked.at[i] < first && may_go(s, s->blocked.at[i]) == WAITS_FOR_LOCK)
			first = s->blocked.at[i];
	vec_clear(&s->blocked);
	if (first != NONE)
		go(s, first);
	return first != NONE;
}

/* All that the rest of the prefix runs into, too. */
static void learn_further(struct search *s)
{
	while (break_lock(s))
		if (!complete(s, s->front, false))
			learn_blocked(s);
		else if (s->read)
			search_reads_hold(s);
}

bool search_lay(struct search *s)
{
	front_of(s);
	uint32_t cut = safe_cut(s);
	front_at(s->order, s->front, cut);
	state_at(s, cut);
	if (complete(s, s->front, false))
		return !s->read || search_reads_hold(s);
	if (misses_signal(s) && !s->read) {
		state_at(s, cut);
		if (complete(s, s->front, true))
			return true;
		state_at(s, cut);
		complete(s, s->front, false);
	}
	check(learn_blocked(s));
	if (s->by_solver)
		learn_further(s);
	return false;
}

/* ---- a witness to its end ---- */

/* Has everybody who waits been signalled, if he was in the observed order at `tail`? */
static bool signals_kept(const struct search *s, uint32_t tail)
{
	const struct order *o = s->order;
	for (uint32_t t = 0; o->conds.count && t < o->thread_count; t++) {
		uint32_t next = node_of(o, t, s->done[t]);
		const struct node *wake = next == NONE ? NULL : &o->nodes.at[next];
		if (!wake || wake->op != OP_CWAKE || wake->other == NONE || signalled(s, wake))
			continue;
		const struct cond *c = &o->conds.at[wake->object];
		for (size_t i = c->nodes.count; i-- > 0 && c->nodes.at[i] > wake->other;)
			if (c->nodes.at[i] < tail && is_signal(&o->nodes.at[c->nodes.at[i]], wake->object))
				return false;
	}
	return true;
}

/* A node behind which the witness may meet the observed order again: what it holds is given back there. */
static uint32_t meeting_point(const struct search *s, const struct witness *w)
{
	const struct order *o = s->order;
	uint32_t tail = w->head;
	for (uint32_t i = 0; i < w->count; i++) {
		const struct node *n = &o->nodes.at[w->node[i]];
		uint32_t give = n->section == NONE ? NONE : o->sections.at[n->section].give;
		tail = w->node[i] >= tail ? w->node[i] + 1 : tail;
		tail = give != NONE && give >= tail ? give + 1 : tail;
	}
	return tail;
}

bool search_complete(struct order *o, struct witness *w)
{
	struct search *s = search_of(o);
	uint32_t all = (uint32_t)o->nodes.count, tail = meeting_point(s, w);
	vec_clear(&s->edges);
	for (;;) {
		state_at(s, w->head);
		for (uint32_t i = 0; i < w->count; i++)
			go(s, w->node[i]);
		memset(s->front, 0, o->thread_count * sizeof *s->front);
		front_at(o, s->front, tail);
		if (complete(s, s->front, false) && (tail == all || signals_kept(s, tail))) {
			search_witness(s, w, tail);
			return true;
		}
		if (tail == all)
			return false;
		tail = all - tail < 8 * (tail - w->head + 8) ? all : tail + 8 * (tail - w->head + 8);   /* room for what is still held */
	}
}
