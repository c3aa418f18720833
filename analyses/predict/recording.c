/* analyses/predict/recording.c -- see recording.h. */
#include "analyses/predict/recording.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_AHEAD 4u                           /* points without an event that may stand in a row */
#define ASK_EVERY  65536u                       /* events, whether to go on */
#define NODES_MOST 28000000u                    /* of about 140 bytes */

typedef VEC(uint8_t) kinds;

static bool has_no_point(const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_NAME: case EV_MAP: case EV_UNMAP: case EV_BLOCK: case EV_LIBREAD: case EV_LIBWRITE:
	case EV_KEYFRAME: case EV_FRAMES: case EV_IGNORE: case EV_TIME: case EV_MODULE: case EV_LOST: case EV_OUTCALL:
		return true;
	case EV_ALLOC: case EV_FREE: case EV_REALLOC:
		return !*ev->place->file;               /* the library's own */
	default:
		return false;
	}
}

/* The point of an event, `at` points being used up: its number from 1, or `at` if it has none of its own. */
static uint64_t next_point(const kinds *points, uint64_t at, uint8_t kind)
{
	for (uint64_t i = at; i < points->count && i < at + LOOK_AHEAD; i++)
		if (points->at[i] == kind) {
			bool twice = kind == EV_JOIN && i + 1 < points->count && points->at[i + 1] == EV_JOIN;
			return i + 1 + twice;
		}
	return at;
}

static int align_thread(struct recording *r, uint32_t thread, const kinds *points, struct err *why)
{
	struct lane *lane;
	struct event ev;
	uint64_t at = 0, number = 0;
	int got;
	if (lane_open(&lane, r->trace, (struct thread_id){ thread }, why) < 0)
		return -1;
	while ((got = lane_next(lane, &ev, why)) > 0) {
		bool same = ev.time && ev.time == number;       /* elements of one record */
		if (!same && !has_no_point(&ev)) {
			at = next_point(points, at, ev.kind);
			number = ev.time;
		}
		vec_push(&r->points[thread].nth, (uint32_t)at);
		while (r->points[thread].times.count < at)
			vec_push(&r->points[thread].times, ev.time);
	}
	while (r->points[thread].times.count < points->count)
		vec_push(&r->points[thread].times, UINT64_MAX);
	lane_close(lane);
	return got < 0 ? -1 : 0;
}

static int align(struct recording *r, const struct steer_result *run, struct err *why)
{
	uint32_t threads = trace_thread_count(r->trace);
	kinds *points = mem_take((run->threads.count + 1) * sizeof *points);
	int result = 0;
	r->points = mem_take((threads + 1) * sizeof *r->points);
	for (size_t i = 0; i < run->events.count; i++)
		vec_push(&points[run->events.at[i].strand], (uint8_t)run->events.at[i].kind);
	for (uint32_t t = 0; t < threads && result == 0; t++)
		for (size_t s = 0; s < run->threads.count; s++)
			if (!strcmp(run->threads.at[s].path, recording_path(r, t)))
				result = align_thread(r, t, &points[s], why);
	for (size_t s = 0; s < run->threads.count; s++)
		vec_release(&points[s]);
	mem_free(points);
	return result;
}

static void number_nodes(struct recording *r)
{
	r->of_node = mem_take((order_nodes(r->order) + 1) * sizeof *r->of_node);
	for (uint32_t i = 0; i < order_nodes(r->order); i++) {
		struct order_node n = order_node(r->order, i);
		if (n.real)
			r->of_node[i] = recording_nth(r, n.thread, n.index);
	}
}

/* The first pass: clocks, sections, and what is worth a second one. */
static int read_all(struct recording *r, bool shared, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (merged_open(&m, r->trace, why) < 0)
		return -1;
	r->order = order_new(r->trace);
	screen_begin(&r->screen, r->trace, r->order, shared);
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		r->full = order_nodes(r->order) >= (r->most ? r->most : NODES_MOST);
		if (r->full || (r->events % ASK_EVERY == 0 && !recording_goes_on(r, r->events))) {
			r->cut = true;
			got = 0;
			break;
		}
		r->events++;
		screen_note(&r->screen, ev, order_note(r->order, ev));
	}
	merged_close(m);
	if (got < 0)
		return -1;
	screen_end(&r->screen);
	order_seal(r->order);
	return 0;
}

int recording_open(struct recording *r, const char *path, const struct steer_result *run, struct err *why)
{
	if (trace_open(&r->trace, path, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	const char *events = trace_fact(r->trace, "events");
	r->whole = events ? strtoull(events, NULL, 10) : 0;
	if (read_all(r, run != NULL, why) < 0)
		return -1;
	if (run && align(r, run, why) < 0)
		return -1;
	if (run)
		number_nodes(r);
	return 0;
}

void recording_close(struct recording *r)
{
	for (uint32_t t = 0; r->points && t < trace_thread_count(r->trace); t++) {
		vec_release(&r->points[t].nth);
		vec_release(&r->points[t].times);
	}
	mem_free(r->points);
	mem_free(r->of_node);
	screen_release(&r->screen);
	order_free(r->order);
	trace_close(r->trace);
	*r = (struct recording){ 0 };
}

bool recording_goes_on(const struct recording *r, uint64_t read)
{
	return !r->go_on || r->go_on(r->with, read, r->whole);
}

uint64_t recording_nth(const struct recording *r, uint32_t thread, uint64_t index)
{
	return r->points && index < r->points[thread].nth.count ? r->points[thread].nth.at[index] : 0;
}

const char *recording_path(const struct recording *r, uint32_t thread)
{
	return trace_thread(r->trace, (struct thread_id){ thread })->path;
}
