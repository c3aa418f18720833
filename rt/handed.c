/* rt/handed.c -- at the end of a run that another one follows its records go from the ring to the row of wire/handed.h, and the
 * ring is as it was where the run began.
 *   (1) between two runs nobody is in the middle of a record: there is one kernel thread, and it is here;
 *   (2) raddle takes no segment from the ring before the last run (steer_head.last_begun): a run that needs more than there are becomes
 *       that (segment.c), so those of this run stand in the queue, from where it was, in the order they were taken. */
#include "rt/handed.h"

#include "rt/segment.h"
#include "rt/strands.h"
#include "rt/sys.h"
#include "wire/handed.h"

#define HANDED_NEAR (512u << 10)        /* bytes */

static uint64_t queue_from;

void handed_start(void)
{
	queue_from = ring->queue_head;
}

static uint32_t nth_segment(uint64_t nth)
{
	const uint32_t *queue = (const uint32_t *)((const char *)ring + ring->queue_at);
	return queue[nth % ring->segment_count];
}

/* Bytes of it that are records, and its head. */
static uint64_t bytes_in(uint32_t segment)
{
	struct segment_head *head = (struct segment_head *)ring_segment(segment);
	if (!head->used)
		head->used = segment_true_end((uint64_t)head + SEGMENT_HEAD) & (SEGMENT_BYTES - 1);
	return head->used;
}

/* Threads of this run that have an area: the first one, and those that came. */
static uint32_t area_end(void)
{
	uint32_t end = ring->next_uid + 1;
	return end < RING_THREADS ? end : RING_THREADS;
}

static bool is_wanted(uint32_t area)
{
	return steer->handed_areas && ring_area(area)->state != AREA_FREE && ring_area(area)->process == process_index;
}

/* How many bytes that takes; `to` NULL: it is only asked. */
static uint32_t copy_area(char *to, const struct thread_area *area)
{
	uint32_t at[HANDED_PIECES], bytes[HANDED_PIECES], all = 0;
	handed_area(area, at, bytes);
	for (unsigned i = 0; i < HANDED_PIECES; all += bytes[i++])
		if (to)
			copy_bytes(to + all, (const char *)area + at[i], bytes[i]);
	return all;
}

static struct handed_run measure(void)
{
	struct handed_run run = { .bytes = sizeof run, .what = HANDED_RUN, .modules = ring->next_module };
	for (uint64_t i = queue_from; i < ring->queue_head; i++, run.segments++)
		run.bytes += bytes_in(nth_segment(i));
	for (uint32_t i = 0; steer->handed_areas && i < area_end(); i++)
		if (is_wanted(i)) {
			run.areas++;
			run.area_bytes += copy_area(NULL, ring_area(i));
		}
	run.bytes += run.area_bytes;
	return run;
}

static void await_room(uint64_t end)
{
	while (end - __atomic_load_n(&steer->handed_taken, __ATOMIC_ACQUIRE) > steer->handed_room) {
		uint32_t seen = __atomic_load_n(&steer->handed_futex, __ATOMIC_SEQ_CST);
		__atomic_store_n(&steer->handed_waits, 1, __ATOMIC_SEQ_CST);
		if (end - __atomic_load_n(&steer->handed_taken, __ATOMIC_SEQ_CST) > steer->handed_room)
			sys_futex_wait(&steer->handed_futex, seen, NULL);
		__atomic_store_n(&steer->handed_waits, 0, __ATOMIC_SEQ_CST);
	}
}

/* Raddle keeps up: the beginning of the row, in memory both have at hand, will do. */
static bool begins_again(uint64_t at, uint64_t bytes)
{
	uint64_t waits = steer->handed - __atomic_load_n(&steer->handed_taken, __ATOMIC_ACQUIRE);
	return at >= HANDED_NEAR && waits + (steer->handed_room - at) + bytes <= steer->handed_room;
}

/* Where so many bytes can be written in one piece. */
static char *make_room(uint64_t bytes)
{
	uint64_t at = steer->handed % steer->handed_room;
	char *row = (char *)steer + steer->handed_at;
	if (at + bytes > steer->handed_room || begins_again(at, bytes)) {
		struct handed_run rest = { .bytes = steer->handed_room - at, .what = HANDED_REST };
		await_room(steer->handed + rest.bytes);
		copy_bytes(row + at, &rest, rest.bytes < sizeof rest ? rest.bytes : sizeof rest);
		__atomic_store_n(&steer->handed, steer->handed + rest.bytes, __ATOMIC_RELEASE);
		at = 0;
	}
	await_room(steer->handed + bytes);
	return row + at;
}

static void copy_all(char *to, const struct handed_run *run)
{
	copy_bytes(to, run, sizeof *run);
	to += sizeof *run;
	for (uint32_t i = 0; run->areas && i < area_end(); i++)
		if (is_wanted(i))
			to += copy_area(to, ring_area(i));
	for (uint64_t i = queue_from; i < ring->queue_head; i++) {
		uint64_t bytes = bytes_in(nth_segment(i));
		copy_bytes(to, ring_segment(nth_segment(i)), bytes);
		to += bytes;
	}
}

void handed_forget(void)
{
	for (uint64_t i = queue_from; i < ring->queue_head; i++)
		ring_states()[nth_segment(i)] = SEG_FREE;
	ring->queue_head = queue_from;
}

bool handed_over(void)
{
	struct handed_run run = measure();
	if (run.bytes > steer->handed_room / 2)
		return false;
	copy_all(make_room(run.bytes), &run);
	handed_forget();
	__atomic_store_n(&steer->handed, steer->handed + run.bytes, __ATOMIC_RELEASE);
	return true;
}
