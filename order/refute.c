/* order/refute.c -- see refute.h.  An event is written PATH:N, the N-th of its thread; PATH:0 is in front of its first. */
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
	*vec_add(&p->steps) = (struct proof_step){ STEP_LEARN, from, (uint32_t)p->literals.count };
}

void proof_clear(struct proof *p)
{
	if (p)
		p->steps.count = p->literals.count = 0;
}

void proof_release(struct proof *p)
{
	vec_release(&p->steps);
	vec_release(&p->literals);
}

/* ---- writing ---- */

/* Clauses are rules, numbered as they are; assumed: ways. */
struct pen { const struct search *s; FILE *out; VEC(uint32_t) assumed; };

static void put_event(const struct order *o, FILE *out, uint32_t node)
{
	const struct node *n = &o->nodes.at[node];
	uint64_t number = n->key & 1 ? n->key / 2 + 1 : n->at ? n->key / 2 + 1 : 0;
	fprintf(out, " %s:%" PRIu64, trace_thread(o->trace, (struct thread_id){ n->thread })->path, number);
}

static uint32_t clause_of(const struct search *s, uint32_t way)
{
	size_t low = 0, high = s->clauses.count;        /* the last that begins at or before it */
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (s->clauses.at[middle].first <= way)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static void put_rule(const struct search *s, const struct clause *c, FILE *out)
{
	static const char *const words[] = { "lock", "sem", "cond", "read" };
	const struct order *o = s->order;
	fprintf(out, "rule %s", words[c->rule]);
	put_event(o, out, c->rule == RULE_LOCK ? o->sections.at[c->about[0]].take : c->about[0]);
	if (c->rule == RULE_LOCK)
		put_event(o, out, o->sections.at[c->about[1]].take);
	for (uint32_t t = 0; c->rule == RULE_SEM && t < o->thread_count; t++)
		if (s->fronts.at[c->about[1] + t])
			put_event(o, out, node_of(o, t, s->fronts.at[c->about[1] + t] - 1));
	putc('\n', out);
}

static void put_way(const struct pen *p, bool holds, uint32_t way)
{
	uint32_t c = clause_of(p->s, way);
	fprintf(p->out, " %s%" PRIu32 ".%" PRIu32, holds ? "" : "-", c + 1, way - p->s->clauses.at[c].first + 1);
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
		put_way(p, false, p->assumed.at[i]);
	if (step->kind == STEP_FORCE || step->kind == STEP_FALSE)
		put_way(p, step->kind == STEP_FORCE, step->way);
	for (uint32_t i = step->way; step->kind == STEP_LEARN && i < step->end; i++) {
		int literal = proof->literals.at[i];
		put_way(p, literal > 0, (uint32_t)(literal < 0 ? -literal : literal) - 1);
	}
	putc('\n', p->out);
	if (step->kind == STEP_CLOSED && p->assumed.count)
		p->assumed.count--;
}

static void put_proof(const struct search *s, const struct proof *proof, FILE *out)
{
	struct pen p = { .s = s, .out = out };
	for (size_t i = 0; i < s->clauses.count; i++)
		put_rule(s, &s->clauses.at[i], out);
	for (size_t i = 0; i < proof->steps.count; i++)
		put_step(&p, proof, &proof->steps.at[i]);
	vec_release(&p.assumed);
}

enum order_answer order_refute(struct order *o, const struct question *q, FILE *out)
{
	struct proof proof = { 0 };
	struct question again = *q;
	check(!o->weak);
	again.witness = NULL;
	again.explain = NULL;
	enum order_answer answer = ask_proof(o, &again, &proof);
	if (answer == ORDER_NO && !proof.steps.count)
		fputs("learn\n", out);                          /* by threads and synchronisation alone */
	else if (answer == ORDER_NO)
		put_proof(o->search, &proof, out);
	proof_release(&proof);
	return answer;
}
