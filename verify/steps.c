/* verify/steps.c -- see steps.h.  A clause is checked by propagation: through clauses, and through the order that ways chosen so far
 * leave. */
#include "verify/steps.h"

#include <stdlib.h>

#include "verify/lines.h"

struct edge { uint32_t from, to; };
struct way { struct edge edge[2]; uint32_t count; };

/* Lists.  rules: the first way of each; literals: +-(way + 1), 0 ends a clause; clauses: the first literal of each; edges: those
 * claimed come first; value of a way: 1 it holds, -1 it does not. */
#define LISTS(L) L(struct way, ways) L(uint32_t, rules) L(int, literals) L(uint32_t, clauses) L(int, trail) L(struct edge, edges) \
	L(uint32_t, todo) L(uint8_t, seen) L(int8_t, value)
LISTS(LIST_DECLARE)

void steps_forget(void)
{
	LISTS(LIST_FORGET)
}

void steps_claim(uint32_t from, uint32_t to)
{
	LIST_ADD(edges) = (struct edge){ from, to };
}

/* ---- rules ---- */

void steps_rule(void)
{
	LIST_ADD(rules) = ways_count;
}

void steps_way(uint32_t from, uint32_t by, uint32_t to)
{
	if (from == NOTHING || to == NOTHING)
		return;
	LIST_ADD(value) = 0;
	LIST_ADD(ways) = by == NOTHING ? (struct way){ { { from, to } }, 1 } : (struct way){ { { from, by }, { by, to } }, 2 };
}

void steps_rule_end(void)
{
	LIST_ADD(clauses) = literals_count;
	for (uint32_t i = rules[rules_count - 1]; i < ways_count; i++)
		LIST_ADD(literals) = (int)i + 1;
	LIST_ADD(literals) = 0;
}

static uint32_t way_of(const char *w)           /* RULE.WAY */
{
	char *dot;
	uint64_t r = strtoull(w, &dot, 10), n = 0;
	if (*dot != '.' || !word_number(dot + 1, &n) || !r || r > rules_count || !n || n > (r < rules_count ? rules[r] : ways_count) - rules[r - 1])
		line_bad("no way of a rule");
	return rules[r - 1] + (uint32_t)n - 1;
}

/* ---- what follows ---- */

static bool at_or_before(uint32_t x, uint32_t y) { return x == y || (x != END && y != END && twin_before(x, y)); }

static bool reach(uint32_t x, uint32_t y)       /* at or before, by edges too */
{
	for (seen_count = todo_count = 0; seen_count < edges_count;)
		LIST_ADD(seen) = 0;
	for (uint32_t from = x; !at_or_before(from, y); from = todo[--todo_count]) {
		for (uint32_t i = 0; i < edges_count; i++)
			if (!seen[i] && at_or_before(from, edges[i].from)) {
				seen[i] = 1;
				LIST_ADD(todo) = edges[i].to;
			}
		if (!todo_count)
			return false;
	}
	return true;
}

/* A way that holds is its edges; of one that does not, and is one edge, the contrary holds. */
static void assign(int literal)
{
	uint32_t way = (uint32_t)abs(literal) - 1;
	struct way w = ways[way];
	value[way] = literal < 0 ? -1 : 1;
	LIST_ADD(trail) = literal;
	if (literal < 0 && w.count == 1)
		LIST_ADD(edges) = (struct edge){ w.edge[0].to, w.edge[0].from };
	for (uint32_t i = 0; literal > 0 && i < w.count; i++)
		LIST_ADD(edges) = w.edge[i];
}

static bool by_clauses(void)                    /* all that clauses force; true: one of them is broken */
{
	for (uint32_t before = NOTHING; before != trail_count;) {
		before = trail_count;
		for (uint32_t c = 0; c < clauses_count; c++) {
			int one = 0, sign = 0, left = 0;
			for (uint32_t at = clauses[c]; literals[at] && sign <= 0; at++) {
				sign = value[abs(literals[at]) - 1] * (literals[at] < 0 ? -1 : 1);
				left += !sign;
				one = sign ? one : literals[at];
			}
			if (sign <= 0 && !left)
				return true;
			if (sign <= 0 && left == 1)
				assign(one);
		}
	}
	return false;
}

bool steps_learn(void)
{
	uint32_t first = literals_count, claimed = edges_count;
	for (uint32_t i = 1; i < line_words; i++) {
		bool minus = line_word(i)[0] == '-';
		uint32_t way = way_of(line_word(i) + minus);
		if (value[way] == (minus ? 1 : -1))
			continue;                               /* said twice */
		if (value[way])
			line_bad("a way and its contrary in a clause");
		LIST_ADD(literals) = minus ? -(int)way - 1 : (int)way + 1;
		assign(minus ? (int)way + 1 : -(int)way - 1);
	}
	LIST_ADD(literals) = 0;
	bool follows = by_clauses();
	for (uint32_t i = 0; i < edges_count && !follows; i++)
		follows = reach(edges[i].to, edges[i].from);
	if (!follows)
		line_bad("this does not follow");
	while (trail_count)
		value[abs(trail[--trail_count]) - 1] = 0;
	edges_count = claimed;
	LIST_ADD(clauses) = first;
	return line_words == 1;
}
