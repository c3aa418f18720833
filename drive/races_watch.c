/* drive/races_watch.c -- see races_watch.h.  Events come from drive/records.h. */
#include "drive/races_watch.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/map.h"
#include "drive/handed_segments.h"
#include "drive/records.h"

#define SUMS_MOST (1u << 16)
struct run_sum { uint64_t high; size_t from, count; };         /* its other half; what was found */

struct race_watch {
	struct races *races;
	struct records *records;
	struct live *live;                      /* of the records */
	struct ring *ring;
	struct trace *trace;                    /* the last one read */
	struct race_limits limits;
	struct map like;                        /* sum of a run's records -> index of runs */
	VEC(struct run_sum) runs;               /* of the row, those that were looked at */
};

static const char *symbol_in(void *live, uint64_t address, uint64_t *offset)
{
	const char *name = trace_symbol(live_trace(live), address, offset);
	return name ? trace_shown(live_trace(live), name) : NULL;
}

static const char *path_in(void *live, uint32_t thread)
{
	struct trace *t = live_trace(live);
	return thread < trace_thread_count(t) ? trace_thread(t, (struct thread_id){ thread })->path : NULL;
}

static const struct place *function_in(void *live, uint64_t descriptor)
{
	return trace_function(live_trace(live), descriptor);
}

static const struct place *call_in(void *live, uint64_t returns)
{
	return trace_call_place(live_trace(live), returns);
}

static const char *library_in(void *live, uint64_t address)
{
	return race_library(live_trace(live), address);
}

struct race_watch *race_watch_new(const struct race_limits *limits)
{
	struct race_watch *w = mem_take(sizeof *w);
	w->limits = limits ? *limits : (struct race_limits){ 0 };
	w->records = records_new();
	w->live = records_live(w->records);
	w->races = races_new(limits, &(struct race_names){ w->live, symbol_in, path_in, function_in, call_in, library_in });
	return w;
}

void race_watch_free(struct race_watch *w)
{
	if (!w)
		return;
	races_free(w->races);
	records_free(w->records);
	trace_close(w->trace);
	map_release(&w->like);
	vec_release(&w->runs);
	mem_free(w);
}

void race_watch_begin(struct race_watch *w, struct ring *ring)
{
	w->ring = ring;
	map_clear(&w->like);
	vec_clear(&w->runs);
	records_begin(w->records, ring);
	races_begin(w->races);
}

static void note_events(struct race_watch *w, uint64_t below)
{
	struct event ev;
	while (live_next(w->live, below, &ev))
		races_note(w->races, &ev);
}

unsigned race_watch_step(struct race_watch *w)
{
	unsigned taken = records_step(w->records);
	if (taken)
		note_events(w, live_highest(w->live));
	return taken;
}

static int from_trace(struct race_watch *w, const char *path, struct race_list *out, struct err *why)
{
	trace_close(w->trace);
	w->trace = NULL;
	if (trace_open(&w->trace, path, &(struct trace_options){ .salvage = true }, why) < 0)
		return -1;
	return races_of_trace(w->trace, &w->limits, out, why);
}

int race_watch_end(struct race_watch *w, const char *trace, struct race_list *out, struct err *why)
{
	if (trace)
		return from_trace(w, trace, out, why);
	records_end(w->records);
	note_events(w, UINT64_MAX);
	races_take(w->races, out);
	return 0;
}

/* ---------------------------------------------------------------- runs in one piece */

/* Everything events are made of.  Only times of segments differ between runs that are alike. */
static XXH128_hash_t sum_of(const uint8_t *at, size_t left, uint32_t count)
{
	XXH128_hash_t sum = { left, count };
	struct segment_head head;
	for (uint32_t i = 0; i < count && handed_segment(at, left, &head); i++) {
		head.start_time = sum.low64;
		head.end_time = sum.high64;
		XXH128_hash_t mine = XXH3_128bits(&head, sizeof head);
		sum = XXH3_128bits_withSeed(at + SEGMENT_HEAD, head.used - SEGMENT_HEAD, mine.low64);
		sum.high64 ^= mine.high64;
		at += head.used;
		left -= head.used;
	}
	return sum;
}

/* Was there a run like it in this row?  Most hunts see most orders of a small test again and again. */
static bool is_like_another(struct race_watch *w, const XXH128_hash_t *sum)
{
	uint64_t *index = map_get(&w->like, sum->low64);
	if (!index || w->runs.at[*index].high != sum->high64)
		return false;
	races_next_like(w->races, w->runs.at[*index].from, w->runs.at[*index].count);
	return true;
}

static void keep_sum(struct race_watch *w, const XXH128_hash_t *sum, size_t from)
{
	if (w->runs.count >= SUMS_MOST)
		return;
	*map_put(&w->like, sum->low64, NULL) = w->runs.count;
	vec_push(&w->runs, ((struct run_sum){ sum->high64, from, races_hits(w->races) - from }));
}

void race_watch_run(struct race_watch *w, const uint8_t *at, size_t left, uint32_t count)
{
	XXH128_hash_t sum = sum_of(at, left, count);
	size_t hits = races_hits(w->races);
	if (is_like_another(w, &sum))
		return;
	records_run(w->records, at, left, count);
	note_events(w, UINT64_MAX);
	races_next(w->races);
	keep_sum(w, &sum, hits);
}

void race_watch_row(struct race_watch *w, struct race_row *out)
{
	races_take_row(w->races, out);
	race_watch_begin(w, w->ring);
}
