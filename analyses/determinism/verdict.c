/* analyses/determinism/verdict.c -- from pairs and doubts to the verdict. */
#include "analyses/determinism/inside.h"

#include <stdio.h>
#include <string.h>

#define LOOK_AHEAD 16u                  /* nodes between a read and the wait it decides */

static bool is_system(const char *path)
{
	static const char *const names[] = { "libc.so", "ld-linux", "libm.so", "libgcc_s", "libstdc++", "libpthread", "linux-vdso",
		"libraddle-rt", "libdl.so", "librt.so", "[vdso]" };
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return !*name;
}

/* The process, or each of its threads for itself. */
static bool has_ended(const struct walk *w)
{
	for (size_t i = 0; !w->exits && i < w->alive.count; i++)
		if (!w->alive.at[i].ended)
			return false;
	return w->exits || w->alive.count;
}

static void unseen(struct walk *w)
{
	char text[400];
	const char *name;
	const struct place *where;
	uint64_t times;
	for (uint32_t i = 0; (name = order_unmodelled(w->order, i, &where, &times)); i++)
		walk_doubt(w, name, where, times);
	for (uint32_t i = 0; i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		if (!m->instrumented && !is_system(m->path)) {
			snprintf(text, sizeof text, "code not built with raddle: %s", m->path);
			walk_doubt(w, text, NULL, 1);
		}
	}
	if (trace_fact(w->out->trace, "exe") && !has_ended(w))
		walk_doubt(w, "a run that did not come to its end", NULL, 1);
	if (trace_level(w->out->trace) == 1)
		walk_doubt(w, "a recording without accesses", NULL, 1);
	if (trace_salvaged(w->out->trace))
		walk_doubt(w, "a damaged trace", NULL, 1);
}

/* Functions by which a steered run leaves an OUTCALL. */
static bool is_told(const char *name)
{
	static const char *const told[] = { "rand", "random", "srand", "srandom", "lrand48", "mrand48", "drand48", "srand48", "getenv", "secure_getenv" };
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (!strcmp(name, told[i]))
			return true;
	return false;
}

static void doubt_callee(void *with, const char *name, bool out, bool hands_over)
{
	struct walk *w = with;
	char text[300];
	const struct source *source = source_named(name, strlen(name));
	bool handed = source && source->handed && hands_over && out;
	bool silent = source && !source->reads && !source->writes && !source->everywhere;       /* what answers otherwise and what the generators gave is told */
	if ((silent && !handed) || (!source && !out) || (source && is_told(name)))
		return;
	snprintf(text, sizeof text, "a steered run does not tell whether %s() was called", trace_shown(w->out->trace, name));
	walk_doubt(w, text, NULL, 1);
}

/* Older steered runs have no calls in their traces: whatever the program may call it may have called. */
static void doubt_callees(struct walk *w)
{
	if (trace_order(w->out->trace) != ORDER_TOTAL || trace_flags(w->out->trace) & TRACE_CALLS || trace_thread_count(w->out->trace) < 2)
		return;
	if (!w->uncovered)
		w->uncovered = uncovered_new(w->out->trace);
	uncovered_callees(w->uncovered, doubt_callee, w);
}

/* No order changes what is done; can one end it early? */
static void stuck(struct walk *w)
{
	struct order_stuck *c = &w->out->stuck;
	enum order_answer answer = order_deadlock(w->order, c, &w->out->closed);
	if (answer == ORDER_UNKNOWN)
		walk_doubt(w, "locks or semaphores taken in an order that may end in deadlock", NULL, 1);
	if (answer != ORDER_YES)
		return;
	struct order_node a = order_node_at(w->order, c->spot[0]), b = order_node_at(w->order, c->spot[1]);
	*vec_add(&w->pairs) = (struct pair){ .answer = ORDER_STUCK, .waits = true, .asked = true, .times = 1, .object = "deadlock",
		.first = { c->spot[0], a.index, a.place, a.kind, true }, .second = { c->spot[1], b.index, b.place, b.kind, true } };
	w->out->reversible++;
	w->out->deadlock++;
}

static const char *function_at(const struct walk *w, const struct pair_end *e)
{
	for (size_t i = 0; e->kind == EV_CALL && i < w->named.count; i++)
		if (w->named.at[i].place == e->place)
			return w->named.at[i].function;
	return e->kind == EV_OUTCALL ? "getenv" : NULL;         /* the only one there is that is set aside */
}

/* A call whose effects are not known may come before or behind something it could depend on. */
static void doubt_call(struct walk *w, const struct pair *p, const char *what)
{
	char text[300];
	const struct pair_end *e = function_at(w, &p->first) ? &p->first : &p->second;
	const char *function = function_at(w, e);
	bool named = function && *function;
	snprintf(text, sizeof text, what, named ? function : "a function called through a pointer", named ? "()" : "");
	walk_doubt(w, text, e->place, 1);
}

static bool is_variable(const struct walk *w, const char *object)
{
	uint64_t start, bytes;
	for (uint32_t i = 0; source_variables[i].name; i++)
		if (!strcmp(source_variables[i].name, object) && trace_symbol_named(w->out->trace, object, 0, &start, &bytes))
			return true;
	return false;
}

static bool is_call(const struct pair_end *e)
{
	return e->kind == EV_CALL || e->kind == EV_OUTCALL;
}

static void doubt_pair(struct walk *w, const struct pair *p, enum kept what)
{
	bool calls = is_call(&p->first) || is_call(&p->second), output = p->first.kind == EV_OUTPUT && p->second.kind == EV_OUTPUT;
	if (what == KEPT_UNSEEN)
		doubt_call(w, p, "what %s%s touches is not seen, and others run meanwhile");
	else if (what == KEPT_ZONE)
		doubt_call(w, p, "which time zone %s%s meets or makes may hang on the order");
	else if (calls)
		doubt_call(w, p, "%s%s may answer otherwise in another order");
	else if (what == KEPT_FILES)
		walk_doubt(w, output ? "output by several threads to descriptors that may be of one file"
			: "input and output by several threads on descriptors that may be of one file", p->first.place, 1);
	else
		walk_doubt(w, "input or output by several threads on descriptors that may be copies of one another", p->first.place, 1);
}

/* What may depend on each other, or not: output to different descriptors does if they are of one file; what the system keeps is looked at by
 * some calls and not by others; code nobody watches may touch anything.  Of two calls what they keep says more than a variable they make of it. */
static void set_aside(struct walk *w)
{
	size_t kept = 0;
	for (size_t i = 0; i < w->pairs.count; i++) {
		const struct pair *p = &w->pairs.at[i];
		enum kept what = KEPT_ASIDE;
		while (what < KEPT_COUNT && p->object != kept_name(what) && strcmp(p->object, kept_name(what)))
			what++;
		if (what < KEPT_COUNT && p->answer != ORDER_NO)
			doubt_pair(w, p, what);
		if (what == KEPT_COUNT && !(is_call(&p->first) && is_call(&p->second) && is_variable(w, p->object)))
			w->pairs.at[kept++] = *p;
	}
	w->pairs.count = kept;
}

/* What changes for everybody (the locale) is read where no call is seen: nobody else may be there. */
static void doubt_changes(struct walk *w)
{
	char text[300];
	for (size_t i = 0; i < w->changes.count; i++) {
		const struct change *c = &w->changes.at[i];
		for (uint32_t t = 0; t < w->alive.count; t++) {
			const struct alive *a = &w->alive.at[t];
			bool apart = t == c->spot.thread || !a->began || (a->ended && order_before(w->order, a->last, c->spot)) ||
				order_before(w->order, c->spot, a->first);
			if (apart)
				continue;
			snprintf(text, sizeof text, "what %s() changes others may depend on, and others run meanwhile", c->function ? c->function : "");
			walk_doubt(w, c->function ? text : "more memory than is looked at is given back while others run", c->place, 1);
			break;
		}
	}
}

/* Who writes to stdout itself makes another file of what others print. */
static void doubt_streams(struct walk *w)
{
	static const char *const names[] = { "stdin", "stdout", "stderr", "_IO_2_1_stdin_", "_IO_2_1_stdout_", "_IO_2_1_stderr_" };
	uint64_t start, bytes;
	for (size_t i = 0; i < sizeof names / sizeof *names && w->alive.count > 1; i++)
		for (uint32_t nth = 0; trace_symbol_named(w->out->trace, names[i], nth, &start, &bytes); nth++) {
			const struct cell *c = shadow_cell(&w->shadow, start);
			for (uint32_t k = 0; k < c->count; k++)
				if (c->briefs[k].writes)
					walk_doubt(w, "a standard stream is made another one", w->places.at[c->briefs[k].place], 1);
		}
}

/* ---- waits that would be skipped ---- */

static bool is_read(const struct pair_end *e)
{
	return !e->writes || e->kind == EV_RMW || e->kind == EV_CAS;
}

/* The wait for a condition that a thread begins behind a read, before it lets go of any lock: what it read decides whether it waits.  NULL: none. */
static const struct place *wait_behind(const struct walk *w, const struct pair_end *e)
{
	for (struct spot at = e->spot; is_read(e) && at.at < e->spot.at + LOOK_AHEAD && order_at(w->order, at) != NO_NODE; at.at++) {
		struct order_node n = order_node_at(w->order, at);
		if (n.kind == EV_CWAIT)
			return n.place;
		if (n.kind == EV_UNLOCK || n.kind == EV_END)
			return NULL;
	}
	return NULL;
}

/* Both under one lock: the one that writes cannot come between the read and the wait that follows it. */
static bool share_a_lock(const struct walk *w, const struct pair *p)
{
	uint32_t a[8], b[8], more = order_locks_at(w->order, p->first.spot, a, 8), held = order_locks_at(w->order, p->second.spot, b, 8);
	for (uint32_t i = 0; i < more && i < 8; i++)
		for (uint32_t k = 0; k < held && k < 8; k++)
			if (a[i] == b[k])
				return true;
	return false;
}

/* A reversal after which a wait gets no signal any more ends in deadlock only if that wait is begun: not if it hangs on a read that now finds the
 * other value, as in `while (!ready) wait`.  Nor does the signal then come too early, if what it tells of is written under the lock. */
static void find_skipped(struct walk *w)
{
	for (size_t i = 0; i < w->pairs.count; i++) {
		struct pair *p = &w->pairs.at[i];
		const struct place *wait = wait_behind(w, is_read(&p->first) ? &p->first : &p->second);
		bool memory = p->first.kind != EV_CWAIT && p->second.kind != EV_CWAIT;
		if (p->answer == ORDER_NO || !wait || !memory)
			continue;
		p->skips = p->answer == ORDER_STUCK;
		for (size_t k = 0; k < w->pairs.count && share_a_lock(w, p); k++) {
			struct pair *other = &w->pairs.at[k];
			bool same = (other->first.kind == EV_CWAIT && other->first.place == wait) || (other->second.kind == EV_CWAIT && other->second.place == wait);
			other->skips |= same && other->answer == ORDER_STUCK;
		}
	}
}

void walk_conclude(struct walk *w)
{
	struct determinism *d = w->out;
	set_aside(w);
	find_skipped(w);
	for (size_t i = 0; i < w->pairs.count; i++) {
		enum order_answer answer = w->pairs.at[i].answer;
		d->reversible += answer == ORDER_YES || answer == ORDER_STUCK;
		d->deadlock += answer == ORDER_STUCK && !w->pairs.at[i].skips;
		d->skips += w->pairs.at[i].skips;
		d->unknown += answer == ORDER_UNKNOWN;
		d->same += answer == ORDER_NO && w->pairs.at[i].same;
	}
	unseen(w);
	doubt_changes(w);
	doubt_streams(w);
	tries_ask(w);
	addresses_ask(w);
	if (!d->reversible)
		stuck(w);
	if (!d->reversible)
		doubt_callees(w);
	if (d->unknown)
		walk_doubt(w, "a question too hard for its budget", NULL, d->unknown);
	d->verdict = d->reversible ? VERDICT_ORDER_DEPENDENT : w->reasons.count ? VERDICT_UNKNOWN : VERDICT_DETERMINISTIC;
	d->pairs = w->pairs.at;
	d->pair_count = (uint32_t)w->pairs.count;
	d->reasons = w->reasons.at;
	d->reason_count = (uint32_t)w->reasons.count;
}
