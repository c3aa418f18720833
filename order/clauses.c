/* order/clauses.c -- what comes before what by edges and must-order, rules as clauses, and what they force.
 * Cost of one reach(): edges^2, they are few. */
#include <stdio.h>
#include <string.h>

#include "order/search.h"
#include "trace/objects.h"

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

bool search_edge(struct search *s, struct edge e, uint32_t reason)
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

struct clause *clause_begin(struct search *s, enum rule rule, uint32_t a, uint32_t b)
{
	struct clause *c = vec_add(&s->clauses);
	*c = (struct clause){ .first = (uint32_t)s->ways.count, .rule = (uint8_t)rule, .about = { a, b } };
	return c;
}

void way_add(struct search *s, uint32_t from, uint32_t to)
{
	if (from == NONE || to == NONE || (from == END && s->whole && !s->proof))       /* a refutation counts all ways */
		return;
	*vec_add(&s->ways) = (struct way){ { { from, to } }, 1 };
	s->clauses.at[s->clauses.count - 1].count++;
}

void way_add_two(struct search *s, uint32_t from, uint32_t by, uint32_t to)
{
	*vec_add(&s->ways) = (struct way){ { { from, by }, { by, to } }, 2 };
	s->clauses.at[s->clauses.count - 1].count++;
}

/* Two sections of a lock: one is over before the other begins, unless one of them does not begin. */
bool clause_lock(struct search *s, uint32_t i, uint32_t j)
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
bool clause_sem(struct search *s, uint32_t wait)
{
	const struct order *o = s->order;
	const struct sem *sem = &o->sems.at[o->nodes.at[wait].object];
	clause_begin(s, RULE_SEM, wait, (uint32_t)s->fronts.count);
	for (uint32_t t = 0; t < o->thread_count; t++)
		vec_push(&s->fronts, s->done[t]);
	way_add(s, END, wait);
	for (size_t i = 0; s->proof && i < sem->nodes.count; i++) {     /* a refutation has them all: there is nothing to look for in them */
		const struct node *n = &o->nodes.at[sem->nodes.at[i]];
		bool done = n->at < s->done[n->thread], own = n->thread == o->nodes.at[wait].thread;
		if (!own && n->op == OP_SPOST && !done)
			way_add(s, sem->nodes.at[i], wait);
		if (!own && n->op == OP_SWAIT && done)
			way_add(s, wait, sem->nodes.at[i]);
	}
	for (uint32_t t = 0; !s->proof && t < o->thread_count; t++) {
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

static bool is_signal(const struct node *n)
{
	return n->op == OP_SIGNAL || n->op == OP_BROADCAST;
}

/* How many waits of its thread were signalled up to this one; 0: they are not one behind the other. */
static uint32_t signalled_waits(const struct order *o, const struct cond *c, uint32_t wake)
{
	uint32_t many = 0, last = NONE;
	for (size_t i = 0; i < c->nodes.count && c->nodes.at[i] <= wake; i++) {
		const struct node *n = &o->nodes.at[c->nodes.at[i]];
		if (n->thread != o->nodes.at[wake].thread || n->op != OP_CWAKE || n->other == NONE)
			continue;
		if (last != NONE && n->other < last)
			return 0;
		last = c->nodes.at[i];
		many++;
	}
	return many;
}

/* Waits of one thread are one behind the other, so each has a signal of its own.  If only one other thread signals, the k-th of them ends behind
 * the k-th signal.  This follows from what clause_cond() says, by counting, which a solver is bad at. */
static void clause_counted(struct search *s, uint32_t wake)
{
	const struct order *o = s->order;
	const struct cond *c = &o->conds.at[o->nodes.at[wake].object];
	uint32_t k = signalled_waits(o, c, wake), by = NONE, signal = NONE, seen = 0;
	for (size_t i = 0; k && i < c->nodes.count; i++) {
		const struct node *n = &o->nodes.at[c->nodes.at[i]];
		if (!is_signal(n) || n->thread == o->nodes.at[wake].thread)
			continue;
		if (by != NONE && by != n->thread)
			return;
		by = n->thread;
		if (++seen == k)
			signal = c->nodes.at[i];
	}
	if (signal == NONE)
		return;
	clause_begin(s, RULE_COND, wake, NONE);
	way_add(s, END, wake);
	way_add(s, signal, wake);
}

/* A wait that was signalled: some signal comes between wait and wake. */
bool clause_cond(struct search *s, uint32_t wake)
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
		if (!is_signal(&o->nodes.at[n]))
			continue;
		if (n == wait || (!s->proof && (must(o, n, wait) || must(o, wake, n))))         /* a refutation counts all ways */
			continue;
		way_add_two(s, wait, n, wake);
	}
	if (!s->proof)                          /* a checker of refutations knows the rules, not what follows from them */
		clause_counted(s, wake);
	return true;
}

/* ---- saturation ---- */

enum truth search_way_truth(struct search *s, const struct way *w)
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

bool search_way_take(struct search *s, const struct way *w, uint32_t reason)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (!search_edge(s, w->edge[i], reason))
			return false;
	return true;
}

/* The one open way, or NONE; *open counts them; UINT32_MAX there: the clause holds. */
static uint32_t clause_ways(struct search *s, const struct clause *c, uint32_t *open)
{
	uint32_t one = NONE;
	*open = 0;
	for (uint32_t i = c->first; i < c->first + c->count; i++) {
		enum truth truth = search_way_truth(s, &s->ways.at[i]);
		if (truth == TRUE) {
			*open = UINT32_MAX;
			return i;
		}
		if (truth == OPEN && !(*open)++)
			one = i;
	}
	return one;
}

/* The ways of a clause that are closed by now, for the refutation. */
static void keep_closed(struct search *s, const struct clause *c)
{
	for (uint32_t i = c->first; s->proof && i < c->first + c->count; i++)
		if (search_way_truth(s, &s->ways.at[i]) == FALSE)
			proof_step(s->proof, STEP_FALSE, i);
}

/* True: nothing is contradicted.  *split: a clause with two open ways, or NONE. */
bool search_saturate(struct search *s, uint32_t *split)
{
	for (bool again = true; again;) {
		again = false;
		*split = NONE;
		for (uint32_t c = 0; c < s->clauses.count; c++) {
			uint32_t open, one = clause_ways(s, &s->clauses.at[c], &open);
			if (open == UINT32_MAX)
				continue;
			if (open <= 1)
				keep_closed(s, &s->clauses.at[c]);
			if (!open) {
				search_explain(s, c, "closed", NULL);
				proof_step(s->proof, STEP_CLOSED, 0);
				return false;
			}
			if (open == 1) {
				search_explain(s, c, "forces", &s->ways.at[one]);
				proof_step(s->proof, STEP_FORCE, one);
				if (!search_way_take(s, &s->ways.at[one], c + 1)) {
					proof_step(s->proof, STEP_CLOSED, 0);
					return false;
				}
				again = true;
			} else if (*split == NONE) {
				*split = c;
			}
		}
	}
	return true;
}

/* ---- in words ---- */

void node_explain(const struct order *o, uint32_t id, FILE *out)
{
	char where[160];
	const struct node *n = &o->nodes.at[id];
	fprintf(out, "%s of %s", node_word(n->kind, n->address), trace_thread(o->trace, (struct thread_id){ n->thread % o->own_count })->path);
	if (n->place && n->place->file[0]) {
		const char *slash = strrchr(n->place->file, '/');
		snprintf(where, sizeof where, "%s:%u", slash ? slash + 1 : n->place->file, n->place->line);
		fprintf(out, " at %s", where);
	} else {
		fprintf(out, " (its event %llu)", (unsigned long long)(n->key / 2 + 1));
	}
}

static void explain_node(struct search *s, uint32_t id)
{
	if (id == END)
		fputs("the end of what is asked for", s->explain);
	else
		node_explain(s->order, id, s->explain);
}

void search_explain_given(struct search *s)
{
	if (s->explain)
		fputs("  threads and synchronisation: what is asked for is in no order\n", s->explain);
}

void search_explain(struct search *s, uint32_t clause, const char *what, const struct way *w)
{
	static const char *const rules[] = { "sections of a lock do not overlap", "a semaphore is taken when it was posted",
		"a wait ends when it is signalled", "a read returns what was written last" };
	if (!s->explain)
		return;
	const struct clause *c = &s->clauses.at[clause];
	bool pipe = c->rule == RULE_SEM && c->about[0] != END && handed_by_pipe(s->order->nodes.at[c->about[0]].address);
	fprintf(s->explain, "  %s: ", pipe ? "what is read from a pipe was written before" : rules[c->rule]);
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
