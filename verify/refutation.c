/* verify/refutation.c -- an independent checker of refutations: libc alone, no code of the engine that writes them.
 *
 * twin.c reads the text twin and says what must come before what.  A refutation (docs/refutation-format.md) claims something and names
 * rules by the events they are about; what a claim means, and the ways out a rule leaves, are worked out here.  Its steps are clauses
 * over ways: steps.c.  Both files are hostile: whatever they hold, the answer is "holds" or a reason. */
#include "verify/refutation.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/steps.h"
#include "verify/twin.h"

/* Lists.  front: how far threads have come, or stores; kept: reads; left_open: events claimed not to have happened. */
#define LISTS(L) L(uint32_t, front) L(uint32_t, kept) L(uint32_t, left_open)
LISTS(LIST_DECLARE)
static uint32_t asked, from;            /* the read that is claimed to return something at END; from whom, or NOTHING: returns */
static uint8_t returns[16];
static bool refuted;
static char why[200];
static jmp_buf out;

_Noreturn void line_bad(const char *what)
{
	snprintf(why, sizeof why, "line %llu: %s", (unsigned long long)line_number, what);
	longjmp(out, 1);
}

/* ---- rules: the ways out of each, in the order of docs/refutation-format.md ---- */

static uint32_t event_of(char *name)            /* PATH:N */
{
	char *colon = strrchr(name, ':');
	uint64_t n = 0;
	if (colon && word_number(colon + 1, &n))
		*colon = 0;
	for (uint32_t t = 0; colon && !*colon && t < half; t++)
		if (!strcmp(threads[t].path, name) && n < threads[t].count)
			return threads[t].node[n];
	line_bad("no event of the trace");
}

static void rule_lock(uint32_t x, uint32_t y)
{
	uint32_t none = nodes[x].section == NOTHING || nodes[y].section == NOTHING;
	const struct section *a = none ? NULL : &sections[nodes[x].section], *b = none ? NULL : &sections[nodes[y].section];
	if (none || a->lock != b->lock || a->thread == b->thread || (a->shared && b->shared) || x > y)
		line_bad("no two sections of a lock that exclude each other");
	steps_way(a->give, NOTHING, y);
	steps_way(END, NOTHING, y);
	steps_way(END, NOTHING, x);
	steps_way(b->give, NOTHING, x);
}

/* The words that follow say how far each thread has come; then the semaphore is 0. */
static void rule_semaphore(uint32_t wait)
{
	int64_t left = twin_first(nodes[wait].object);
	for (front_count = 0; front_count < threads_count;)
		LIST_ADD(front) = 0;
	for (uint32_t i = 3; i < line_words; i++) {
		const struct node *n = &nodes[event_of(line_word(i))];
		front[n->thread] = n->at;
	}
	steps_way(END, NOTHING, wait);
	for (uint32_t t = 0; t < threads_count; t++) {
		uint32_t post = NOTHING, last = NOTHING;
		bool own = t == nodes[wait].thread;
		for (uint32_t i = 0; i < threads[t].count; i++) {
			const struct node *n = &nodes[threads[t].node[i]];
			bool done = own ? n->at < nodes[wait].at : n->at <= front[t];
			if (n->object != nodes[wait].object || (n->what != POST && n->what != TAKE))
				continue;
			left += !done ? 0 : n->what == POST ? 1 : -1;
			post = n->what == POST && !done && post == NOTHING && !own ? threads[t].node[i] : post;
			last = n->what == TAKE && done && !own ? threads[t].node[i] : last;
		}
		steps_way(post, NOTHING, wait);
		steps_way(wait, NOTHING, last);
	}
	if (nodes[wait].what != TAKE || left > 0)
		line_bad("that semaphore can be taken there");
}

static void rule_condition(uint32_t wake)
{
	uint32_t wait = nodes[wake].wait;
	if (wait == NOTHING)
		line_bad("no wake that needs a signal");
	steps_way(END, NOTHING, wake);
	for (uint32_t i = 0; i < nodes_count; i++)
		if (nodes[i].what == SIGNAL && nodes[i].object == nodes[wake].object && !twin_before(i, wait) && !twin_before(wake, i))
			steps_way(wait, i, wake);
}

static int byte_of(const struct access *a, uint64_t byte)       /* -1: not known, -2: it does not touch it */
{
	return byte - a->address >= a->size ? -2 : a->known && byte - a->address < 16 ? a->value[byte - a->address] : -1;
}

/* The reader finds what `wrong` left in that byte (NOTHING: what lay there first), which is not what it returned. */
static void rule_read(uint32_t reader, uint64_t offset, uint32_t wrong)
{
	const struct access *k = NULL;
	uint32_t at = reader == asked ? END : reader, source = at != END ? NOTHING : from == NOTHING ? END : from;
	int first = -1;
	bool matters = at == END, written = false, is_wrong = false, shared = at != END || from == NOTHING;
	for (uint32_t i = 0; i < accesses_count; i++)
		k = accesses[i].node == reader && !accesses[i].writes ? &accesses[i] : k;
	for (uint32_t i = 0; i < kept_count; i++)
		matters |= kept[i] == reader;
	if (!k || !matters || offset >= k->size || model)
		line_bad("no read that is to return anything");
	uint64_t byte = k->address + offset;
	int value_there = at != END ? byte_of(k, byte) : from == NOTHING && offset < 16 ? returns[offset] : -1;
	for (uint32_t i = 0; i < accesses_count; i++) {
		const struct access *a = &accesses[i];
		int v = byte_of(a, byte);
		written |= v != -2 && a->writes;
		shared |= v != -2 && a->writes && a->node == from;
		first = !written && v >= 0 && first < 0 ? v : first;
		source = v != -2 && a->writes && at != END && a->node < reader ? a->node : source;
	}
	if (at != END)
		steps_way(END, NOTHING, reader);
	steps_way(at, NOTHING, wrong);
	for (uint32_t i = 0; i < accesses_count; i++) {
		const struct access *a = &accesses[i];
		int v = byte_of(a, byte);
		bool right = a->node == source || (value_there >= 0 && (v < 0 || v == value_there));
		if (!a->writes || v == -2)
			continue;
		is_wrong |= a->node == wrong && !right;
		if (right && a->node != at && (wrong == NOTHING || !twin_before(a->node, wrong)) && (at == END || !twin_before(reader, a->node)))
			steps_way(wrong == NOTHING ? a->node : wrong, wrong == NOTHING ? NOTHING : a->node, at);
	}
	if (!shared || (wrong == NOTHING ? source == NOTHING || (value_there >= 0 && (first < 0 || first == value_there)) : !is_wrong || wrong == reader))
		line_bad("it may find that");
}

/* ---- the whole ---- */

static void step_rule(void)
{
	uint32_t x = event_of(line_word(2));
	uint64_t offset;
	steps_rule();
	if (!strcmp(line_word(1), "lock"))
		rule_lock(x, event_of(line_word(3)));
	else if (!strcmp(line_word(1), "sem"))
		rule_semaphore(x);
	else if (!strcmp(line_word(1), "cond"))
		rule_condition(x);
	else if (!strcmp(line_word(1), "read") && word_number(line_word(3), &offset))
		rule_read(x, offset, line_words > 4 ? event_of(line_word(4)) : NOTHING);
	else
		line_bad("no rule known here");
	steps_rule_end();
}

static uint32_t event_before(uint32_t x)
{
	return nodes[x].at ? threads[nodes[x].thread].node[nodes[x].at - 1] : (line_bad("no event"), NOTHING);
}

static bool overlap(const struct access *a, const struct access *b)
{
	return a->address - b->address < b->size || b->address - a->address < a->size;
}

/* What is done when x happens, at the earliest: all before it; or, of a store that waits, that it was made, and the release whose flush
 * it cannot overtake.  Stores of its thread that must be in memory before it, and are claimed not to be, are `closed`. */
static uint32_t happens_behind(uint32_t x, uint32_t *two, bool *closed)
{
	const struct thread *t = &threads[nodes[x].thread];
	bool all = model == TSO || nodes[x].flush != NOTHING;
	uint32_t count = 0;
	two[count++] = nodes[x].store == NOTHING ? event_before(x) : x;
	front_count = 0;                                        /* stores that come before it in memory */
	LIST_ADD(front) = nodes[x].store;
	for (uint32_t i = nodes[x].at; nodes[x].store != NOTHING && i-- > 0 && !nodes[t->node[i]].empties;) {
		const struct node *n = &nodes[t->node[i]];
		bool fence = n->flush != NOTHING && n->what == FENCE, before = all;
		for (uint32_t k = 0; k < front_count && n->store != NOTHING; k++)
			before |= overlap(&accesses[front[k]], &accesses[n->store]);
		if (n->store != NOTHING && before)
			LIST_ADD(front) = n->store;
		for (uint32_t k = 0; k < left_open_count; k++)
			*closed |= left_open[k] == t->node[i] && n->store != NOTHING && before;
		if (n->flush != NOTHING && count == 1 && (before || fence))
			two[count++] = n->flush;
		all |= fence || (n->flush != NOTHING && before && n->store != NOTHING);
	}
	return count;
}

/* What is not done while x has not happened: itself; or, of a store that waits, what finds the buffer empty, the next flush, and a join. */
static uint32_t open_before(uint32_t x, uint32_t *three)
{
	const struct thread *t = &threads[nodes[x].thread];
	uint32_t empty = nodes[x].at + 1, flush = nodes[x].at, count = 0;
	while (empty + 1 < t->count && !nodes[t->node[empty]].empties)
		empty++;
	while (flush + 1 < t->count && nodes[t->node[flush]].flush == NOTHING)
		flush++;
	three[count++] = nodes[x].store == NOTHING ? x : t->node[empty];
	if (nodes[x].store != NOTHING && nodes[t->node[flush]].flush != NOTHING)
		three[count++] = nodes[t->node[flush]].flush;
	for (uint32_t i = x; i < nodes_count && nodes[x].store != NOTHING; i++)
		if (nodes[i].joined == nodes[x].thread) {
			three[count++] = i;
			break;
		}
	return count;
}

/* happened E, open E, before E F: at END, or of two events. */
static void step_stand(void)
{
	uint32_t done[2] = { END }, to_come[3] = { END }, dones = 1, to_comes = 1;
	bool closed = false;
	if (line_is("open"))
		LIST_ADD(left_open) = event_of(line_word(1));
	if (!line_is("happened"))
		to_comes = open_before(line_is("open") ? left_open[left_open_count - 1] : event_of(line_word(2)), to_come);
	if (!line_is("open"))
		dones = happens_behind(event_of(line_word(1)), done, &closed);
	for (uint32_t i = 0; i < dones; i++)
		for (uint32_t k = 0; k < to_comes; k++)
			steps_claim(done[i], to_come[k]);
	if (closed)
		steps_claim(END, END);
}

/* The read at END, and all before it is in the prefix. */
static void step_returns(void)
{
	asked = event_of(line_word(1));
	steps_claim(event_before(asked), END);
	steps_claim(END, asked);
	from = line_is("from") ? event_of(line_word(2)) : NOTHING;
	if (from != NOTHING)
		steps_claim(from, END);
	memset(returns, 0, sizeof returns);
	word_bytes(from == NOTHING ? line_word(2) : "", returns);
}

/* Every event is in the prefix. */
static void step_whole(void)
{
	for (uint32_t t = 0; t < threads_count; t++)
		if (threads[t].count)
			steps_claim(threads[t].node[threads[t].count - 1], END);
}

static void step(void)
{
	uint64_t n, sum;
	line_kind(0);
	if (line_is("trace") && (!word_number(line_word(1), &n) || !word_number(line_word(2), &sum) || n != twin_events || sum != twin_hash))
		line_bad("it is about another trace");
	else if (line_is("reach"))
		steps_claim(event_of(line_word(1)), END);
	else if (line_is("limit"))
		steps_claim(END, event_of(line_word(1)));
	else if (line_among(" happened open before "))
		step_stand();
	else if (line_is("whole"))
		step_whole();
	else if (line_is("keep"))
		LIST_ADD(kept) = event_of(line_word(1));
	else if (line_is("value") || line_is("from"))
		step_returns();
	else if (line_is("rule"))
		step_rule();
	else if (line_is("learn"))
		refuted = steps_learn();
	else if (!line_among(" trace model "))
		line_bad("no step known here");
}

static enum model model_of(const char *steps, size_t length)
{
	return memmem(steps, length, "\nmodel tso\n", 11) ? TSO : memmem(steps, length, "\nmodel pso\n", 11) ? PSO : SC;
}

const char *refutation_check(const char *twin, size_t twin_length, const char *steps, size_t length)
{
	LISTS(LIST_FORGET)
	steps_forget();
	asked = from = NOTHING;
	refuted = false;
	if (setjmp(out))
		return why;
	twin_read(twin, twin_length, model_of(steps, length));
	for (char *at = line_first(steps, length); line_next(&at);) {
		if (line_number == 1 && (strcmp(line_word(0), "raddle") || strcmp(line_word(1), "refutation") || strcmp(line_word(2), "1")))
			line_bad("no refutation");
		if (line_number == 1 || !line_words || line_word(0)[0] == '#')
			continue;
		if (refuted)
			line_bad("it goes on behind its end");
		step();
	}
	return refuted ? NULL : "it ends before anything is refuted";
}
