/* order/search.c -- the questions near.c leaves open: saturation and case split over rules as they are run into.
 *
 * The prefix asked for ends at a made-up node END: what comes before END is in it.  Edges (decided so far) and the must-order
 * say what comes before what; clauses are rules that some completion ran into, each a list of ways out, each way one or two
 * edges.  Nothing is a clause that is not a rule of the trace, so clauses are never taken back; edges are, on backtracking.
 *   (1) the edges never close a cycle with the must-order;
 *   (2) after saturate() every clause has a way that holds, or two that are open;
 *   (3) when all clauses hold, complete() lays the prefix in a row by the rules, lowest observed number first; what it
 *       gets stuck at is a rule that no clause has yet, so each round adds one or ends.
 * Cost of one reach(): edges^2, they are few; of one completion: nodes of the prefix. */
#include <stdlib.h>
#include <string.h>

#include "order/inside.h"
#include "order/solve.h"

#define END (NONE - 1)
#define BUDGET 200000u          /* steps of case split before solve.c takes over */
#define ROUNDS 300u             /* choices it is asked for before the question is given up */

struct way { struct edge edge[2]; uint32_t count; };
struct clause { uint32_t first, count; uint8_t rule; uint32_t about[2]; };      /* ways[first...] */
enum rule { RULE_LOCK, RULE_SEM, RULE_COND };

struct search {
	struct order *order;
	VEC(struct edge) edges;
	VEC(uint32_t) reasons;                  /* of edges: clause + 1, 0 given, NONE decided */
	VEC(struct way) ways;
	VEC(struct clause) clauses;
	struct map known;                       /* pairs and waits that are clauses already */
	VEC(uint8_t) seen;                      /* of edges, in reach() */
	VEC(uint32_t) todo;
	uint32_t *front, *done, *limit;
	uint32_t cut;                           /* completions begin here */
	VEC(uint32_t) row;                      /* the completion */
	struct heap ready;
	VEC(uint32_t) blocked;
	VEC(uint32_t) lock_holder, lock_readers;        /* section + 1; how many */
	VEC(uint32_t) touched;
	VEC(int64_t) sem_value;
	uint64_t steps, budget;
	FILE *explain;
	bool whole;                             /* all nodes must happen */
};

static struct search *scratch(struct order *o)
{
	if (o->search)
		return o->search;
	struct search *s = o->search = mem_take(sizeof *s);
	size_t bytes = (o->thread_count + 1) * sizeof *s->front;
	s->order = o;
	s->front = mem_take(bytes);
	s->done = mem_take(bytes);
	s->limit = mem_take(bytes);
	return s;
}

void search_free(struct search *s)
{
	if (!s)
		return;
	vec_release(&s->edges);
	vec_release(&s->reasons);
	vec_release(&s->ways);
	vec_release(&s->clauses);
	map_release(&s->known);
	vec_release(&s->seen);
	vec_release(&s->todo);
	vec_release(&s->row);
	heap_release(&s->ready);
	vec_release(&s->blocked);
	vec_release(&s->lock_holder);
	vec_release(&s->lock_readers);
	vec_release(&s->touched);
	vec_release(&s->sem_value);
	mem_free(s->front);
	mem_free(s->done);
	mem_free(s->limit);
	mem_free(s);
}

/* ---- reachability ---- */

static bool at_or_before(const struct order *o, uint32_t x, uint32_t y)
{
	return x == y || (x != END && y != END && must(o, x, y));
}

/* x at or before y, by must-order and edges. */
static bool reach(struct search *s, uint32_t x, uint32_t y)
{
	const struct order *o = s->order;
	if (at_or_before(o, x, y))
		return true;
	if (!s->edges.count)
		return false;
	while (s->seen.count < s->edges.count)
		vec_push(&s->seen, 0);
	memset(s->seen.at, 0, s->edges.count);
	vec_clear(&s->todo);
	for (uint32_t from = x;; from = s->todo.at[--s->todo.count]) {
		for (size_t i = 0; i < s->edges.count; i++) {
			s->steps++;
			if (s->seen.at[i] || !at_or_before(o, from, s->edges.at[i].from))
				continue;
			s->seen.at[i] = 1;
			if (at_or_before(o, s->edges.at[i].to, y))
				return true;
			vec_push(&s->todo, s->edges.at[i].to);
		}
		if (!s->todo.count)
			return false;
	}
}

static bool edge_put(struct search *s, struct edge e, uint32_t reason)
{
	if (reach(s, e.to, e.from))
		return false;
	if (reach(s, e.from, e.to))
		return true;
	vec_push(&s->edges, e);
	vec_push(&s->reasons, reason);
	return true;
}

/* ---- clauses ---- */

static bool clause_known(struct search *s, uint64_t key)
{
	bool fresh;
	map_put(&s->known, key, &fresh);
	return !fresh;
}

static struct clause *clause_begin(struct search *s, enum rule rule, uint32_t a, uint32_t b)
{
	struct clause *c = vec_add(&s->clauses);
	*c = (struct clause){ .first = (uint32_t)s->ways.count, .rule = (uint8_t)rule, .about = { a, b } };
	return c;
}

static void way_add(struct search *s, uint32_t from, uint32_t to)
{
	if (from == NONE || to == NONE || (from == END && s->whole))
		return;
	*vec_add(&s->ways) = (struct way){ { { from, to } }, 1 };
	s->clauses.at[s->clauses.count - 1].count++;
}

/* Two sections of a lock: one is over before the other begins, unless one of them does not begin. */
static bool clause_lock(struct search *s, uint32_t i, uint32_t j)
{
	const struct section *a = &s->order->sections.at[i < j ? i : j], *b = &s->order->sections.at[i < j ? j : i];
	if (clause_known(s, (uint64_t)(i < j ? i : j) << 32 | (i < j ? j : i)))
		return false;
	clause_begin(s, RULE_LOCK, i < j ? i : j, i < j ? j : i);
	way_add(s, a->give, b->take);
	way_add(s, END, b->take);
	way_add(s, END, a->take);
	way_add(s, b->give, a->take);
	return true;
}

/* `wait` found its semaphore 0 after the waits and posts done: another post comes before it, or one of the waits after it. */
static bool clause_sem(struct search *s, uint32_t wait)
{
	const struct order *o = s->order;
	const struct sem *sem = &o->sems.at[o->nodes.at[wait].object];
	clause_begin(s, RULE_SEM, wait, NONE);
	way_add(s, END, wait);
	for (uint32_t t = 0; t < o->thread_count; t++) {
		uint32_t post = NONE, last = NONE;              /* the first post not done; the last wait done */
		if (t == o->nodes.at[wait].thread)
			continue;
		for (size_t i = 0; i < sem->nodes.count; i++) {
			const struct node *n = &o->nodes.at[sem->nodes.at[i]];
			if (n->thread != t)
				continue;
			if (n->op == OP_SPOST && n->at >= s->done[t] && post == NONE)
				post = sem->nodes.at[i];
			if (n->op == OP_SWAIT && n->at < s->done[t])
				last = sem->nodes.at[i];
		}
		way_add(s, post, wait);
		way_add(s, wait, last);
	}
	return true;
}

/* A wait that was signalled: some signal comes between wait and wake. */
static bool clause_cond(struct search *s, uint32_t wake)
{
	const struct order *o = s->order;
	const struct cond *c = &o->conds.at[o->nodes.at[wake].object];
	uint32_t wait = o->nodes.at[wake].other;
	if (clause_known(s, 1ull << 63 | wake))
		return false;
	clause_begin(s, RULE_COND, wake, NONE);
	way_add(s, END, wake);
	for (size_t i = 0; i < c->nodes.count; i++) {
		uint32_t n = c->nodes.at[i];
		if (o->nodes.at[n].op != OP_SIGNAL && o->nodes.at[n].op != OP_BROADCAST)
			continue;
		if (n == wait || must(o, n, wait) || must(o, wake, n))
			continue;
		*vec_add(&s->ways) = (struct way){ { { wait, n }, { n, wake } }, 2 };
		s->clauses.at[s->clauses.count - 1].count++;
	}
	return true;
}

/* ---- saturation ---- */

enum truth { FALSE, OPEN, TRUE };

static enum truth way_truth(struct search *s, const struct way *w)
{
	enum truth all = TRUE;
	for (uint32_t i = 0; i < w->count; i++) {
		if (reach(s, w->edge[i].to, w->edge[i].from))
			return FALSE;
		if (!reach(s, w->edge[i].from, w->edge[i].to))
			all = OPEN;
	}
	return all;
}

static bool way_take(struct search *s, const struct way *w, uint32_t reason)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (!edge_put(s, w->edge[i], reason))
			return false;
	return true;
}

/* The one open way, or NONE; *open counts them; UINT32_MAX there: the clause holds. */
static uint32_t clause_ways(struct search *s, const struct clause *c, uint32_t *open)
{
	uint32_t one = NONE;
	*open = 0;
	for (uint32_t i = c->first; i < c->first + c->count; i++) {
		enum truth truth = way_truth(s, &s->ways.at[i]);
		if (truth == TRUE) {
			*open = UINT32_MAX;
			return i;
		}
		if (truth == OPEN && !(*open)++)
			one = i;
	}
	return one;
}

static void explain_clause(struct search *s, uint32_t clause, const char *what, const struct way *w);

/* True: nothing is contradicted.  *split: a clause with two open ways, or NONE. */
static bool saturate(struct search *s, uint32_t *split)
{
	for (bool again = true; again;) {
		again = false;
		*split = NONE;
		for (uint32_t c = 0; c < s->clauses.count; c++) {
			uint32_t open, one = clause_ways(s, &s->clauses.at[c], &open);
			if (open == UINT32_MAX)
				continue;
			if (!open) {
				explain_clause(s, c, "closed", NULL);
				return false;
			}
			if (open == 1) {
				explain_clause(s, c, "forces", &s->ways.at[one]);
				if (!way_take(s, &s->ways.at[one], c + 1))
					return false;
				again = true;
			} else if (*split == NONE) {
				*split = c;
			}
		}
	}
	return true;
}

/* ---- completion ---- */

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

/* As it is when all nodes below `cut` have happened in observed order. */
static void state_at(struct search *s, uint32_t cut)
{
	struct order *o = s->order;
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
		for (; h; h = o->helds.at[h].next)
			hold(s, o->helds.at[h].section);
	}
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
	for (size_t i = s->row.count; i-- > 0;) {
		if (s->row.at[i] == wake->other)
			return false;
		if (is_signal(&o->nodes.at[s->row.at[i]], wake->object))
			return true;
	}
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
	for (size_t i = 0; i < s->edges.count; i++)
		if (s->edges.at[i].to == id && s->edges.at[i].from != END && !in_front(o, s->done, s->edges.at[i].from))
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
}

static void ready_put(struct search *s, uint32_t thread, const uint32_t *front)
{
	if (s->done[thread] < front[thread])
		heap_push(&s->ready, node_of(s->order, thread, s->done[thread]), thread);
}

/* All of front[], lowest observed number first.  False: stuck, what waits is in blocked. */
static bool complete(struct search *s, const uint32_t *front)
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
		ready_put(s, (uint32_t)next.who, front);
		for (size_t i = 0; i < s->blocked.count;) {
			uint32_t b = s->blocked.at[i];
			if (may_go(s, b) != GOES) {
				i++;
				continue;
			}
			s->blocked.at[i] = s->blocked.at[--s->blocked.count];
			heap_push(&s->ready, b, s->order->nodes.at[b].thread);
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
		cut = first < cut ? first : cut;
	}
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

/* ---- case split ---- */

/* Goes on until the answer is known under the edges there are. */
static enum order_answer split(struct search *s, unsigned depth)
{
	for (;;) {
		uint32_t open;
		if (s->steps > s->budget)
			return ORDER_UNKNOWN;
		if (!saturate(s, &open))
			return ORDER_NO;
		if (open == NONE) {
			front_of(s);
			uint32_t cut = safe_cut(s);
			front_at(s->order, s->front, cut);
			state_at(s, cut);
			if (complete(s, s->front))
				return ORDER_YES;
			check(learn_blocked(s));
			continue;
		}
		if (depth > 4000)
			return ORDER_UNKNOWN;
		size_t edges = s->edges.count;
		struct clause c = s->clauses.at[open];
		bool unsure = false;
		for (uint32_t i = c.first; i < c.first + c.count; i++) {
			struct way w = s->ways.at[i];
			if (way_truth(s, &w) == FALSE)
				continue;
			FILE *explain = s->explain;
			s->explain = NULL;
			enum order_answer answer = way_take(s, &w, NONE) ? split(s, depth + 1) : ORDER_NO;
			s->explain = explain;
			if (answer == ORDER_YES)
				return ORDER_YES;
			unsure |= answer == ORDER_UNKNOWN;
			s->edges.count = s->reasons.count = edges;
			if (unsure)
				return ORDER_UNKNOWN;
			/* That way is closed: its contrary holds, if it is one edge. */
			if (w.count == 1 && !edge_put(s, (struct edge){ w.edge[0].to, w.edge[0].from }, open + 1))
				break;
			edges = s->edges.count;
		}
		explain_clause(s, open, "closed in every case", NULL);
		return ORDER_NO;
	}
}

/* ---- many clauses: solve.c ---- */

struct ends { VEC(uint32_t) nodes; struct map number; };        /* nodes that edges and ways name, rising; END last */

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void end_add(struct ends *e, struct edge edge)
{
	bool fresh;
	map_put(&e->number, edge.from, &fresh);
	if (fresh)
		vec_push(&e->nodes, edge.from);
	map_put(&e->number, edge.to, &fresh);
	if (fresh)
		vec_push(&e->nodes, edge.to);
}

static void ends_find(struct search *s, struct ends *e)
{
	for (size_t i = 0; i < s->edges.count; i++)
		end_add(e, s->edges.at[i]);
	for (size_t i = 0; i < s->ways.count; i++)
		for (uint32_t k = 0; k < s->ways.at[i].count; k++)
			end_add(e, s->ways.at[i].edge[k]);
	if (e->nodes.count)
		qsort(e->nodes.at, e->nodes.count, sizeof *e->nodes.at, by_number);
}

static uint32_t end_number(const struct ends *e, uint32_t node) { return (uint32_t)*map_get(&e->number, node); }

/* The ends on their threads, and of every other thread the last that must come before each. */
static void ends_lay(struct search *s, struct ends *e, struct solve *solve)
{
	const struct order *o = s->order;
	uint32_t *last = mem_take((o->thread_count + 1) * sizeof *last);        /* of each thread so far, + 1 */
	uint32_t *before = mem_take((e->nodes.count + 1) * sizeof *before);     /* the end before it on its thread, + 1 */
	for (uint32_t i = 0; i < e->nodes.count; i++) {
		uint32_t id = e->nodes.at[i];
		const struct node *n = id == END ? NULL : &o->nodes.at[id];
		*map_get(&e->number, id) = solve_node(solve, n ? n->thread : o->thread_count);
		if (!n)
			continue;
		for (uint32_t t = 0; t < o->thread_count; t++) {
			uint32_t x = t == n->thread ? 0 : last[t];
			while (x && !must(o, e->nodes.at[x - 1], id))
				x = before[x - 1];
			if (x)
				solve_edge(solve, x - 1, i);
		}
		before[i] = last[n->thread];
		last[n->thread] = i + 1;
	}
	mem_free(last);
	mem_free(before);
}

/* One choice of ways for all clauses there are; their edges are added. */
static enum solved choose(struct search *s)
{
	struct ends e = { 0 };
	struct solve *solve = solve_new(s->order->thread_count + 1);
	ends_find(s, &e);
	ends_lay(s, &e, solve);
	for (size_t i = 0; i < s->edges.count; i++)
		solve_edge(solve, end_number(&e, s->edges.at[i].from), end_number(&e, s->edges.at[i].to));
	for (size_t c = 0; c < s->clauses.count; c++) {
		solve_clause(solve);
		for (uint32_t i = s->clauses.at[c].first; i < s->clauses.at[c].first + s->clauses.at[c].count; i++) {
			const struct way *w = &s->ways.at[i];
			uint32_t number = solve_way(solve, end_number(&e, w->edge[0].from), end_number(&e, w->edge[0].to));
			check(number == i);
			if (w->count == 2)
				solve_way_more(solve, end_number(&e, w->edge[1].from), end_number(&e, w->edge[1].to));
		}
	}
	enum solved answer = solve_run(solve, 0);
	for (uint32_t i = 0; answer == SOLVED_YES && i < s->ways.count; i++)
		for (uint32_t k = 0; k < s->ways.at[i].count && solve_holds(solve, i); k++) {
			vec_push(&s->edges, s->ways.at[i].edge[k]);
			vec_push(&s->reasons, NONE);
		}
	solve_free(solve);
	map_release(&e.number);
	vec_release(&e.nodes);
	return answer;
}

static enum order_answer by_solver(struct search *s, size_t given)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		s->edges.count = s->reasons.count = given;
		enum solved answer = choose(s);
		if (answer != SOLVED_YES) {
			if (answer == SOLVED_NO && s->explain)
				fprintf(s->explain, "  %zu rules of locks, semaphores and conditions: no choice satisfies all\n", s->clauses.count);
			return answer == SOLVED_NO ? ORDER_NO : ORDER_UNKNOWN;
		}
		front_of(s);
		uint32_t cut = safe_cut(s);
		front_at(s->order, s->front, cut);
		state_at(s, cut);
		if (complete(s, s->front))
			return ORDER_YES;
		check(learn_blocked(s));
	}
	return ORDER_UNKNOWN;
}

static void witness_is(const struct search *s, struct witness *w, uint32_t tail)
{
	w->head = s->cut;
	w->tail = tail;
	w->count = (uint32_t)s->row.count;
	w->node = mem_resize(w->node, (s->row.count + 1) * sizeof *w->node);
	if (s->row.count)
		memcpy(w->node, s->row.at, s->row.count * sizeof *w->node);
}

enum order_answer search_ask(struct order *o, const struct question *q, const struct edge *more, uint32_t more_count, bool whole)
{
	struct search *s = scratch(o);
	vec_clear(&s->edges);
	vec_clear(&s->reasons);
	vec_clear(&s->ways);
	vec_clear(&s->clauses);
	map_release(&s->known);
	s->steps = 0;
	s->budget = q->budget ? q->budget : BUDGET;
	s->explain = q->explain;
	s->whole = whole;
	bool holds = true;
	for (uint32_t i = 0; i < q->reach_count && holds; i++)
		if (q->reach[i].at)
			holds = edge_put(s, (struct edge){ node_of(o, q->reach[i].thread, q->reach[i].at - 1), END }, 0);
	for (uint32_t i = 0; i < q->limit_count && holds; i++) {
		uint32_t n = node_of(o, q->limit[i].thread, q->limit[i].at);
		holds = n == NONE || edge_put(s, (struct edge){ END, n }, 0);
	}
	for (uint32_t i = 0; i < more_count && holds; i++)
		holds = edge_put(s, more[i], 0);
	size_t given = s->edges.count;
	enum order_answer answer = holds ? split(s, 0) : ORDER_NO;
	if (answer == ORDER_UNKNOWN)
		answer = by_solver(s, given);
	if (answer == ORDER_YES && q->witness)
		witness_is(s, q->witness, (uint32_t)o->nodes.count);
	return answer;
}

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
	struct search *s = scratch(o);
	uint32_t all = (uint32_t)o->nodes.count, tail = meeting_point(s, w);
	vec_clear(&s->edges);
	for (;;) {
		state_at(s, w->head);
		for (uint32_t i = 0; i < w->count; i++)
			go(s, w->node[i]);
		memset(s->front, 0, o->thread_count * sizeof *s->front);
		front_at(o, s->front, tail);
		if (complete(s, s->front) && (tail == all || signals_kept(s, tail))) {
			witness_is(s, w, tail);
			return true;
		}
		if (tail == all)
			return false;
		tail = all - tail < 8 * (tail - w->head + 8) ? all : tail + 8 * (tail - w->head + 8);   /* room for what is still held */
	}
}

/* ---- in words ---- */

static void explain_node(struct search *s, uint32_t id)
{
	char where[160];
	if (id == END) {
		fputs("the end of what is asked for", s->explain);
		return;
	}
	const struct node *n = &s->order->nodes.at[id];
	fprintf(s->explain, "%s of %s", event_word((enum event_kind)n->kind), trace_thread(s->order->trace, (struct thread_id){ n->thread })->path);
	if (n->place && n->place->file[0]) {
		const char *slash = strrchr(n->place->file, '/');
		snprintf(where, sizeof where, "%s:%u", slash ? slash + 1 : n->place->file, n->place->line);
		fprintf(s->explain, " at %s", where);
	} else {
		fprintf(s->explain, " (its event %llu)", (unsigned long long)(n->key / 2 + 1));
	}
}

static void explain_clause(struct search *s, uint32_t clause, const char *what, const struct way *w)
{
	static const char *const rules[] = { "sections of a lock do not overlap", "a semaphore is taken when it was posted",
		"a wait ends when it is signalled" };
	if (!s->explain)
		return;
	const struct clause *c = &s->clauses.at[clause];
	fprintf(s->explain, "  %s: ", rules[c->rule]);
	explain_node(s, c->rule == RULE_LOCK ? s->order->sections.at[c->about[0]].take : c->about[0]);
	if (c->rule == RULE_LOCK) {
		fputs(" and ", s->explain);
		explain_node(s, s->order->sections.at[c->about[1]].take);
	}
	fprintf(s->explain, ": %s", what);
	for (uint32_t i = 0; w && i < w->count; i++) {
		fputs(i ? " and " : " ", s->explain);
		explain_node(s, w->edge[i].from);
		fputs(" before ", s->explain);
		explain_node(s, w->edge[i].to);
	}
	putc('\n', s->explain);
}
