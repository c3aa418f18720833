/* drive/drain_segments.c -- segments of the ring into blocks, lane by lane (invariants (1) and (4) of drain.c). */
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "drive/drain_inside.h"
#include "drive/facts.h"
#include "wire/kinds.h"
#include "wire/tls.h"

#define SPARES_UNUSED 256                    /* so many free ones in a row: no thread was given a spare behind them, lowest first */
#define WAKE_EVERY 128                       /* segments freed before those who wait for one are woken */

static const struct segment_head *head_at(const struct drain *d, uint32_t segment)
{
	return (const struct segment_head *)ring_segment(d->setup.ring, segment);
}

/* Where the records of a segment end: as its writer said, or, when it died, at the first zero header. */
static size_t records_end(struct sites *sites, const uint8_t *segment, const struct segment_head *head)
{
	if (head->used >= SEGMENT_HEAD && head->used <= SEGMENT_BYTES)
		return head->used;
	size_t at = SEGMENT_HEAD;
	while (at + 8 <= SEGMENT_BYTES && *(const uint64_t *)(segment + at)) {
		struct site *site;
		size_t bytes = record_bytes(sites, segment + at, SEGMENT_BYTES - at, &site);
		if (!bytes)
			break;
		at += bytes;
	}
	return at;
}

static uint64_t lane_key(const struct segment_head *head)
{
	return (uint64_t)head->thread << 8 | (head->nest & 255);
}

static bool is_thread_itself(uint64_t lane)  /* and no signal handler on it */
{
	return (lane & 255) == 0;
}

static bool keeps_last(const struct drain *d)
{
	return d->turned || d->setup.trace_flags & TRACE_LAST;
}

/* Is it the next of its lane?  In a flight recorder the ones before it may be gone. */
static bool is_next(struct drain *d, struct recorded *p, const struct turn *at)
{
	const uint64_t *next = map_get(&p->next_seq, at->lane);
	uint64_t wanted = next ? *next : 0;
	return keeps_last(d) ? at->seq >= wanted : at->seq == wanted;
}

static void introduce_thread(struct drain *d, struct recorded *p, const struct segment_head *head)
{
	struct buffer text = { 0 };
	bool fresh = true;
	if (d->salvage)
		map_put(&p->introduced, head->thread, &fresh);
	if (!fresh)
		return;
	facts_thread_begun(&text, head);
	drain_facts(d, p, BLOCK_THREAD, head->thread, &text);
}

/* All slots of the shelf are taken: blocks are made of what is held back, of all processes. */
static void make_room_on_shelf(struct drain *d)
{
	struct err why;
	if (!d->setup.leftover || d->setup.leftover->shelf.full || shelf_any_free(&d->setup.leftover->shelf))
		return;
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open && d->process[i].writer && writer_flush(d->process[i].writer, &why) < 0)
			drain_stop(d, &why);
}

void drain_take_segment(struct drain *d, struct recorded *p, const struct segment_note *note, const uint8_t *records, size_t bytes)
{
	struct err why;
	*map_put(&p->next_seq, (uint64_t)note->thread << 8 | (note->nest & 255), NULL) = note->seq + 1ull;
	if (!p->writer || !bytes)
		return;
	make_room_on_shelf(d);
	if (writer_records(p->writer, note, records, bytes, &why) < 0)
		drain_stop(d, &why);
}

static void write_segment(struct drain *d, struct recorded *p, uint32_t segment)
{
	const uint8_t *bytes = ring_segment(d->setup.ring, segment);
	struct segment_head head = *head_at(d, segment);
	if (head.nest >= NEST_LEVELS) {          /* nothing the runtime would write */
		p->lost++;
		return;
	}
	struct segment_note note = { head.thread, head.nest, head.seq, head.at_seq, head.at_offset, head.start_time, head.end_time };
	struct drain_sink *sink = d->setup.sink;
	size_t end = records_end(sink ? sink->sites : p->sites, bytes, &head);
	if (!map_get(&p->next_seq, lane_key(&head)) && head.nest == 0 && p->writer)
		introduce_thread(d, p, &head);
	d->written++;
	if (sink && p->entry == 0 && end > SEGMENT_HEAD)
		sink->segment(sink->with, &head, bytes + SEGMENT_HEAD, end - SEGMENT_HEAD);
	drain_take_segment(d, p, &note, bytes + SEGMENT_HEAD, end > SEGMENT_HEAD ? end - SEGMENT_HEAD : 0);
}

/* Salvage: it is in the trace, or on the shelf, as well; the recorder was killed before it had freed it. */
static bool is_written(const struct drain *d, const struct recorded *p, const struct turn *at)
{
	const uint64_t *next = d->salvage ? map_get(&p->next_seq, at->lane) : NULL;
	return next && at->seq < *next;
}

static int by_lane(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void add_turn(struct drain *d, uint32_t segment)
{
	const struct segment_head *head = head_at(d, segment);
	struct turn at = { lane_key(head), head->seq, segment };
	vec_push(&d->order, at);
}

static void sort_by_lane(struct drain *d)
{
	if (d->order.count)
		qsort(d->order.at, d->order.count, sizeof *d->order.at, by_lane);
}

static void free_segment(struct drain *d, uint32_t segment)
{
	const struct segment_head *head = head_at(d, segment);
	if (head->area < RING_THREADS) {
		struct thread_area *area = ring_area(d->setup.ring, head->area);
		if (area->thread == head->thread)
			__atomic_fetch_sub(&area->segments, 1, __ATOMIC_RELAXED);
	}
	ring_free_segment(d->setup.ring, segment);
}

/* Threads that ended and whose last segment is written give their area back.  Those of a steered run are few, and what they held is
 * asked for at its end. */
static void free_areas(struct drain *d)
{
	if (drain_is_total(d))
		return;
	for (uint32_t i = 0, count = ring_area_count(d->setup.ring); i < count; i++) {
		struct thread_area *area = ring_area(d->setup.ring, i);
		uint32_t process = area->process;
		if (__atomic_load_n(&area->state, __ATOMIC_ACQUIRE) != AREA_DEAD || area->segments != 0 || process >= RING_PROCESSES ||
			!d->process[process].open)
			continue;
		if (d->setup.sink)
			d->setup.sink->thread(d->setup.sink->with, area);
		else
			drain_write_thread(d, &d->process[process], area);
		__atomic_store_n(&area->state, AREA_FREE, __ATOMIC_RELEASE);
	}
}

/* What the files will have taken when the ring is written behind what they hold, in pieces that are coded worse than long blocks. */
static uint64_t bytes_at_the_end(const struct drain *d)
{
	uint64_t bytes = d->closed_bytes, ring = d->setup.ring->ordinary * (uint64_t)SEGMENT_BYTES, most = 0;
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		const struct writer *w = d->process[i].open ? d->process[i].writer : NULL;
		uint64_t more = w ? writer_guess(w, ring + ring / 2) : 0;
		bytes += w ? writer_bytes(w) : 0;
		most = more > most ? more : most;
	}
	return bytes + (most < ring ? most : ring);
}

/* The files are as large as leaves room for the ring: from now on only the last of what happens is kept. */
static void turn_into_flight_recorder(struct drain *d)
{
	char size[STR_NUMBER], kept[STR_NUMBER];
	uint64_t ring = d->setup.ring->ordinary * (uint64_t)SEGMENT_BYTES;
	d->turned = true;
	__atomic_store_n(&d->setup.ring->head->mode, RING_LAST, __ATOMIC_SEQ_CST);
	fprintf(stderr, "raddle: the trace would soon take more than %s (see --max-size); "
		"from here on only the last %s are kept\n", str_bytes(size, d->setup.max_size), str_bytes(kept, ring));
}

/* Also puts back what was refused. */
static void find_full(struct drain *d)
{
	struct ring *r = d->setup.ring;
	bool returned = false;
	vec_clear(&d->order);
	for (uint32_t i = 0, unused = 0; i < r->segment_total && unused < SPARES_UNUSED; i++) {
		uint32_t state = __atomic_load_n(ring_state(r, i), __ATOMIC_ACQUIRE);
		unused = state == SEG_FREE && i >= r->ordinary ? unused + 1 : 0;
		if (state == SEG_FULL)
			add_turn(d, i);
		if (state == SEG_REFUSED) {
			ring_free_segment(r, i);
			returned = true;
		}
	}
	if (returned)
		ring_wake_writers(r);
	drain_find_processes(d);
	if (!d->setup.sink)
		drain_find_objects(d);
	sort_by_lane(d);
}

/* Writes and frees those whose turn it is, or all; d->order has those left over afterwards. */
static unsigned write_full(struct drain *d, bool all)
{
	struct ring *r = d->setup.ring;
	unsigned written = 0;
	size_t left = 0;
	for (size_t i = 0; i < d->order.count; i++) {
		struct turn at = d->order.at[i];
		uint32_t process = head_at(d, at.segment)->process;
		if (process >= RING_PROCESSES || !d->process[process].open) {
			ring_free_segment(r, at.segment);
			continue;
		}
		if (!is_next(d, &d->process[process], &at)) {
			if (!all) {
				d->order.at[left++] = at;
				continue;
			}
			d->process[process].lost++;
		}
		write_segment(d, &d->process[process], at.segment);
		free_segment(d, at.segment);
		if (++written % WAKE_EVERY == 0)
			ring_wake_writers(r);
	}
	d->order.count = left;
	return written;
}

/* States are looked at one by one while the program runs: one filled meanwhile is not seen, its successor is, and waits for it until
 * the next look.  A full one is seen full by every later look: if there are two in a row without one whose turn it is, whoever those
 * wait for will never come. */
unsigned drain_step(struct drain *d)
{
	if (d->setup.leftover)
		d->setup.leftover->notes->last_ticks = __builtin_ia32_rdtsc();
	if (keeps_last(d)) {
		drain_find_processes(d);
		return 0;
	}
	find_full(d);
	unsigned written = write_full(d, false);
	if (!written && d->stuck)
		written = write_full(d, true);
	d->stuck = d->order.count && !written;
	if (written)
		ring_wake_writers(d->setup.ring);
	free_areas(d);
	if (written && !d->stopped && bytes_at_the_end(d) > d->setup.max_size)
		turn_into_flight_recorder(d);
	return written;
}

/* A flight recorder may have kept an old segment of a thread and taken later ones: what counts is the unbroken end. */
static bool reaches_the_end(const struct drain *d, size_t i)
{
	for (; i + 1 < d->order.count; i++) {
		const struct turn *at = &d->order.at[i], *next = at + 1;
		if (next->lane != at->lane)
			return true;
		if (next->seq != at->seq + 1 && is_thread_itself(at->lane))
			return false;
	}
	return true;
}

/* Everything the process left in the ring, whatever state it was in when it died. */
void drain_write_rest(struct drain *d, struct recorded *p)
{
	struct ring *r = d->setup.ring;
	struct err why;
	vec_clear(&d->order);
	for (uint32_t i = 0; i < r->segment_total; i++) {
		uint32_t state = __atomic_load_n(ring_state(r, i), __ATOMIC_ACQUIRE);
		if ((state == SEG_OWNED || state == SEG_KEPT || state == SEG_FULL) && head_at(d, i)->process == p->entry)
			add_turn(d, i);
	}
	sort_by_lane(d);
	for (size_t i = 0; i < d->order.count; i++) {
		if (p->writer && i && d->order.at[i].lane != d->order.at[i - 1].lane && writer_flush(p->writer, &why) < 0)
			drain_stop(d, &why);           /* that lane is complete: no need to hold it back */
		if ((!keeps_last(d) || reaches_the_end(d, i)) && !is_written(d, p, &d->order.at[i]))
			write_segment(d, p, d->order.at[i].segment);
		if (keeps_last(d))
			ring_forget_segment(r, d->order.at[i].segment);
		ring_free_segment(r, d->order.at[i].segment);
	}
}
