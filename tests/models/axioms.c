/* tests/models/axioms.c -- the outcomes of a litmus test by axioms: no buffers, no schedules.
 *
 * A candidate says, for each byte, in which order its stores became memory (co) and, for each byte of each load, which store it
 * came from (rf; the first value if none).  fr: a load's byte comes before every store that is co-after the one it read.
 * It is an execution of the model if
 *   (1) for each byte, what happens to it can be put in one order that keeps program order:  acyclic(po-byte | rf | co | fr)
 *   (2) all of it can:  acyclic(ppo | rf of other threads | co | fr), where ppo is program order but for
 *         tso   a store and a later load,
 *         pso   that, and a store and a later store, unless a release fence stands between or the later one is a release,
 *       and kept whole across a seq_cst fence, an exchange or a seq_cst store (which are nodes of that order themselves).
 * sc is (2) with all of program order and all of rf.  An exchange is one node that reads and writes, so nothing comes between.
 * Bytes that the same operations touch behave alike: one of them is enough to look at, and speaks for the others. */
#include <stdio.h>
#include <string.h>

#include "tests/models/shape.h"

struct search {
	const struct shape *s;
	enum shape_model model;
	struct outcomes *out;
	unsigned classes, byte_of[SHAPE_BYTES], class_of[SHAPE_BYTES];  /* class -> one byte of it; byte -> class */
	unsigned co[SHAPE_BYTES][SHAPE_OPS], writers[SHAPE_BYTES];      /* per class, stores in order */
	int rf[SHAPE_BYTES][SHAPE_OPS];                                 /* per class and load: place in co of what it read, -1 the first value */
	bool ppo[SHAPE_OPS][SHAPE_OPS];
};

/* ---- program order that is kept ---- */

static bool is_strong(const struct op *o)
{
	return o->kind == 'F' || o->kind == 'X' || o->kind == 'S';
}

static bool between(const struct shape *s, unsigned a, unsigned b, bool (*wanted)(const struct op *o))
{
	for (unsigned i = a + 1; i < b; i++)
		if (wanted(&s->op[i]))
			return true;
	return false;
}

static bool is_release_fence(const struct op *o)
{
	return o->kind == 'f';
}

static bool kept(const struct search *x, unsigned a, unsigned b)
{
	const struct op *first = &x->s->op[a], *second = &x->s->op[b];
	if (x->model == SHAPE_SC || is_strong(first) || is_strong(second) || between(x->s, a, b, is_strong) || first->kind == 'R')
		return true;
	if (!op_writes(first))
		return false;                   /* a release fence itself is no node */
	if (!op_writes(second))
		return false;                   /* store, then load */
	return x->model == SHAPE_TSO || second->kind == 'L' || between(x->s, a, b, is_release_fence);
}

/* ---- cycles ---- */

static bool cyclic(unsigned count, bool r[SHAPE_OPS][SHAPE_OPS])
{
	for (unsigned k = 0; k < count; k++)
		for (unsigned i = 0; i < count; i++)
			for (unsigned j = 0; r[i][k] && j < count; j++)
				r[i][j] |= r[k][j];
	for (unsigned i = 0; i < count; i++)
		if (r[i][i])
			return true;
	return false;
}

/* co, rf and fr of one class; rf of the own thread only if `own`. */
static void communicate(const struct search *x, unsigned class, bool own, bool r[SHAPE_OPS][SHAPE_OPS])
{
	const unsigned *co = x->co[class];
	unsigned writers = x->writers[class];
	for (unsigned i = 0; i < writers; i++)
		for (unsigned j = i + 1; j < writers; j++)
			r[co[i]][co[j]] = true;
	for (unsigned l = 0; l < x->s->count; l++) {
		const struct op *o = &x->s->op[l];
		int from = x->rf[class][l];
		if (!op_reads(o) || !op_covers(o, x->byte_of[class]))
			continue;
		if (from >= 0 && (own || x->s->op[co[from]].thread != o->thread))
			r[co[from]][l] = true;
		for (unsigned j = (unsigned)(from + 1); j < writers; j++)
			if (co[j] != l)
				r[l][co[j]] = true;
	}
}

static bool is_execution(const struct search *x)
{
	bool all[SHAPE_OPS][SHAPE_OPS];
	for (unsigned c = 0; c < x->classes; c++) {
		bool one[SHAPE_OPS][SHAPE_OPS] = { 0 };
		for (unsigned i = 0; i < x->s->count; i++)
			for (unsigned j = i + 1; j < x->s->count; j++)
				one[i][j] = x->s->op[i].thread == x->s->op[j].thread && op_covers(&x->s->op[i], x->byte_of[c]) &&
					op_covers(&x->s->op[j], x->byte_of[c]);
		communicate(x, c, true, one);
		if (cyclic(x->s->count, one))
			return false;
	}
	memcpy(all, x->ppo, sizeof all);
	for (unsigned c = 0; c < x->classes; c++)
		communicate(x, c, x->model == SHAPE_SC, all);
	return !cyclic(x->s->count, all);
}

/* ---- candidates ---- */

static unsigned value_read(const struct search *x, unsigned load, unsigned byte)
{
	unsigned class = x->class_of[byte];
	int from = x->rf[class][load];
	return from < 0 ? 0 : x->s->op[x->co[class][from]].value;
}

static void add(const struct search *x)
{
	char text[64];
	unsigned at = 0;
	for (unsigned l = 0; l < x->s->count; l++) {
		const struct op *o = &x->s->op[l];
		for (unsigned k = 0; op_reads(o) && k < o->size; k++)
			text[at++] = (char)('0' + value_read(x, l, o->at + k));
		if (op_reads(o))
			text[at++] = ' ';
	}
	for (unsigned b = 0; b < SHAPE_BYTES; b++) {
		unsigned class = x->class_of[b], writers = class < x->classes ? x->writers[class] : 0;
		text[at++] = (char)('0' + (writers ? x->s->op[x->co[class][writers - 1]].value : 0));
	}
	text[at] = 0;
	outcomes_add(x->out, text);
}

static void choose_reads(struct search *x, unsigned class, unsigned load)
{
	while (class < x->classes && load == x->s->count) {
		class++;
		load = 0;
	}
	if (class == x->classes) {
		if (is_execution(x))
			add(x);
		return;
	}
	const struct op *o = &x->s->op[load];
	if (!op_reads(o) || !op_covers(o, x->byte_of[class])) {
		choose_reads(x, class, load + 1);
		return;
	}
	for (int from = -1; from < (int)x->writers[class]; from++)
		if (from < 0 || x->co[class][from] != load) {
			x->rf[class][load] = from;
			choose_reads(x, class, load + 1);
		}
}

/* Stores of one thread to one byte stay in their order anyway: others are not tried. */
static bool goes_next(const struct search *x, unsigned class, unsigned at, unsigned k)
{
	for (unsigned j = at; j < x->writers[class]; j++)
		if (x->s->op[x->co[class][j]].thread == x->s->op[x->co[class][k]].thread && x->co[class][j] < x->co[class][k])
			return false;
	return true;
}

static void choose_order(struct search *x, unsigned class, unsigned at)
{
	if (class == x->classes) {
		choose_reads(x, 0, 0);
		return;
	}
	if (at == x->writers[class]) {
		choose_order(x, class + 1, 0);
		return;
	}
	for (unsigned k = at; k < x->writers[class]; k++) {
		unsigned chosen = x->co[class][k];
		if (!goes_next(x, class, at, k))
			continue;
		memmove(&x->co[class][at + 1], &x->co[class][at], (k - at) * sizeof chosen);
		x->co[class][at] = chosen;
		choose_order(x, class, at + 1);
		memmove(&x->co[class][at], &x->co[class][at + 1], (k - at) * sizeof chosen);
		x->co[class][k] = chosen;
	}
}

static unsigned touched(const struct shape *s, unsigned byte)
{
	unsigned set = 0;
	for (unsigned i = 0; i < s->count; i++)
		set |= (unsigned)op_covers(&s->op[i], byte) << i;
	return set;
}

void axioms_outcomes(const struct shape *s, enum shape_model model, struct outcomes *out)
{
	struct search x = { .s = s, .model = model, .out = out };
	for (unsigned b = 0; b < SHAPE_BYTES; b++) {
		unsigned c = 0;
		while (c < x.classes && touched(s, x.byte_of[c]) != touched(s, b))
			c++;
		if (c == x.classes)
			x.byte_of[x.classes++] = b;
		x.class_of[b] = c;
	}
	for (unsigned c = 0; c < x.classes; c++)
		for (unsigned i = 0; i < s->count; i++)
			if (op_writes(&s->op[i]) && op_covers(&s->op[i], x.byte_of[c]))
				x.co[c][x.writers[c]++] = i;
	for (unsigned i = 0; i < s->count; i++)
		for (unsigned j = i + 1; j < s->count; j++)
			x.ppo[i][j] = s->op[i].thread == s->op[j].thread && kept(&x, i, j);
	choose_order(&x, 0, 0);
}
