/* drive/handed_trace.c -- see handed_trace.h.  A ring of our own is filled with what the run left in its, and drained: the file is the
 * one a run alone would leave, since it is made by the same hand. */
#include "drive/handed_trace.h"

#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "drive/drain.h"
#include "drive/handed_segments.h"
#include "drive/steer_inside.h"
#include "trace/format.h"
#include "wire/tls.h"

#define TRACE_LIMIT (4ull << 30)

struct handed_traces {
	const struct ring *from;
	struct ring own;
	bool made;
};

struct handed_traces *handed_traces_new(const struct ring *ring)
{
	struct handed_traces *t = mem_take(sizeof *t);
	t->from = ring;
	return t;
}

void handed_traces_free(struct handed_traces *t)
{
	if (t && t->made)
		ring_release(&t->own);
	mem_free(t);
}

/* A run that loads objects is the last one: those of this run are the first of those there are. */
static void copy_tables(struct handed_traces *t, uint32_t modules)
{
	uint32_t count = modules < RING_MODULES ? modules : RING_MODULES;
	*ring_process(&t->own, 0) = *ring_process(t->from, 0);
	for (uint32_t i = 0; i < count; i++)
		*ring_module(&t->own, i) = *ring_module(t->from, i);
	t->own.head->next_module = count;
}

/* Puts the pieces where they belong; how many bytes they are, 0: they are not all there. */
static size_t put_area(struct thread_area *to, const uint8_t *from, size_t left)
{
	uint32_t at[HANDED_PIECES], bytes[HANDED_PIECES];
	size_t all = offsetof(struct thread_area, held);
	if (left < all)
		return 0;
	memcpy(to, from, all);
	handed_area(to, at, bytes);
	for (unsigned i = 1; i < HANDED_PIECES; all += bytes[i++]) {
		if (left - all < bytes[i])
			return 0;
		memcpy((char *)to + at[i], from + all, bytes[i]);
	}
	return all;
}

static void copy_areas(struct handed_traces *t, const uint8_t *areas, size_t left, uint32_t count)
{
	uint32_t made = 0;
	for (size_t bytes; made < count && made < RING_THREADS; made++) {
		struct thread_area a = { 0 };
		bytes = put_area(&a, areas, left);
		if (!bytes)
			break;
		a.process = 0;
		memcpy(ring_area(&t->own, made), &a, sizeof a);
		areas += bytes;
		left -= bytes;
	}
	t->own.head->next_uid = made;
}

static void copy_segments(struct handed_traces *t, const uint8_t *at, size_t left, uint32_t count)
{
	struct segment_head head;
	for (uint32_t i = 0; i < count && i < t->own.ordinary && handed_segment(at, left, &head); i++) {
		memset(ring_segment(&t->own, i) + head.used, 0, SEGMENT_BYTES - head.used);
		memcpy(ring_segment(&t->own, i), at, head.used);
		*ring_state(&t->own, i) = SEG_FULL;
		at += head.used;
		left -= head.used;
	}
}

void handed_trace(struct handed_traces *t, const char *path, const struct steer_options *o, const struct handed_run *run,
	const uint8_t *behind)
{
	struct err why;
	struct drain_totals totals;
	struct drain_setup setup = { .ring = &t->own, .output = path, .argv = o->argv, .level = MODE_STEER, .max_size = TRACE_LIMIT,
		.order = ORDER_TOTAL, .heap = o->heap };
	if (!t->made && ring_make(&t->own, RING_STREAM, MODE_STEER, SHARED_STREAM_RING, false, &why) < 0)
		return;
	t->made = true;
	ring_reset(&t->own);
	copy_tables(t, run->modules);
	copy_areas(t, behind, run->area_bytes, run->areas);
	copy_segments(t, behind + run->area_bytes, run->bytes - sizeof *run - run->area_bytes, run->segments);
	struct drain *d = drain_new(&setup);
	drain_process_ended(d, ring_process(&t->own, 0)->pid, W_EXITCODE(o->go_on_with & 255, 0));
	drain_finish(d, &totals);
}
