/* order/solve.c -- see solve.h.
 *   (1) clock[n * chains + c]: how many nodes of chain c come at or before n by edges that must hold;
 *   (2) a variable that is false imposes nothing: clauses of the question are positive, those of cycles negative;
 *   (3) a cycle is shortened by must-order before it is forbidden, so that each clause closes many.
 * Cost: nodes x chains for clocks, then rounds of (SAT, one depth-first search). */
#include "order/solve.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "order/inside.h"
#include "order/refute.h"

#define ROUND_CYCLES   2000u
#define CONFLICTS_MOST 20000            /* of one round; what needs more is too hard: its answer is not known */

struct solve_way { struct edge edge[2]; uint32_t count, clause; uint8_t state; };      /* state: enum truth below */
enum { OPEN, HOLDS, FAILS };

struct solve {
	uint32_t chains, node_count;
	uint32_t *last;                         /* of each chain + 1 */
	VEC(uint32_t) chain, place;             /* of a node: its chain, its number there */
	VEC(struct edge) edges;                 /* must hold */
	VEC(struct solve_way) ways;
	VEC(uint32_t) clauses;                  /* first way of each */
	uint32_t *clock;
	uint8_t *chosen;
	uint64_t work;                          /* edges and ways looked at */
	struct proof *proof;
	bool (*goes_on)(void *with);            /* or NULL */
	void *with;
	/* one graph */
	uint32_t *first, *to, *by;              /* edges of a node: to[first[n]..first[n+1]), by: way + 1 or 0 */
};

struct solve *solve_new(uint32_t chains)
{
	struct solve *s = mem_take(sizeof *s);
	s->chains = chains;
	s->last = mem_take((chains + 1) * sizeof *s->last);
	return s;
}

uint32_t solve_node(struct solve *s, uint32_t chain)
{
	uint32_t id = s->node_count++;
	check(chain < s->chains);
	uint32_t place = s->last[chain] ? s->place.at[s->last[chain] - 1] + 1 : 0;
	vec_push(&s->chain, chain);
	vec_push(&s->place, place);
	if (s->last[chain])
		solve_edge(s, s->last[chain] - 1, id);
	s->last[chain] = id + 1;
	return id;
}

void solve_edge(struct solve *s, uint32_t from, uint32_t to)
{
	vec_push(&s->edges, ((struct edge){ from, to }));
}

void solve_clause(struct solve *s)
{
	vec_push(&s->clauses, (uint32_t)s->ways.count);
}

uint32_t solve_way(struct solve *s, uint32_t from, uint32_t to)
{
	check(s->clauses.count && from < s->node_count && to < s->node_count);
	*vec_add(&s->ways) = (struct solve_way){ { { from, to } }, 1, (uint32_t)s->clauses.count - 1, OPEN };
	return (uint32_t)(s->ways.count - 1);
}

void solve_way_more(struct solve *s, uint32_t from, uint32_t to)
{
	struct solve_way *w = &s->ways.at[s->ways.count - 1];
	check(w->count == 1);
	w->edge[w->count++] = (struct edge){ from, to };
}

void solve_keep(struct solve *s, struct proof *proof)
{
	s->proof = proof;
}

void solve_watch(struct solve *s, bool (*goes_on)(void *with), void *with)
{
	s->goes_on = goes_on;
	s->with = with;
}

/* For CaDiCaL: is it to stop? */
static int stops(void *with)
{
	const struct solve *s = with;
	return s->goes_on && !s->goes_on(s->with);
}

/* ---- clocks ---- */

static void graph_build(struct solve *s, bool with_ways)
{
	uint32_t *at = mem_take((s->node_count + 2) * sizeof *at);
	size_t count = s->edges.count + (with_ways ? 2 * s->ways.count : 0);
	s->first = mem_resize(s->first, (s->node_count + 2) * sizeof *s->first);
	s->to = mem_resize(s->to, (count + 1) * sizeof *s->to);
	s->by = mem_resize(s->by, (count + 1) * sizeof *s->by);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < s->edges.count; i++) {
			struct edge e = s->edges.at[i];
			if (pass)
				s->by[at[e.from]] = 0, s->to[at[e.from]++] = e.to;
			else
				at[e.from + 1]++;
		}
		for (uint32_t i = 0; with_ways && i < s->ways.count; i++)
			for (uint32_t k = 0; k < s->ways.at[i].count && s->chosen[i]; k++) {
				struct edge e = s->ways.at[i].edge[k];
				if (pass)
					s->by[at[e.from]] = i + 1, s->to[at[e.from]++] = e.to;
				else
					at[e.from + 1]++;
			}
		for (uint32_t n = 0; !pass && n < s->node_count; n++)
			at[n + 1] += at[n];
		if (!pass)
			memcpy(s->first, at, (s->node_count + 1) * sizeof *at);
	}
	mem_free(at);
}

/* False: what must hold is cyclic. */
static bool clocks(struct solve *s)
{
	size_t width = s->chains;
	s->work += s->node_count + s->edges.count * (1 + width / 8) + s->ways.count;
	uint32_t *waits = mem_take((s->node_count + 1) * sizeof *waits), *line = mem_take((s->node_count + 1) * sizeof *line), end = 0;
	graph_build(s, false);
	for (size_t i = 0; i < s->edges.count; i++)
		waits[s->edges.at[i].to]++;
	memset(s->clock, 0, s->node_count * width * sizeof *s->clock);
	for (uint32_t n = 0; n < s->node_count; n++) {
		s->clock[n * width + s->chain.at[n]] = s->place.at[n] + 1;
		if (!waits[n])
			line[end++] = n;
	}
	for (uint32_t i = 0; i < end; i++) {
		const uint32_t *from = s->clock + line[i] * width;
		for (uint32_t e = s->first[line[i]]; e < s->first[line[i] + 1]; e++) {
			uint32_t *to = s->clock + s->to[e] * width;
			for (size_t c = 0; c < width; c++)
				to[c] = from[c] > to[c] ? from[c] : to[c];
			if (!--waits[s->to[e]])
				line[end++] = s->to[e];
		}
	}
	mem_free(waits);
	mem_free(line);
	return end == s->node_count;
}

static bool before(const struct solve *s, uint32_t x, uint32_t y)       /* or the same */
{
	return s->clock[(size_t)y * s->chains + s->chain.at[x]] > s->place.at[x];
}

static uint8_t way_state(const struct solve *s, const struct solve_way *w)
{
	uint8_t all = HOLDS;
	for (uint32_t i = 0; i < w->count; i++) {
		if (before(s, w->edge[i].to, w->edge[i].from))
			return FAILS;
		if (!before(s, w->edge[i].from, w->edge[i].to))
			all = OPEN;
	}
	return all;
}

static uint32_t clause_end(const struct solve *s, size_t clause)
{
	return clause + 1 < s->clauses.count ? s->clauses.at[clause + 1] : (uint32_t)s->ways.count;
}

/* What clauses with one way left force, until nothing more.  False: contradiction. */
static bool saturate(struct solve *s)
{
	for (bool again = true; again;) {
		if (!clocks(s)) {
			proof_step(s->proof, STEP_CLOSED, 0);
			return false;
		}
		again = false;
		for (size_t c = 0; c < s->clauses.count; c++) {
			uint32_t open = 0, one = 0;
			bool holds = false;
			for (uint32_t i = s->clauses.at[c]; i < clause_end(s, c); i++) {
				s->ways.at[i].state = way_state(s, &s->ways.at[i]);
				holds |= s->ways.at[i].state == HOLDS;
				if (s->ways.at[i].state == OPEN && !open++)
					one = i;
			}
			if (holds || open > 1)
				continue;
			for (uint32_t i = s->clauses.at[c]; i < clause_end(s, c); i++)
				if (s->ways.at[i].state == FAILS)
					proof_step(s->proof, STEP_FALSE, i);
			if (!open) {
				proof_step(s->proof, STEP_CLOSED, 0);
				return false;
			}
			proof_step(s->proof, STEP_FORCE, one);
			for (uint32_t k = 0; k < s->ways.at[one].count; k++)
				solve_edge(s, s->ways.at[one].edge[k].from, s->ways.at[one].edge[k].to);
			again = true;
		}
	}
	return true;
}

/* ---- search ---- */

/* A cycle of ways, in order: edge[i] leads to edge[i + 1] by must-order.  Leaves out what a must-order jump makes superfluous. */
struct step { uint32_t way; struct edge edge; };

static uint32_t shorten(const struct solve *s, struct step *cycle, uint32_t count)
{
	for (bool again = count > 1; again;) {
		again = false;
		for (uint32_t a = 0; a < count && !again; a++)
			for (uint32_t length = count; length > 1 && !again; length--) {
				uint32_t b = (a + length) % count, kept = 0;            /* jump from the end of a to the start of b */
				if (!before(s, cycle[a].edge.to, cycle[b].edge.from))
					continue;
				if (length == count) {                                  /* a alone is a cycle */
					cycle[0] = cycle[a];
					return 1;
				}
				struct step *rest = mem_take(count * sizeof *rest);
				for (uint32_t i = 0; i < count; i++) {
					uint32_t away = (i + count - a) % count;
					if (away == 0 || away >= length)
						rest[kept++] = cycle[i];
				}
				memcpy(cycle, rest, kept * sizeof *rest);
				mem_free(rest);
				count = kept;
				again = count > 1;
				length = 2;
			}
	}
	return count;
}

/* A way along the rising numbers is tried first, one against them last: CaDiCaL takes its variables for true while nothing speaks against it, so one
 * against them is the contrary of its variable.  Callers number nodes as they were observed, and what was observed is in order. */
static bool rises(const struct solve *s, uint32_t way)
{
	const struct solve_way *w = &s->ways.at[way];
	return w->edge[0].from < w->edge[0].to && (w->count == 1 || w->edge[1].from < w->edge[1].to);
}

static int literal(const struct solve *s, uint32_t way)
{
	return rises(s, way) ? (int)way + 1 : -(int)way - 1;
}

static uint32_t forbid(struct solve *s, CCaDiCaL *sat, struct step *cycle, uint32_t count)
{
	count = shorten(s, cycle, count);
	for (uint32_t i = 0; i < count; i++) {
		ccadical_add(sat, -literal(s, cycle[i].way));
		proof_literal(s->proof, -(int)(cycle[i].way + 1));
	}
	ccadical_add(sat, 0);
	proof_learn(s->proof);
	return 1;
}

/* Cycles of the graph of must edges and chosen ways, each forbidden; how many were found. */
static uint32_t cycles(struct solve *s, CCaDiCaL *sat)
{
	uint32_t *stack = mem_take((s->node_count + 1) * sizeof *stack), *next = mem_take((s->node_count + 1) * sizeof *next);
	uint32_t *came = mem_take((s->node_count + 1) * sizeof *came), found = 0;
	uint8_t *colour = mem_take(s->node_count + 1);
	VEC(struct step) cycle = { 0 };
	graph_build(s, true);
	s->work += s->node_count + s->edges.count + s->ways.count;
	for (uint32_t root = 0; root < s->node_count; root++) {
		uint32_t depth = 0;
		if (colour[root])
			continue;
		colour[root] = 1;
		stack[depth] = root;
		next[depth] = s->first[root];
		came[depth++] = 0;
		while (depth) {
			uint32_t n = stack[depth - 1], e = next[depth - 1]++;
			if (e == s->first[n + 1]) {
				colour[n] = 2;
				depth--;
				continue;
			}
			uint32_t to = s->to[e];
			if (!colour[to]) {
				colour[to] = 1;
				stack[depth] = to;
				next[depth] = s->first[to];
				came[depth++] = e + 1;
			} else if (colour[to] == 1 && found < ROUND_CYCLES) {
				vec_clear(&cycle);
				uint32_t k = depth - 1;
				while (stack[k] != to)
					k--;
				for (k++; k < depth; k++)
					if (s->by[came[k] - 1])
						*vec_add(&cycle) = (struct step){ s->by[came[k] - 1] - 1, { stack[k - 1], stack[k] } };
				if (s->by[e])
					*vec_add(&cycle) = (struct step){ s->by[e] - 1, { n, to } };
				check(cycle.count);
				found += forbid(s, sat, cycle.at, (uint32_t)cycle.count);
			}
		}
	}
	vec_release(&cycle);
	mem_free(stack);
	mem_free(next);
	mem_free(came);
	mem_free(colour);
	return found;
}

static void learnt(void *solve, int *literals)
{
	const struct solve *s = solve;
	for (; *literals; literals++)
		proof_literal(s->proof, rises(s, (uint32_t)abs(*literals) - 1) ? *literals : -*literals);
	proof_learn(s->proof);
}

/* Whatever it derives is to be told: nothing but conflicts, and what was closed before it began. */
static void tell_all(struct solve *s, CCaDiCaL *sat)
{
	static const char *const off[] = { "inprocessing", "elim", "probe", "subsume", "vivify", "ternary", "transred", "decompose",
		"condition", "cover", "block", "instantiate", "deduplicate", "lucky", "compact" };
	for (size_t i = 0; i < sizeof off / sizeof *off; i++)
		ccadical_set_option(sat, off[i], 0);
	ccadical_set_learn(sat, s, INT_MAX, learnt);
	for (uint32_t i = 0; i < s->ways.count; i++)
		if (s->ways.at[i].state == FAILS) {
			proof_literal(s->proof, -(int)i - 1);
			proof_learn(s->proof);
		}
}

static bool clause_holds(const struct solve *s, size_t clause)
{
	for (uint32_t i = s->clauses.at[clause]; i < clause_end(s, clause); i++)
		if (s->ways.at[i].state == HOLDS)
			return true;
	return false;
}

/* Of each clause one way that is true, if it can be one that rises: no more edges than are needed. */
static void take_chosen(struct solve *s, CCaDiCaL *sat)
{
	memset(s->chosen, 0, s->ways.count + 1);
	for (size_t c = 0; c < s->clauses.count; c++) {
		uint32_t one = UINT32_MAX;
		if (clause_holds(s, c))
			continue;
		for (uint32_t i = s->clauses.at[c]; i < clause_end(s, c); i++)
			if (s->ways.at[i].state == OPEN && (ccadical_val(sat, (int)i + 1) > 0) == rises(s, i) && (one == UINT32_MAX || (rises(s, i) && !rises(s, one))))
				one = i;
		if (one != UINT32_MAX)
			s->chosen[one] = 1;
	}
}

static enum solved search(struct solve *s, uint32_t rounds)
{
	CCaDiCaL *sat = ccadical_init();
	enum solved answer = SOLVED_UNKNOWN;
	ccadical_set_option(sat, "quiet", 1);
	ccadical_set_option(sat, "forcephase", 1);
	ccadical_set_terminate(sat, s, stops);
	if (s->proof)
		tell_all(s, sat);
	for (size_t c = 0; c < s->clauses.count; c++) {
		if (clause_holds(s, c))
			continue;
		for (uint32_t i = s->clauses.at[c]; i < clause_end(s, c); i++)
			if (s->ways.at[i].state == OPEN)
				ccadical_add(sat, literal(s, i));
		ccadical_add(sat, 0);
	}
	for (uint32_t round = 0; round < rounds && !stops(s); round++) {
		ccadical_limit(sat, "conflicts", CONFLICTS_MOST);
		int result = ccadical_solve(sat);
		if (result != 10) {
			answer = result == 20 ? SOLVED_NO : SOLVED_UNKNOWN;
			break;
		}
		take_chosen(s, sat);
		if (!cycles(s, sat)) {
			answer = SOLVED_YES;
			break;
		}
	}
	ccadical_release(sat);
	if (answer == SOLVED_NO)
		proof_learn(s->proof);
	return answer;
}

enum solved solve_run(struct solve *s, uint32_t rounds)
{
	s->clock = mem_resize(s->clock, ((size_t)s->node_count * s->chains + 1) * sizeof *s->clock);
	s->chosen = mem_resize(s->chosen, s->ways.count + 1);
	memset(s->chosen, 0, s->ways.count + 1);
	if (!saturate(s))
		return SOLVED_NO;
	return search(s, rounds ? rounds : 10000);
}

bool solve_holds(const struct solve *s, uint32_t way)
{
	return s->chosen[way] || s->ways.at[way].state == HOLDS;
}

uint64_t solve_work(const struct solve *s)
{
	return s->work;
}

void solve_free(struct solve *s)
{
	if (!s)
		return;
	mem_free(s->last);
	vec_release(&s->chain);
	vec_release(&s->place);
	vec_release(&s->edges);
	vec_release(&s->ways);
	vec_release(&s->clauses);
	mem_free(s->clock);
	mem_free(s->chosen);
	mem_free(s->first);
	mem_free(s->to);
	mem_free(s->by);
	mem_free(s);
}
