/* order/search.c -- the questions near.c leaves open: saturation and case split over rules as they are run into (search.h). */
#include <stdlib.h>
#include <string.h>

#include "order/search.h"

#define BUDGET 200000u          /* steps of case split before choose.c takes over */
#define CLOSED_MOST 65536u      /* questions whose no is kept */
#define KEY_EDGES 8u            /* of those that ask for so many edges at most */

struct search *search_of(struct order *o)
{
	if (o->search)
		return o->search;
	struct search *s = o->search = mem_take(sizeof *s);
	size_t bytes = (o->thread_count + 1) * sizeof *s->front;
	s->order = o;
	s->front = mem_take(bytes);
	s->done = mem_take(bytes);
	s->limit = mem_take(bytes);
	s->come = mem_take(bytes);
	s->waited = mem_take(bytes);
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
	vec_release(&s->now);
	vec_release(&s->seen);
	vec_release(&s->todo);
	vec_release(&s->led_to);
	vec_release(&s->led_next);
	vec_release(&s->row);
	heap_release(&s->ready);
	vec_release(&s->blocked);
	vec_release(&s->lock_holder);
	vec_release(&s->lock_readers);
	vec_release(&s->touched);
	vec_release(&s->sem_value);
	vec_release(&s->fronts);
	vec_release(&s->signal_at);
	names_release(&s->closed);
	vec_release(&s->why);
	mem_free(s->front);
	mem_free(s->done);
	mem_free(s->limit);
	mem_free(s->come);
	mem_free(s->waited);
	mem_free(s);
}

/* Goes on until the answer is known under the edges there are. */
static enum order_answer split(struct search *s, unsigned depth)
{
	for (;;) {
		uint32_t open;
		if (s->steps > s->budget || order_stopped(s->order))
			return ORDER_UNKNOWN;
		if (!search_saturate(s, &open))
			return ORDER_NO;
		if (open == NONE) {
			if (search_lay(s))
				return ORDER_YES;
			continue;
		}
		if (depth > 4000)
			return ORDER_UNKNOWN;
		size_t edges = s->edges.count;
		struct clause c = s->clauses.at[open];
		bool unsure = false;
		for (uint32_t i = c.first; i < c.first + c.count; i++) {
			struct way w = s->ways.at[i];
			if (search_way_truth(s, &w) == FALSE) {
				proof_step(s->proof, STEP_FALSE, i);
				continue;
			}
			FILE *explain = s->explain;
			s->explain = NULL;
			proof_step(s->proof, STEP_CASE, i);
			enum order_answer answer = ORDER_NO;
			if (search_way_take(s, &w, NONE))
				answer = split(s, depth + 1);
			else
				proof_step(s->proof, STEP_CLOSED, 0);
			s->explain = explain;
			if (answer == ORDER_YES)
				return ORDER_YES;
			unsure |= answer == ORDER_UNKNOWN;
			s->edges.count = s->reasons.count = edges;
			if (unsure)
				return ORDER_UNKNOWN;
			/* That way is closed: its contrary holds, if it is one edge. */
			if (w.count == 1 && !search_edge(s, (struct edge){ w.edge[0].to, w.edge[0].from }, open + 1))
				break;
			edges = s->edges.count;
		}
		search_explain(s, open, "closed in every case", NULL);
		proof_step(s->proof, STEP_CLOSED, 0);
		return ORDER_NO;
	}
}

void search_witness(const struct search *s, struct witness *w, uint32_t tail)
{
	w->head = s->cut;
	w->tail = tail;
	w->count = (uint32_t)s->row.count;
	w->node = mem_resize(w->node, (s->row.count + 1) * sizeof *w->node);
	if (s->row.count)
		memcpy(w->node, s->row.at, s->row.count * sizeof *w->node);
}

/* ---- the same question once more ----  Accesses between the same events of synchronisation ask for the same edges: a loop's thousands are few questions.
 * A no is one for good; only what needs a row (yes), writes down a proof or asks for values is searched again. */

struct key { char text[KEY_EDGES * 20 + 8]; size_t length; };

static bool key_of(const struct search *s, const struct asked *asked, struct key *k)
{
	k->length = 0;
	if (asked->read || asked->proof || s->edges.count > KEY_EDGES)
		return false;
	for (size_t i = 0; i < s->edges.count; i++)
		k->length += (size_t)snprintf(k->text + k->length, sizeof k->text - k->length, "%x>%x ", s->edges.at[i].from, s->edges.at[i].to);
	k->text[k->length++] = s->whole ? 'w' : '.';
	return true;
}

static bool was_closed(struct search *s, const struct key *k)
{
	uint32_t number = names_get(&s->closed, k->text, k->length);
	if (number == NO_NAME || (s->explain && !s->why.at[number]))
		return false;
	if (s->explain)
		fputs(s->why.at[number], s->explain);
	return true;
}

static void keep_closed(struct search *s, const struct key *k, const char *why)
{
	if (s->closed.count >= CLOSED_MOST)
		return;
	uint32_t number = names_put(&s->closed, k->text, k->length);
	while (s->why.count <= number)
		vec_push(&s->why, NULL);
	if (why)
		s->why.at[number] = arena_text(&s->closed.arena, why, strlen(why));
}

static enum order_answer search_on(struct search *s, size_t given)
{
	enum order_answer answer = split(s, 0);
	if (answer == ORDER_UNKNOWN && s->order->conds.count && !s->proof && !s->read)
		answer = search_states(s, given);
	return answer == ORDER_UNKNOWN ? search_by_solver(s, given) : answer;
}

/* Searches with what is explained kept, if it is to be. */
static enum order_answer search_once(struct search *s, size_t given, const struct key *k)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *explain = s->explain;
	if (explain && !(s->explain = open_memstream(&text, &bytes)))
		s->explain = explain;
	enum order_answer answer = search_on(s, given);
	if (s->explain != explain) {
		fclose(s->explain);
		fputs(text, explain);
		s->explain = explain;
	}
	if (answer == ORDER_NO)
		keep_closed(s, k, text);
	free(text);
	return answer;
}

enum order_answer search_ask(struct order *o, const struct question *q, const struct asked *asked)
{
	struct search *s = search_of(o);
	struct key key;
	vec_clear(&s->edges);
	vec_clear(&s->reasons);
	vec_clear(&s->ways);
	vec_clear(&s->clauses);
	vec_clear(&s->fronts);
	map_release(&s->known);
	s->proof = asked->proof;
	s->steps = 0;
	s->budget = q->budget ? q->budget : BUDGET;
	s->explain = q->explain;
	s->whole = asked->whole;
	s->read = asked->read;
	s->guessed = s->torn = s->by_solver = false;
	bool holds = true;
	for (uint32_t i = 0; i < q->reach_count && holds; i++)
		if (q->reach[i].at)
			holds = search_edge(s, (struct edge){ node_of(o, q->reach[i].thread, q->reach[i].at - 1), END }, 0);
	for (uint32_t i = 0; i < q->limit_count && holds; i++) {
		uint32_t n = node_of(o, q->limit[i].thread, q->limit[i].at);
		holds = n == NONE || search_edge(s, (struct edge){ END, n }, 0);
	}
	for (uint32_t i = 0; i < asked->more_count && holds; i++)
		holds = search_edge(s, asked->more[i], 0);
	if (!holds) {
		search_explain_given(s);
		proof_step(s->proof, STEP_CLOSED, 0);
	}
	size_t given = s->edges.count;
	bool kept = holds && key_of(s, asked, &key);
	if (kept && was_closed(s, &key))
		return ORDER_NO;
	enum order_answer answer = !holds ? ORDER_NO : kept ? search_once(s, given, &key) : search_on(s, given);
	o->spent += s->steps;
	if (answer == ORDER_NO && (s->torn || (s->guessed && !asked->read->bold)))
		answer = ORDER_UNKNOWN;
	if (answer == ORDER_YES && q->witness)
		search_witness(s, q->witness, (uint32_t)o->nodes.count);
	return answer;
}
