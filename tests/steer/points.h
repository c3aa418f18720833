/* tests/steer/points.h -- which point each event of a trace says it is of, held against the points the run told. */
#ifndef RADDLE_TESTS_STEER_POINTS_H
#define RADDLE_TESTS_STEER_POINTS_H

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "drive/steer.h"
#include "trace/reader.h"

struct told {                           /* of a thread */
	VEC(uint32_t) kind;             /* of its points */
	VEC(size_t) when;               /* how-many-th of the run each is */
	size_t waited;                  /* joins that had to wait so far: they have two points */
	size_t seen;                    /* points up to the last event looked at */
};

static struct told *told_of(const struct steer_result *r, struct told *all, const char *path)
{
	for (size_t i = 0; i < r->threads.count; i++)
		if (!strcmp(r->threads.at[i].path, path))
			return &all[i];
	return NULL;
}

/* Kinds whose record comes with a point of the same kind, always. */
static bool has_its_point(uint8_t kind)
{
	return (kind >= EV_READ && kind <= EV_FENCE) || kind == EV_LOCK || kind == EV_UNLOCK || (kind >= EV_CWAIT && kind <= EV_CBROADCAST) ||
		kind == EV_BENTER || kind == EV_SPOST || kind == EV_FORK || kind == EV_END;
}

/* A join waited if the thread it is of ended after it came to it: two points, and the event says one. */
static void pass_join(struct told *t, const struct told *joined)
{
	while (t->seen < t->kind.count && t->kind.at[t->seen] != EV_JOIN)
		t->seen++;
	t->waited += t->seen < t->kind.count && joined && joined->when.count && joined->when.at[joined->when.count - 1] > t->when.at[t->seen];
	t->seen++;
}

static bool point_is_right(struct told *t, const struct event *ev)
{
	size_t at = ev->points + t->waited;
	if (ev->points && at <= t->kind.count && t->kind.at[at - 1] == ev->kind) {
		t->seen = at;
		return true;
	}
	printf("FAIL '%s' is said to be point %zu, which is another\n", event_word((enum event_kind)ev->kind), at);
	return false;
}

static bool look_through(struct trace *trace, const struct steer_result *r, struct told *all)
{
	struct merged *m;
	struct err why = { 0 };
	const struct event *ev;
	bool right = merged_open(&m, trace, &why) == 0;
	while (right && merged_next_in_place(m, &ev, &why) > 0) {
		struct told *t = told_of(r, all, trace_thread(trace, ev->thread)->path);
		if (t && ev->kind == EV_JOIN && !ev->result && ev->object < trace_thread_count(trace))
			pass_join(t, told_of(r, all, trace_thread(trace, (struct thread_id){ (uint32_t)ev->object })->path));
		else if (t && has_its_point(ev->kind))
			right = point_is_right(t, ev);
	}
	merged_close(m);
	return right;
}

/* The run's events were asked for, and `path` is its trace. */
static bool points_are_right(const struct steer_result *r, const char *path)
{
	struct told *all = mem_take((r->threads.count + 1) * sizeof *all);
	struct trace *trace;
	struct err why = { 0 };
	bool right = false;
	for (size_t i = 0; i < r->events.count; i++) {
		vec_push(&all[r->events.at[i].strand].kind, r->events.at[i].kind);
		vec_push(&all[r->events.at[i].strand].when, i);
	}
	if (trace_open(&trace, path, &(struct trace_options){ 0 }, &why) == 0) {
		right = look_through(trace, r, all);
		trace_close(trace);
	}
	for (size_t i = 0; i < r->threads.count; i++) {
		vec_release(&all[i].kind);
		vec_release(&all[i].when);
	}
	mem_free(all);
	return right;
}

#endif
