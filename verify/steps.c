/* verify/steps.c -- see steps.h.  A clause is checked by propagation: through clauses, then through the order that ways chosen so far leave. */
#include "verify/steps.h"

#include <stdlib.h>

struct edge { uint32_t from, to; bool next; };
struct way { struct edge edge[2]; uint32_t count; };

LIST(static, struct way, ways)
LIST(static, int, literals)              /* a way, counted from 1, or - it; 0 ends a clause */
LIST(static, uint32_t, clauses)          /* the first literal of each */
LIST(static, int8_t, value)              /* of a way: 1 it holds, -1 it does not */
LIST(static, struct edge, edges)         /* those that hold throughout come first */
LIST(static, uint32_t, path)             /* edges, one behind the other */
LIST(static, uint32_t, tried)            /* of each edge: how many were looked at for what comes behind it; NOTHING: all, no cycle */

static uint32_t ruled;                  /* ways that are of a rule already */

void steps_forget(void)
{
	ways_count = ruled = literals_count = clauses_count = value_count = edges_count = 0;
}

bool steps_begun(void) { return edges_count; }

void steps_hold(uint32_t x, uint32_t y, bool next)
{
	LIST_ADD(edges) = (struct edge){ x, y, next };
}

/* ---- rules ---- */

void steps_way(uint32_t from, uint32_t by, uint32_t to)
{
	LIST_ADD(value) = 0;
	LIST_ADD(ways) = by == NOTHING ? (struct way){ { { from, to, false } }, 1 } :
		(struct way){ { { from, by, false }, { by, to, false } }, 2 };
}

void steps_rule(void)
{
	LIST_ADD(clauses) = literals_count;
	while (ruled < ways_count)
		LIST_ADD(literals) = (int)++ruled;
	LIST_ADD(literals) = 0;
}

/* ---- what follows ---- */

static bool behind(const struct edge *e, const struct edge *f)          /* f begins where e ends, or behind it */
{
	return (e->to == f->from && !f->next) || program_before(e->to, f->from);
}

/* Do the edges, with what each thread does in its order, close a cycle?  Depth first. */
static bool cyclic(void)
{
	for (tried_count = 0; tried_count < edges_count;)
		LIST_ADD(tried) = 0;
	for (uint32_t first = 0; first < edges_count; first++) {
		path_count = 0;
		for (uint32_t at = first; tried[at] != NOTHING;) {
			uint32_t next = tried[at]++;
			if (next == edges_count) {
				tried[at] = NOTHING;
				at = path_count ? path[--path_count] : at;
			} else if (tried[next] != NOTHING && behind(&edges[at], &edges[next])) {
				if (tried[next])
					return true;                    /* it is on the way here */
				LIST_ADD(path) = at;
				at = next;
			}
		}
	}
	return false;
}

/* A way that holds is its edges; of one that does not, and is one edge, the contrary holds. */
static void assign(int literal)
{
	uint32_t way = (uint32_t)abs(literal) - 1;
	struct way w = ways[way];
	value[way] = literal < 0 ? -1 : 1;
	if (literal < 0 && w.count == 1)
		steps_hold(w.edge[0].to, w.edge[0].from, false);
	for (uint32_t i = 0; literal > 0 && i < w.count; i++)
		LIST_ADD(edges) = w.edge[i];
}

static bool by_clauses(void)                    /* all that clauses force; true: one of them is broken */
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t c = 0; c < clauses_count; c++) {
			int one = 0, sign = 0, left = 0;
			for (uint32_t at = clauses[c]; literals[at] && sign <= 0; at++) {
				sign = value[abs(literals[at]) - 1] * (literals[at] < 0 ? -1 : 1);
				left += !sign;
				one = sign ? one : literals[at];
			}
			if (sign <= 0 && !left)
				return true;
			if (sign <= 0 && left == 1) {
				assign(one);
				again = true;
			}
		}
	}
	return false;
}

bool steps_learn(struct line line)
{
	uint32_t first = literals_count, held = edges_count;
	uint64_t n;
	for (uint32_t i = 1; i < line.count; i++) {
		const char *w = words[line.first + i];
		int sign = *w == '-' ? -1 : 1;
		if (!word_number(w + (sign < 0), &n) || !n || n > ways_count)
			line_bad("no way of a rule");
		if (value[n - 1] == sign)
			line_bad("a way and its contrary in a clause");
		LIST_ADD(literals) = sign * (int)n;
		if (!value[n - 1])
			assign(-sign * (int)n);
	}
	LIST_ADD(literals) = 0;
	if (!by_clauses() && !cyclic())
		line_bad("this does not follow");
	for (uint32_t i = 0; i < value_count; i++)
		value[i] = 0;
	edges_count = held;
	LIST_ADD(clauses) = first;
	return line.count == 1;
}
