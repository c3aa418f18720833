/* drive/races_watch.c -- see races_watch.h.
 *
 * In a steered run one thread writes at a time and a record is whole before the next number is given out.  So once a number is
 * seen in a segment that is full, all records below it are there to be read, also in segments still written to; they are taken
 * from those as far as that, and their threads need not come to the end of a segment for others to be looked at.
 *   (1) of each lane segments are taken in the order of their numbers, each byte once;
 *   (2) whatever the program scribbled over the ring: a segment out of its turn is lost, and nothing worse. */
#include "drive/races_watch.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/map.h"
#include "drive/handed_segments.h"
#include "drive/object.h"
#include "trace/live.h"
#include "wire/tls.h"

#define SPARES_UNUSED 256       /* so many free ones in a row: no thread was given a spare behind them, lowest first */
#define FIRST_PROCESS 0u        /* in the ring's table: the program itself; those it starts are not steered */

struct part { uint64_t lane; uint32_t seq, segment; bool full; };
struct progress { uint64_t lane; uint32_t seq, offset; };      /* the segment being read and how far */

#define SUMS_MOST (1u << 16)
struct run_sum { uint64_t high; size_t from, count; };         /* its other half; what was found */

struct race_watch {
	struct races *races;
	struct live *live;
	struct ring *ring;
	struct trace *trace;                    /* the last one read */
	struct race_limits limits;
	uint32_t modules;                       /* of the ring's table that are known */
	VEC(struct module_entry) known;         /* what they were: the same again is not read again */
	VEC(struct part) parts;
	VEC(struct progress) lanes;
	struct map lane_index;
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

struct race_watch *race_watch_new(const struct race_limits *limits)
{
	struct race_watch *w = mem_take(sizeof *w);
	w->limits = limits ? *limits : (struct race_limits){ 0 };
	w->live = live_new();
	w->races = races_new(limits, &(struct race_names){ w->live, symbol_in, path_in, function_in });
	return w;
}

void race_watch_free(struct race_watch *w)
{
	if (!w)
		return;
	races_free(w->races);
	live_free(w->live);
	trace_close(w->trace);
	vec_release(&w->known);
	vec_release(&w->parts);
	vec_release(&w->lanes);
	map_release(&w->lane_index);
	map_release(&w->like);
	vec_release(&w->runs);
	mem_free(w);
}

void race_watch_begin(struct race_watch *w, struct ring *ring)
{
	w->ring = ring;
	w->modules = 0;
	vec_clear(&w->lanes);
	map_clear(&w->lane_index);
	map_clear(&w->like);
	vec_clear(&w->runs);
	live_begin(w->live);
	races_begin(w->races);
}

/* ---------------------------------------------------------------- objects */

static bool is_known(const struct race_watch *w, const struct module_entry *m)
{
	for (size_t i = 0; i < w->known.count; i++)
		if (w->known.at[i].base == m->base && w->known.at[i].low == m->low && !strcmp(w->known.at[i].path, m->path))
			return true;
	return false;
}

static void add_object(struct race_watch *w, const struct module_entry *m)
{
	struct object_block block;
	struct err ignored;                     /* what it would say is said when such a program is recorded */
	struct object_load load = { m->path, m->base, m->low, m->high, m->build_id, m->build_id_bytes };
	vec_push(&w->known, *m);
	object_block(&block, &load);
	live_module(w->live, block.bytes, block.count, &ignored);
	free(block.bytes);
}

static void find_objects(struct race_watch *w)
{
	uint32_t count = __atomic_load_n(&w->ring->head->next_module, __ATOMIC_ACQUIRE);
	for (; w->modules < count && w->modules < RING_MODULES; w->modules++) {
		if (__atomic_load_n(&ring_module(w->ring, w->modules)->state, __ATOMIC_ACQUIRE) != 1)
			return;
		struct module_entry m = *ring_module(w->ring, w->modules);
		m.path[sizeof m.path - 1] = 0;
		if (m.build_id_bytes > sizeof m.build_id)
			m.build_id_bytes = 0;
		if (!is_known(w, &m))
			add_object(w, &m);
	}
}

/* ---------------------------------------------------------------- segments */

static struct segment_head head_of(const struct race_watch *w, uint32_t segment)
{
	struct segment_head head;
	memcpy(&head, ring_segment(w->ring, segment), sizeof head);
	head.path[sizeof head.path - 1] = 0;
	return head;
}

static int by_lane(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* No segment from here on can be in use: most runs are short, and take the first few of the queue. */
static uint32_t in_use(const struct ring *r)
{
	uint64_t taken = __atomic_load_n(&r->head->queue_head, __ATOMIC_ACQUIRE);
	return r->queue_tail == r->ordinary && taken < r->ordinary ? (uint32_t)taken : r->segment_total;
}

/* Which segments are in use, lane by lane, in order. */
static void find_parts(struct race_watch *w)
{
	uint32_t end = in_use(w->ring);
	vec_clear(&w->parts);
	for (uint32_t i = 0, unused = 0; i < end && unused < SPARES_UNUSED; i++) {
		uint32_t state = __atomic_load_n(ring_state(w->ring, i), __ATOMIC_ACQUIRE);
		unused = state == SEG_FREE && i >= w->ring->ordinary ? unused + 1 : 0;
		if (state != SEG_FULL && state != SEG_OWNED && state != SEG_KEPT)
			continue;
		struct segment_head head = head_of(w, i);
		vec_push(&w->parts, ((struct part){ (uint64_t)head.thread << 8 | (head.nest & 255), head.seq, i, state == SEG_FULL }));
	}
	if (w->parts.count)
		qsort(w->parts.at, w->parts.count, sizeof *w->parts.at, by_lane);
}

static struct progress *progress_of(struct race_watch *w, uint64_t lane)
{
	bool fresh;
	uint64_t *slot = map_put(&w->lane_index, lane, &fresh);
	if (fresh) {
		*slot = w->lanes.count;
		*vec_add(&w->lanes) = (struct progress){ lane, 0, SEGMENT_HEAD };
	}
	return &w->lanes.at[*slot];
}

/* Hands over what the segment has, below a number, if it is its turn. */
static void take_part(struct race_watch *w, const struct part *p, uint64_t below)
{
	struct progress *at = progress_of(w, p->lane);
	struct segment_head head = head_of(w, p->segment);
	if (p->seq != at->seq || head.nest >= NEST_LEVELS || head.process != FIRST_PROCESS)
		return;
	size_t end = p->full && head.used >= SEGMENT_HEAD && head.used <= SEGMENT_BYTES ? head.used : SEGMENT_BYTES;
	if (at->offset < end)
		at->offset += (uint32_t)live_records(w->live, &head, ring_segment(w->ring, p->segment) + at->offset, end - at->offset, below);
	if (p->full) {
		at->seq++;
		at->offset = SEGMENT_HEAD;
	}
}

static void give_back(struct race_watch *w, uint32_t segment)
{
	struct segment_head head = head_of(w, segment);
	if (head.area < RING_THREADS && ring_area(w->ring, head.area)->thread == head.thread)
		__atomic_fetch_sub(&ring_area(w->ring, head.area)->segments, 1, __ATOMIC_RELAXED);
	ring_free_segment(w->ring, segment);
}

static void note_events(struct race_watch *w, uint64_t below)
{
	struct event ev;
	while (live_next(w->live, below, &ev))
		races_note(w->races, &ev);
}

unsigned race_watch_step(struct race_watch *w)
{
	unsigned taken = 0;
	find_parts(w);
	find_objects(w);
	for (size_t i = 0; i < w->parts.count; i++)
		if (w->parts.at[i].full) {
			take_part(w, &w->parts.at[i], UINT64_MAX);
			give_back(w, w->parts.at[i].segment);
			taken++;
		}
	if (!taken)
		return 0;
	ring_wake_writers(w->ring);
	uint64_t below = live_highest(w->live);
	for (size_t i = 0; i < w->parts.count; i++)
		if (!w->parts.at[i].full)
			take_part(w, &w->parts.at[i], below);
	note_events(w, below);
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
	find_objects(w);
	find_parts(w);
	for (size_t i = 0; i < w->parts.count; i++) {
		w->parts.at[i].full = true;
		take_part(w, &w->parts.at[i], UINT64_MAX);
	}
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
	struct segment_head head;
	XXH128_hash_t sum = sum_of(at, left, count);
	size_t hits = races_hits(w->races);
	if (is_like_another(w, &sum))
		return;
	find_objects(w);
	vec_clear(&w->lanes);
	map_clear(&w->lane_index);
	live_begin(w->live);
	for (uint32_t i = 0; i < count && handed_segment(at, left, &head); i++) {
		struct progress *lane = progress_of(w, (uint64_t)head.thread << 8 | (head.nest & 255));
		if (head.seq == lane->seq && head.nest < NEST_LEVELS && head.process == FIRST_PROCESS) {
			live_records(w->live, &head, at + SEGMENT_HEAD, head.used - SEGMENT_HEAD, UINT64_MAX);
			lane->seq++;
		}
		at += head.used;
		left -= head.used;
	}
	note_events(w, UINT64_MAX);
	races_next(w->races);
	keep_sum(w, &sum, hits);
}

void race_watch_row(struct race_watch *w, struct race_row *out)
{
	races_take_row(w->races, out);
	race_watch_begin(w, w->ring);
}
