/* tests/order/smt.c -- the rules of docs/order.md as a formula over integers, for Z3: when is each event made, when does each store
 * reach memory, and when does the prefix end.  What an event saw in the observed run comes from saw.c, everything else is said here. */
#include <z3.h>

#include "tests/order/small.h"
#include "wire/kinds.h"

static Z3_context c;
static Z3_solver solver;
static Z3_ast at[MOST_EVENTS], reaches[MOST_EVENTS], end;      /* reaches: for a store that waits; at[], for others */

struct part { int lock, thread, take, give; bool reads; };
static Z3_ast flushes[MOST_EVENTS];
static struct part parts[MOST_EVENTS];
static int part_count;

static Z3_ast before(Z3_ast a, Z3_ast b) { return Z3_mk_lt(c, a, b); }
static void say(Z3_ast a) { Z3_solver_assert(c, solver, a); }

static void begin(void)
{
	if (!c) {
		Z3_config config = Z3_mk_config();
		c = Z3_mk_context(config);
		Z3_del_config(config);
		solver = Z3_mk_simple_solver(c);
		Z3_solver_inc_ref(c, solver);
		for (int i = 0; i < MOST_EVENTS; i++)
			at[i] = Z3_mk_const(c, Z3_mk_int_symbol(c, i), Z3_mk_int_sort(c));
		for (int i = 0; i < MOST_EVENTS; i++)
			flushes[i] = Z3_mk_const(c, Z3_mk_int_symbol(c, MOST_EVENTS + i), Z3_mk_int_sort(c));
		end = Z3_mk_const(c, Z3_mk_string_symbol(c, "end"), Z3_mk_int_sort(c));
	}
	Z3_solver_reset(c, solver);
}

static void find_parts(const struct small *s)
{
	part_count = 0;
	for (int t = 0; t < s->threads; t++)
		for (int m = 0; m < 3; m++) {
			int depth = 0;
			for (int i = 0; i < s->count; i++) {
				const struct small_event *e = &s->ev[i];
				bool takes = (e->kind == EV_LOCK && e->object == m) || (e->kind == EV_CWAKE && e->arg == m);
				bool gives = (e->kind == EV_UNLOCK && e->object == m) || (e->kind == EV_CWAIT && e->arg == m);
				if (e->thread != t)
					continue;
				if (takes && !depth++)
					parts[part_count++] = (struct part){ m, t, i, -1, e->kind == EV_LOCK && e->arg & 1 };
				if (gives && !--depth)
					parts[part_count - 1].give = i;
			}
		}
}

static void exclude(const struct part *a, const struct part *b)
{
	Z3_ast ways[4];
	unsigned n = 0;
	if (a->give >= 0)
		ways[n++] = before(reaches[a->give], at[b->take]);
	if (b->give >= 0)
		ways[n++] = before(reaches[b->give], at[a->take]);
	ways[n++] = before(end, at[a->take]);
	ways[n++] = before(end, at[b->take]);
	say(Z3_mk_or(c, n, ways));
}

static Z3_ast number(int n) { return Z3_mk_int(c, n, Z3_mk_int_sort(c)); }

static void semaphore(const struct small *s, int wait)
{
	Z3_ast sum[MOST_EVENTS + 1];
	unsigned n = 0;
	sum[n++] = number(s->sem_first[s->ev[wait].object]);
	for (int i = 0; i < s->count; i++)
		if (i != wait && (s->ev[i].kind == EV_SPOST || s->ev[i].kind == EV_SWAIT) && s->ev[i].object == s->ev[wait].object)
			sum[n++] = Z3_mk_ite(c, before(at[i], at[wait]), number(s->ev[i].kind == EV_SPOST ? 1 : -1), number(0));
	Z3_ast ways[2] = { before(end, at[wait]), Z3_mk_ge(c, Z3_mk_add(c, n, sum), number(1)) };
	say(Z3_mk_or(c, 2, ways));
}

static void condition(const struct small *s, int wake)
{
	Z3_ast ways[MOST_EVENTS + 1];
	unsigned n = 0;
	int wait = wake;
	while (s->ev[wait].thread != s->ev[wake].thread || s->ev[wait].kind != EV_CWAIT)
		wait--;
	ways[n++] = before(end, at[wake]);
	for (int i = 0; i < s->count; i++)
		if ((s->ev[i].kind == EV_CSIGNAL || s->ev[i].kind == EV_CBROADCAST) && s->ev[i].object == s->ev[wake].object) {
			Z3_ast both[2] = { before(at[wait], at[i]), before(at[i], at[wake]) };
			ways[n++] = Z3_mk_and(c, 2, both);
		}
	say(Z3_mk_or(c, n, ways));
}

/* Stores wait, in the order of the model, until the next event of their thread that needs an empty buffer. */
static void buffers(const struct small *s, enum brute_model model)
{
	for (int i = 0; i < s->count; i++) {
		bool waits = model != BRUTE_SC && (store_waits(&s->ev[i]) || spin_unlock(&s->ev[i]));
		reaches[i] = waits ? flushes[i] : at[i];
		if (waits)
			say(before(at[i], flushes[i]));
		for (int k = i + 1; k < s->count && waits; k++) {
			if (s->ev[k].thread != s->ev[i].thread)
				continue;
			if (saw_empties(k))
				say(before(flushes[i], at[k]));
			else if ((store_waits(&s->ev[k]) || spin_unlock(&s->ev[k])) && stores_ordered(s, model, i, k))
				say(before(flushes[i], flushes[k]));
		}
	}
}

/* `who` needs event `of`: if another thread made it, all stores up to it are in memory. */
static void needs(const struct small *s, int who, int of)
{
	if (s->ev[of].kind == EV_TRYFAIL) {     /* whoever refused it gives its lock back afterwards */
		say(before(at[of], reaches[who]));
		return;
	}
	say(before(at[of], at[who]));
	for (int i = 0; i <= of && s->ev[who].thread != s->ev[of].thread; i++)
		if (s->ev[i].thread == s->ev[of].thread)
			say(before(reaches[i], at[who]));
}

/* Counting looks at both sides of an order, so these are never at once; everywhere else two events at once may be taken either way. */
static void sem_distinct(const struct small *s, int sem)
{
	Z3_ast all[MOST_EVENTS];
	unsigned count = 0;
	for (int i = 0; i < s->count; i++)
		if ((s->ev[i].kind == EV_SWAIT || s->ev[i].kind == EV_SPOST) && s->ev[i].object == sem)
			all[count++] = at[i];
	if (count > 1)
		say(Z3_mk_distinct(c, count, all));
}

static void rules(const struct small *s, enum brute_model model)
{
	begin();
	buffers(s, model);
	for (int i = 0; i < s->count; i++) {
		for (int k = i + 1; k < s->count; k++)
			if (s->ev[k].thread == s->ev[i].thread) {
				say(before(at[i], at[k]));
				break;
			}
		for (int k = 0; k < s->count; k++)
			if (saw_needs(i, k))
				needs(s, i, k);
		if (s->ev[i].kind == EV_SWAIT)
			semaphore(s, i);
		if (s->ev[i].kind == EV_CWAKE && saw_wants_signal(i))
			condition(s, i);
	}
	for (int i = 0; i < 2; i++)
		sem_distinct(s, i);
	find_parts(s);
	for (int i = 0; i < part_count; i++)
		for (int k = i + 1; k < part_count; k++)
			if (parts[i].lock == parts[k].lock && parts[i].thread != parts[k].thread && !(parts[i].reads && parts[k].reads))
				exclude(&parts[i], &parts[k]);
}

struct brute smt_reverse(const struct small *s, enum brute_model model, int a, int b)
{
	struct brute out;
	rules(s, model);
	Z3_solver_push(c, solver);
	say(before(end, reaches[a]));
	if (reaches[b] != at[b])
		say(before(reaches[b], end));
	for (int i = 0; i < s->count; i++)
		if ((s->ev[i].thread == s->ev[b].thread && i < b) || (s->ev[i].kind == EV_FORK && s->ev[i].object == s->ev[b].thread))
			say(before(at[i], end));
	out.can = Z3_solver_check(c, solver) == Z3_L_TRUE;
	Z3_solver_pop(c, solver, 1);
	for (int i = 0; i < s->count; i++)
		say(before(at[i], end)), say(before(reaches[i], end));
	say(before(reaches[b], reaches[a]));
	out.can_complete = Z3_solver_check(c, solver) == Z3_L_TRUE;
	return out;
}

/* ---- values ---- */

static int asked;                       /* the read at the end */

/* A store of the reader's own thread before it, that may wait: it sees it wherever it is. */
static bool is_own(const struct small *s, int k, int write)
{
	int reader = k < 0 ? asked : k;
	return reaches[write] != at[write] && write < reader && s->ev[write].thread == s->ev[reader].thread;
}

/* Reader `k` (or the end, k < 0) finds `write` in the byte (write < 0: the first value). */
static Z3_ast finds(const struct small *s, int k, int write, int byte)
{
	Z3_ast all[2 * MOST_EVENTS], when = k < 0 ? end : at[k];
	unsigned n = 0;
	if (write >= 0 && !is_own(s, k, write))
		all[n++] = before(reaches[write], when);
	for (int i = 0; i < s->count; i++) {
		if (i == write || i == k || !small_writes(&s->ev[i]) || (small_byte(&s->ev[i], byte & 1) != byte))
			continue;
		Z3_ast ways[2] = { is_own(s, k, i) ? Z3_mk_false(c) : before(when, reaches[i]),
			write < 0 ? Z3_mk_false(c) : before(reaches[i], reaches[write]) };
		all[n++] = Z3_mk_or(c, 2, ways);
	}
	return Z3_mk_and(c, n, all);
}

/* It finds this value there. */
static Z3_ast finds_value(const struct small *s, int k, int byte, int value)
{
	Z3_ast ways[MOST_EVENTS + 2];
	unsigned n = 0;
	for (int w = -1; w < s->count; w++) {
		bool writes = w < 0 || (w != k && small_writes(&s->ev[w]) && small_byte(&s->ev[w], byte & 1) == byte);
		if (writes && (w < 0 ? 0 : s->ev[w].put[byte & 1]) == value)
			ways[n++] = finds(s, k, w, byte);
	}
	return Z3_mk_or(c, n, ways);
}

static void keeps_its_value(const struct small *s, int k)
{
	for (int i = 0; i < 2; i++) {
		int byte = small_byte(&s->ev[k], i);
		if (byte < 0)
			continue;
		Z3_ast ways[2] = { before(end, at[k]), finds_value(s, k, byte, s->ev[k].got[i]) };
		say(Z3_mk_or(c, 2, ways));
	}
}

bool smt_reads(const struct small *s, enum brute_model model, const struct brute_read *q)
{
	rules(s, model);
	asked = q->read;
	say(before(end, at[q->read]));
	for (int i = 0; i < s->count; i++) {
		if ((s->ev[i].thread == s->ev[q->read].thread && i < q->read) || (s->ev[i].kind == EV_FORK && s->ev[i].object == s->ev[q->read].thread))
			say(before(at[i], end));
		if (q->kept >> i & 1 && small_reads(&s->ev[i]) && i != q->read)
			keeps_its_value(s, i);
	}
	for (int i = 0; i < 2; i++) {
		int byte = small_byte(&s->ev[q->read], i);
		if (byte < 0)
			continue;
		if (q->from < 0)
			say(finds_value(s, -1, byte, q->value[i]));
		else if (small_byte(&s->ev[q->from], i) == byte)
			say(finds(s, -1, q->from, byte));
	}
	return Z3_solver_check(c, solver) == Z3_L_TRUE;
}
