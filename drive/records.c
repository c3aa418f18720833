/* drive/records.c -- see records.h.
 *
 * In a steered run one thread writes at a time and a record is whole before the next number is given out.  So once a number is
 * seen in a segment that is full, all records below it are there to be read, also in segments still written to; they are taken
 * from those as far as that, and their threads need not come to the end of a segment for others to be looked at.
 *   (1) of each lane segments are taken in the order of their numbers, each byte once;
 *   (2) whatever the program scribbled over the ring: a segment out of its turn is lost, and nothing worse;
 *   (3) states are looked at one by one while the program runs: a full one ahead of its turn waits for the one before it, which
 *       was filled meanwhile and is seen at the next look.  Two looks in a row that take none: it was lost (see drain_step()). */
#include "drive/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "drive/handed_segments.h"
#include "drive/object.h"
#include "wire/tls.h"

#define SPARES_UNUSED 256       /* so many free ones in a row: no thread was given a spare behind them, lowest first */
#define FIRST_PROCESS 0u        /* in the ring's table: the program itself; those it starts are not steered */

struct part { uint64_t lane; uint32_t seq, segment; bool full; };
struct progress { uint64_t lane; uint32_t seq, offset; };         /* the segment being read and how far */

struct records {
	struct live *live;
	struct ring *ring;
	uint32_t modules;                       /* of the ring's table that are known */
	VEC(struct module_entry) known;         /* what they were: the same again is not read again */
	VEC(struct part) parts;
	VEC(struct progress) lanes;
	bool stuck;                             /* full segments, and none whose turn it is */
	struct map lane_index;
};

struct records *records_new(void)
{
	struct records *r = mem_take(sizeof *r);
	r->live = live_new();
	return r;
}

void records_free(struct records *r)
{
	if (!r)
		return;
	live_free(r->live);
	vec_release(&r->known);
	vec_release(&r->parts);
	vec_release(&r->lanes);
	map_release(&r->lane_index);
	mem_free(r);
}

struct live *records_live(struct records *r)
{
	return r->live;
}

static void begin_run(struct records *r)
{
	vec_clear(&r->lanes);
	map_clear(&r->lane_index);
	r->stuck = false;
	live_begin(r->live);
}

void records_begin(struct records *r, struct ring *ring)
{
	r->ring = ring;
	r->modules = 0;
	begin_run(r);
}

/* ---------------------------------------------------------------- objects */

static bool is_known(const struct records *r, const struct module_entry *m)
{
	for (size_t i = 0; i < r->known.count; i++)
		if (r->known.at[i].base == m->base && r->known.at[i].low == m->low && !strcmp(r->known.at[i].path, m->path))
			return true;
	return false;
}

static void add_object(struct records *r, const struct module_entry *m)
{
	struct object_block block;
	struct err ignored;                     /* what it would say is said when such a program is recorded */
	struct object_load load = { m->path, m->base, m->low, m->high, m->build_id, m->build_id_bytes };
	vec_push(&r->known, *m);
	object_block(&block, &load);
	live_module(r->live, block.bytes, block.count, &ignored);
	free(block.bytes);
}

static void find_objects(struct records *r)
{
	uint32_t count = __atomic_load_n(&r->ring->head->next_module, __ATOMIC_ACQUIRE);
	for (; r->modules < count && r->modules < RING_MODULES; r->modules++) {
		if (__atomic_load_n(&ring_module(r->ring, r->modules)->state, __ATOMIC_ACQUIRE) != 1)
			return;
		struct module_entry m = *ring_module(r->ring, r->modules);
		m.path[sizeof m.path - 1] = 0;
		if (m.build_id_bytes > sizeof m.build_id)
			m.build_id_bytes = 0;
		if (!is_known(r, &m))
			add_object(r, &m);
	}
}

/* ---------------------------------------------------------------- segments */

static struct segment_head head_of(const struct records *r, uint32_t segment)
{
	struct segment_head head;
	memcpy(&head, ring_segment(r->ring, segment), sizeof head);
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
static uint32_t in_use(const struct ring *ring)
{
	uint64_t taken = __atomic_load_n(&ring->head->queue_head, __ATOMIC_ACQUIRE);
	return ring->queue_tail == ring->ordinary && taken < ring->ordinary ? (uint32_t)taken : ring->segment_total;
}

/* Which segments are in use, lane by lane, in order. */
static void find_parts(struct records *r)
{
	uint32_t end = in_use(r->ring);
	vec_clear(&r->parts);
	for (uint32_t i = 0, unused = 0; i < end && unused < SPARES_UNUSED; i++) {
		uint32_t state = __atomic_load_n(ring_state(r->ring, i), __ATOMIC_ACQUIRE);
		unused = state == SEG_FREE && i >= r->ring->ordinary ? unused + 1 : 0;
		if (state != SEG_FULL && state != SEG_OWNED && state != SEG_KEPT)
			continue;
		struct segment_head head = head_of(r, i);
		vec_push(&r->parts, ((struct part){ (uint64_t)head.thread << 8 | (head.nest & 255), head.seq, i, state == SEG_FULL }));
	}
	if (r->parts.count)
		qsort(r->parts.at, r->parts.count, sizeof *r->parts.at, by_lane);
}

static struct progress *progress_of(struct records *r, uint64_t lane)
{
	bool fresh;
	uint64_t *slot = map_put(&r->lane_index, lane, &fresh);
	if (fresh) {
		*slot = r->lanes.count;
		*vec_add(&r->lanes) = (struct progress){ lane, 0, SEGMENT_HEAD };
	}
	return &r->lanes.at[*slot];
}

/* Hands over what the segment has, below a number, if it is its turn. */
static void take_part(struct records *r, const struct part *p, uint64_t below)
{
	struct progress *at = progress_of(r, p->lane);
	struct segment_head head = head_of(r, p->segment);
	if (p->seq != at->seq || head.nest >= NEST_LEVELS || head.process != FIRST_PROCESS)
		return;
	size_t end = p->full && head.used >= SEGMENT_HEAD && head.used <= SEGMENT_BYTES ? head.used : SEGMENT_BYTES;
	if (at->offset < end)
		at->offset += (uint32_t)live_records(r->live, &head, ring_segment(r->ring, p->segment) + at->offset, end - at->offset, below);
	if (p->full) {
		at->seq++;
		at->offset = SEGMENT_HEAD;
	}
}

static void give_back(struct records *r, uint32_t segment)
{
	struct segment_head head = head_of(r, segment);
	if (head.area < RING_THREADS && ring_area(r->ring, head.area)->thread == head.thread)
		__atomic_fetch_sub(&ring_area(r->ring, head.area)->segments, 1, __ATOMIC_RELAXED);
	ring_free_segment(r->ring, segment);
}

/* Takes those whose turn it is, or all. */
static unsigned take_full(struct records *r, bool all)
{
	unsigned taken = 0;
	for (size_t i = 0; i < r->parts.count; i++) {
		const struct part *p = &r->parts.at[i];
		if (!p->full || (!all && p->seq != progress_of(r, p->lane)->seq))
			continue;
		take_part(r, p, UINT64_MAX);
		give_back(r, p->segment);
		taken++;
	}
	return taken;
}

static bool some_full(const struct records *r)
{
	for (size_t i = 0; i < r->parts.count; i++)
		if (r->parts.at[i].full)
			return true;
	return false;
}

/* ---------------------------------------------------------------- runs */

unsigned records_step(struct records *r)
{
	find_parts(r);
	find_objects(r);
	unsigned taken = take_full(r, false);
	if (!taken && r->stuck)
		taken = take_full(r, true);
	r->stuck = !taken && some_full(r);
	if (!taken)
		return 0;
	ring_wake_writers(r->ring);
	uint64_t below = live_highest(r->live);
	for (size_t i = 0; i < r->parts.count; i++)
		if (!r->parts.at[i].full)
			take_part(r, &r->parts.at[i], below);
	return taken;
}

void records_end(struct records *r)
{
	find_objects(r);
	find_parts(r);
	for (size_t i = 0; i < r->parts.count; i++) {
		r->parts.at[i].full = true;
		take_part(r, &r->parts.at[i], UINT64_MAX);
	}
}

void records_run(struct records *r, const uint8_t *at, size_t left, uint32_t count)
{
	struct segment_head head;
	find_objects(r);
	begin_run(r);
	for (uint32_t i = 0; i < count && handed_segment(at, left, &head); i++) {
		struct progress *lane = progress_of(r, (uint64_t)head.thread << 8 | (head.nest & 255));
		if (head.seq == lane->seq && head.nest < NEST_LEVELS && head.process == FIRST_PROCESS) {
			live_records(r->live, &head, at + SEGMENT_HEAD, head.used - SEGMENT_HEAD, UINT64_MAX);
			lane->seq++;
		}
		at += head.used;
		left -= head.used;
	}
}
