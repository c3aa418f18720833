/* order/refute.c -- see refute.h.  An event is written THREAD:N, the N-th of that thread; THREAD:0 is in front of its first. */
#include "order/refute.h"

#include <inttypes.h>
#include <stdio.h>

#include "order/search.h"

void proof_step(struct proof *p, enum step_kind kind, uint32_t way)
{
	if (p)
		*vec_add(&p->steps) = (struct proof_step){ (uint8_t)kind, way, 0 };
}

void proof_literal(struct proof *p, int literal)
{
	if (p)
		vec_push(&p->literals, literal);
}

void proof_learn(struct proof *p)
{
	if (!p)
		return;
	const struct proof_step *last = p->steps.count ? &p->steps.at[p->steps.count - 1] : NULL;
	uint32_t from = last && last->kind == STEP_LEARN ? last->end : 0;       /* literals are of SAT alone, which comes last */
	if (last && last->kind == STEP_LEARN && last->way == last->end)         /* without literals: nothing comes behind it */
		return;
	*vec_add(&p->steps) = (struct proof_step){ STEP_LEARN, from, (uint32_t)p->literals.count };
}

void proof_clear(struct proof *p)
{
	if (p)
		p->steps.count = p->literals.count = 0;
}

static void proof_release(struct proof *p)
{
	vec_release(&p->steps);
	vec_release(&p->literals);
}

/* ---- writing ---- */

/* assumed: ways, which are numbered as the search has them. */
struct pen { FILE *out; VEC(uint32_t) assumed; };

static void put_event(const struct order *o, FILE *out, uint32_t node)
{
	const struct node *n = &o->nodes.at[node];
	uint64_t number = n->key & 1 ? n->key / 2 + 1 : n->at ? n->key / 2 + 1 : 0;
	fprintf(out, " %" PRIu32 ":%" PRIu64, n->thread % o->own_count, number);
}

/* The read a rule is about: END is the one asked about. */
static uint32_t reader_of(const struct search *s, const struct clause *c)
{
	return c->about[0] == END ? s->read->read : c->about[0];
}

/* Which byte of the read, and the write that is wrong, if it is not the first value. */
static void put_rule_read(const struct search *s, const struct clause *c, FILE *out)
{
	const struct order *o = s->order;
	uint32_t reader = reader_of(s, c), i = o->nodes.at[reader].access;
	while (!o->accesses.at[i].reads)
		i++;
	put_event(o, out, reader);
	fprintf(out, " %" PRIu64, c->byte - o->accesses.at[i].address);
	if (c->about[1] != NONE)
		put_event(o, out, c->about[1]);
	putc('\n', out);
}

static void put_rule(const struct search *s, const struct clause *c, FILE *out)
{
	static const char *const words[] = { "lock", "sem", "cond", "read" };
	const struct order *o = s->order;
	fputs(words[c->rule], out);
	if (c->rule == RULE_READ) {
		put_rule_read(s, c, out);
		return;
	}
	put_event(o, out, c->rule == RULE_LOCK ? o->sections.at[c->about[0]].take : c->about[0]);
	if (c->rule == RULE_LOCK)
		put_event(o, out, o->sections.at[c->about[1]].take);
	for (uint32_t t = 0; c->rule == RULE_SEM && t < o->own_count; t++)
		if (s->fronts.at[c->about[1] + t])
			put_event(o, out, node_of(o, t, s->fronts.at[c->about[1] + t] - 1));
	putc('\n', out);
}

static void put_way(FILE *out, bool holds, uint32_t way)
{
	fprintf(out, " %s%" PRIu32, holds ? "" : "-", way + 1);
}

/* One clause: not all that is assumed, or what follows from it. */
static void put_step(struct pen *p, const struct proof *proof, const struct proof_step *step)
{
	if (step->kind == STEP_CASE) {
		vec_push(&p->assumed, step->way);
		return;
	}
	fputs("learn", p->out);
	for (size_t i = 0; i < p->assumed.count; i++)
		put_way(p->out, false, p->assumed.at[i]);
	if (step->kind == STEP_FORCE || step->kind == STEP_FALSE)
		put_way(p->out, step->kind == STEP_FORCE, step->way);
	for (uint32_t i = step->way; step->kind == STEP_LEARN && i < step->end; i++) {
		int literal = proof->literals.at[i];
		put_way(p->out, literal > 0, (uint32_t)(literal < 0 ? -literal : literal) - 1);
	}
	putc('\n', p->out);
	if (step->kind == STEP_CLOSED && p->assumed.count)
		p->assumed.count--;
}

static void put_proof(const struct search *s, const struct proof *proof, FILE *out)
{
	struct pen p = { .out = out };
	for (size_t i = 0; i < s->clauses.count; i++) {
		const struct clause *c = &s->clauses.at[i];
		put_rule(s, c, out);
		if (c->count)
			fprintf(out, "# ways %" PRIu32 " to %" PRIu32 "\n", c->first + 1, c->first + c->count);
	}
	for (size_t i = 0; i < proof->steps.count; i++)
		put_step(&p, proof, &proof->steps.at[i]);
	vec_release(&p.assumed);
}

struct must_pen { const struct order *o; FILE *out; bool lives; };      /* lives: one rests on a lock that has more than one */

/* Has a lock that lay, or lies, here more than one life?  The format has no rule for such (docs/refutation-format.md). */
static bool lives_at(const struct order *o, uint64_t address)
{
	for (size_t i = 0; (o->lives || o->robust) && i < o->locks.count; i++)
		if (o->locks.at[i].address == address && (o->locks.at[i].again || o->locks.at[i].robust))
			return true;
	return false;
}

static void put_must(void *with, uint32_t from, uint32_t to)
{
	struct must_pen *p = with;
	const struct node *tries[] = { &p->o->nodes.at[from], &p->o->nodes.at[to] };
	for (int i = 0; i < 2; i++)
		p->lives |= tries[i]->kind == EV_TRYFAIL && lives_at(p->o, tries[i]->address);
	fputs("must", p->out);
	put_event(p->o, p->out, from);
	put_event(p->o, p->out, to);
	putc('\n', p->out);
}

/* What the claim and the rules rest on: all that two threads do for each other by which the events of these are ordered.
 * False: one of them has no rule. */
static bool put_musts(struct order *o, const struct question *q, const struct asked *how, const struct search *s, FILE *out)
{
	VEC(uint32_t) nodes = { 0 };
	struct map seen = { 0 };
	uint32_t n = NONE;
	bool fresh;
#define NAMED(node) if ((n = (node)) < o->nodes.count && (map_put(&seen, n, &fresh), fresh)) vec_push(&nodes, n)
	for (uint32_t i = 0; i < q->reach_count; i++)
		NAMED(q->reach[i].at ? node_of(o, q->reach[i].thread, q->reach[i].at - 1) : NONE);
	for (uint32_t i = 0; i < q->limit_count; i++)
		NAMED(node_of(o, q->limit[i].thread, q->limit[i].at));
	for (uint32_t i = 0; i < 2 * how->more_count; i++)
		NAMED(i & 1 ? how->more[i / 2].to : how->more[i / 2].from);
	for (size_t i = 0; s && i < s->ways.count; i++)
		for (uint32_t k = 0; k < 2 * s->ways.at[i].count; k++)
			NAMED(k & 1 ? s->ways.at[i].edge[k / 2].to : s->ways.at[i].edge[k / 2].from);
#undef NAMED
	struct must_pen pen = { o, out, false };
	order_because(o, nodes.at, nodes.count, put_must, &pen);
	vec_release(&nodes);
	map_release(&seen);
	return !pen.lives;
}

/* Rests it on a lock or semaphore that has? */
static bool has_lives(const struct search *s)
{
	const struct order *o = s->order;
	bool lives = false;
	for (size_t i = 0; i < s->clauses.count && !lives; i++) {
		const struct clause *c = &s->clauses.at[i];
		lives = (c->rule == RULE_LOCK && lives_at(o, o->locks.at[o->sections.at[c->about[0]].lock].address)) ||
			(c->rule == RULE_SEM && o->sems.at[o->nodes.at[c->about[0]].object].again);
	}
	return lives;
}

/* How the no to `q` was come to; the claim is written, or is by `put_claim`, once it is one. */
static enum order_answer refute(struct order *o, const struct question *q, const struct asked *how, FILE *out,
	void (*put_claim)(const struct search *s, const struct asked *how, FILE *out))
{
	struct proof proof = { 0 };
	struct question again = *q;
	struct asked asked = *how;
	again.witness = NULL;
	again.explain = out ? NULL : q->explain;
	asked.proof = out ? &proof : NULL;
	enum order_answer answer = ask_proof(o, &again, &asked);
	if (!out)
		return answer;
	if (answer == ORDER_NO && proof.steps.count && has_lives(o->search))
		answer = ORDER_UNKNOWN;
	if (answer == ORDER_NO && put_claim)
		put_claim(search_of(o), &asked, out);
	if (answer == ORDER_NO && !put_musts(o, q, &asked, proof.steps.count ? o->search : NULL, out))
		answer = ORDER_UNKNOWN;
	if (answer == ORDER_NO && !proof.steps.count)
		fputs("learn\n", out);                          /* by threads and synchronisation alone */
	else if (answer == ORDER_NO)
		put_proof(o->search, &proof, out);
	proof_release(&proof);
	return answer;
}

enum order_answer order_refute(struct order *o, const struct question *q, FILE *out)
{
	return refute(o, q, &(struct asked){ 0 }, out, NULL);
}

enum order_answer order_refute_cycle(struct order *o, const struct order_stuck *cycle, FILE *out)
{
	for (uint32_t i = 0; i < cycle->count; i++) {
		const struct node *n = &o->nodes.at[node_of(o, cycle->spot[i].thread, cycle->spot[i].at)];
		uint64_t number = n->key / 2 + 1;
		fprintf(out, "before %" PRIu32 ":%" PRIu64 " END\nbefore END %" PRIu32 ":%" PRIu64 "\n", n->thread, number, n->thread, number);
	}
	return order_refute(o, &(struct question){ .reach = cycle->spot, .reach_count = cycle->count,
		.limit = cycle->spot, .limit_count = cycle->count }, out);
}

/* ---- all of the run, turned round ---- */

enum order_answer order_refute_whole(struct order *o, struct stand a, struct stand b, FILE *out, FILE *explain)
{
	struct spot *ends = mem_take((o->thread_count + 1) * sizeof *ends);
	struct edge turned[4];
	uint32_t count = turned_edges(o, &a, &b, turned);
	enum order_answer answer = ORDER_UNKNOWN;
	for (uint32_t t = 0; t < o->thread_count; t++)
		ends[t] = (struct spot){ t, (uint32_t)o->threads[t].node.count };
	struct question q = { .reach = ends, .reach_count = o->thread_count, .explain = explain };
	if (count)
		answer = refute(o, &q, &(struct asked){ .more = turned, .more_count = count, .whole = true }, out, NULL);
	mem_free(ends);
	return answer;
}

/* ---- what a read returns ---- */

/* The read at END, what it is to return, and those reads that must keep theirs for it not to be. */
static void put_claim_reads(const struct search *s, const struct asked *how, FILE *out)
{
	const struct order *o = s->order;
	const struct order_read *q = how->read;
	bool *kept = mem_take(o->nodes.count + 1);
	fputs("before", out);
	put_event(o, out, q->read);
	fputs(" END\nbefore END", out);
	put_event(o, out, q->read);
	fputs(q->value ? "\nvalue" : "\nfrom", out);
	put_event(o, out, q->read);
	if (q->value) {
		uint32_t i = o->nodes.at[q->read].access;
		while (!o->accesses.at[i].reads)
			i++;
		putc(' ', out);
		for (uint32_t k = 0; k < o->accesses.at[i].size && k < 16; k++)
			fprintf(out, "%02x", q->value[k]);
	} else {
		put_event(o, out, q->from);
	}
	putc('\n', out);
	for (size_t i = 0; i < s->clauses.count; i++) {
		const struct clause *c = &s->clauses.at[i];
		if (c->rule != RULE_READ || c->about[0] == END || kept[c->about[0]])
			continue;
		kept[c->about[0]] = true;
		fputs("keep", out);
		put_event(o, out, c->about[0]);
		putc('\n', out);
	}
	mem_free(kept);
}

enum order_answer order_refute_reads(struct order *o, const struct order_read *q, FILE *out)
{
	struct spot at = { o->nodes.at[q->read].thread, o->nodes.at[q->read].at };
	struct question question = { .reach = &at, .reach_count = 1, .limit = &at, .limit_count = 1, .budget = q->budget };
	struct edge before;
	uint32_t count = reads_before(o, q, &before);
	struct order_read careful = *q;
	careful.bold = false;                   /* the checker takes nothing for granted */
	if (o->model != ORDER_SC)
		fprintf(out, "model %s\n", o->model == ORDER_TSO ? "tso" : "pso");
	return refute(o, &question, &(struct asked){ .more = &before, .more_count = count, .read = &careful }, out, put_claim_reads);
}
