/* analyses/determinism/verdict.c -- from pairs and doubts to the verdict. */
#include "analyses/determinism/inside.h"

#include <stdio.h>
#include <string.h>

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
	if (trace_level(w->out->trace) == 1)
		walk_doubt(w, "a recording without accesses", NULL, 1);
	if (trace_salvaged(w->out->trace))
		walk_doubt(w, "a damaged trace", NULL, 1);
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

/* Output to different descriptors depends on each other if they are of one file, which is not known. */
static void set_files_aside(struct walk *w)
{
	size_t kept = 0;
	for (size_t i = 0; i < w->pairs.count; i++) {
		const struct pair *p = &w->pairs.at[i];
		if (strcmp(p->object, kept_name(KEPT_FILES)) || p->first.kind != EV_OUTPUT || p->second.kind != EV_OUTPUT)
			w->pairs.at[kept++] = *p;
		else if (p->answer != ORDER_NO)
			walk_doubt(w, "output by several threads to descriptors that may be of one file", p->first.place, 1);
	}
	w->pairs.count = kept;
}

void walk_conclude(struct walk *w)
{
	struct determinism *d = w->out;
	set_files_aside(w);
	for (size_t i = 0; i < w->pairs.count; i++) {
		enum order_answer answer = w->pairs.at[i].answer;
		d->reversible += answer == ORDER_YES || answer == ORDER_STUCK;
		d->deadlock += answer == ORDER_STUCK;
		d->unknown += answer == ORDER_UNKNOWN;
		d->same += answer == ORDER_NO && w->pairs.at[i].same;
	}
	unseen(w);
	tries_ask(w);
	if (!d->reversible)
		stuck(w);
	if (d->unknown)
		walk_doubt(w, "a question too hard for its budget", NULL, d->unknown);
	d->verdict = d->reversible ? VERDICT_ORDER_DEPENDENT : w->reasons.count ? VERDICT_UNKNOWN : VERDICT_DETERMINISTIC;
	d->pairs = w->pairs.at;
	d->pair_count = (uint32_t)w->pairs.count;
	d->reasons = w->reasons.at;
	d->reason_count = (uint32_t)w->reasons.count;
}
