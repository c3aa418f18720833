/* rt/segment.c -- segments of the ring change hands.
 *
 *              take                      full                    drained by the recorder (stream)
 *   SEG_FREE ---------> SEG_OWNED ------------------> SEG_FULL ----------------------------------> SEG_FREE
 *                           |   flight recorder           ^
 *                           +-------> SEG_KEPT -----------+  when the owner fills its next one, or ends
 *   (SEG_TAKING for the moment in which a segment changes hands; SEG_REFUSED: drawn from the queue by a process that cannot write
 *   it, so the recorder puts it back)
 *
 * In a flight recorder (RING_LAST) a full segment is not drained but taken again by whoever needs one; the hand goes
 * round, so the oldest goes first, except that each live thread keeps its last full one.  In a stream a thread waits
 * until the recorder has freed one; if the recorder is gone, the program goes on unrecorded.
 *   (1) the first header word of a segment is zero when its state becomes SEG_OWNED; behind that is what was there before;
 *   (2) area->segments counts the segments whose head names that area's thread and whose state is not SEG_FREE.
 * Everything here may run in the middle of any instruction sequence of the program: no libc, no vector registers. */
#include "rt/segment.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "rt/restart.h"
#include "rt/rt.h"
#include "rt/steer.h"
#include "rt/sys.h"
#include "rt/words.h"

struct ring_head *ring;
uint32_t process_index;

static char sink[SEGMENT_BYTES] __attribute__((aligned(SEGMENT_BYTES)));

static uint64_t into_sink(void)
{
	raddle_tls.mode = MODE_OFF;
	return raddle_tls.cursor = (uint64_t)(sink + SEGMENT_HEAD);
}

static bool in_sink(uint64_t cursor)
{
	return cursor - (uint64_t)sink < SEGMENT_BYTES;
}

/* A handler may fork in the middle of all this and return in the child: what the interrupted code held is the parent's there.
 * So each step that others see first asks whether this is still the process that began. */
static uint32_t process_now(void)
{
	return __atomic_load_n(&process_index, __ATOMIC_RELAXED);
}

__thread uint32_t segment_taking;

/* Segments of the parent that are private memory here. */
static uint32_t disowned[2 * NEST_LEVELS], disowned_count;

void segment_disown(uint32_t index)
{
	long at = sys6(SYS_mmap, (long)ring_segment(index), SEGMENT_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (at == (long)ring_segment(index) && disowned_count < 2 * NEST_LEVELS)
		disowned[disowned_count++] = index;
}

static bool is_disowned(uint32_t index)
{
	for (uint32_t i = 0; i < disowned_count; i++)
		if (disowned[i] == index)
			return true;
	return false;
}

static bool in_ring(uint64_t cursor)
{
	return ring && cursor != CURSOR_NONE && cursor - (uint64_t)ring < ring->bytes;
}

static uint32_t segment_index(uint64_t cursor)
{
	return (uint32_t)((cursor - (uint64_t)ring - ring->segments_at) / SEGMENT_BYTES);
}

static struct segment_head *head_of(uint32_t index)
{
	return (struct segment_head *)ring_segment(index);
}

static bool most_are_free(void)
{
	uint64_t free = __atomic_load_n(&ring->queue_tail, __ATOMIC_RELAXED) - __atomic_load_n(&ring->queue_head, __ATOMIC_RELAXED);
	return 2 * free > ring->segment_count;
}

/* The recorder looks by itself every few milliseconds: it is woken only when there would soon be nothing to write into. */
static void tell_drainer(void)
{
	__atomic_fetch_add(&ring->full_futex, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ring->drainer_sleeps, __ATOMIC_SEQ_CST) && !most_are_free())
		sys_futex_wake(&ring->full_futex, 1);
}

static void set_state(uint32_t index, enum segment_state state)
{
	__atomic_store_n(&ring_states()[index], state, __ATOMIC_RELEASE);
}

/* The one kept so far may be taken, unless somebody in need already did. */
static void release_kept(struct thread_area *area)
{
	uint32_t seen = SEG_KEPT;
	if (area->kept)
		__atomic_compare_exchange_n(&ring_states()[area->kept - 1], &seen, SEG_FULL, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	area->kept = 0;
}

/* The segment is complete: drained soon, or kept for as long as the flight recorder can. */
static void give_up(uint64_t cursor, bool last_of_thread)
{
	struct thread_area *area = raddle_tls.area;
	uint32_t index = segment_index(cursor), began = process_now();
	head_of(index)->used = segment_true_end(cursor) & (SEGMENT_BYTES - 1);
	head_of(index)->end_time = ticks();
	if (process_now() != began)
		return;
	if (ring->mode == RING_STREAM) {
		set_state(index, SEG_FULL);
		tell_drainer();
		return;
	}
	release_kept(area);
	if (last_of_thread || raddle_tls.nest) {
		set_state(index, SEG_FULL);
	} else {
		set_state(index, SEG_KEPT);
		area->kept = index + 1;
	}
}

/* Its former owner has one segment fewer. */
static void forget_owner(uint32_t index)
{
	const struct segment_head *head = head_of(index);
	if (head->area < RING_THREADS && ring_area(head->area)->thread == head->thread)
		__atomic_fetch_sub(&ring_area(head->area)->segments, 1, __ATOMIC_RELAXED);
}

static bool take_if(uint32_t index, uint32_t wanted)
{
	uint32_t *state = &ring_states()[index];
	if (__atomic_load_n(state, __ATOMIC_RELAXED) != wanted || rt_unlikely(is_disowned(index)) ||
		!__atomic_compare_exchange_n(state, &wanted, SEG_TAKING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	if (wanted != SEG_FREE)
		forget_owner(index);
	return true;
}

/* Flight recorder: one turn of the hand over all segments, a free one or the oldest full one.  UINT32_MAX: none. */
static uint32_t turn_hand(void)
{
	uint32_t count = ring->segment_count;
	for (uint32_t tries = 0; tries < count; tries++) {
		uint32_t index = __atomic_fetch_add(&ring->hand, 1, __ATOMIC_RELAXED) % count;
		if (take_if(index, SEG_FREE) || take_if(index, SEG_FULL))
			return index;
	}
	return UINT32_MAX;
}

/* It has left the queue, and is of no use here. */
static void refuse(uint32_t index)
{
	uint32_t seen = SEG_FREE;
	__atomic_compare_exchange_n(&ring_states()[index], &seen, SEG_REFUSED, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Stream: the segment that has been free for longest.  A place in the queue is not used again before all others were. */
static uint32_t take_from_queue(void)
{
	const uint32_t *queue = (const uint32_t *)((const char *)ring + ring->queue_at);
	uint64_t head = __atomic_load_n(&ring->queue_head, __ATOMIC_ACQUIRE);
	while (head != __atomic_load_n(&ring->queue_tail, __ATOMIC_ACQUIRE)) {
		uint32_t index = queue[head % ring->segment_count];
		if (!__atomic_compare_exchange_n(&ring->queue_head, &head, head + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			continue;
		if (index < ring->segment_count && take_if(index, SEG_FREE))
			return index;
		if (index < ring->segment_count && is_disowned(index))
			refuse(index);
		head = __atomic_load_n(&ring->queue_head, __ATOMIC_ACQUIRE);
	}
	return UINT32_MAX;
}

/* Has the recorder something to give back, now or soon? */
static bool some_come_back(void)
{
	for (uint32_t i = 0; i < ring->segment_count; i++) {
		uint32_t state = __atomic_load_n(&ring_states()[i], __ATOMIC_RELAXED);
		if (state == SEG_FULL || state == SEG_REFUSED)
			return true;
	}
	return false;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

bool ring_has_room(void *at, uint64_t bytes)
{
	return !ring->in_file || sys3(SYS_madvise, (long)at, (long)bytes, MADV_POPULATE_WRITE) != -14 /* EFAULT */;
}

/* Every ordinary segment is being written: more threads than segments. */
static uint32_t take_spare(void)
{
	for (uint32_t i = 0; i < ring->segment_spare; i++) {
		uint32_t index = ring->segment_count + i;
		if (!take_if(index, SEG_FREE) && !(ring->mode == RING_LAST && take_if(index, SEG_FULL)))
			continue;
		if (ring_has_room(ring_segment(index), SEGMENT_BYTES))
			return index;
		set_state(index, SEG_FREE);
		break;
	}
	return UINT32_MAX;
}

/* It has ended and nobody has waited for it yet. */
static bool is_zombie(long pid)
{
	char path[40], text[128];
	unsigned at = words_add(path, 0, sizeof path, "/proc/");
	at = words_add_number(path, at, sizeof path, (uint64_t)pid);
	words_add(path, at, sizeof path, "/stat");
	long fd = sys6(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
	long got = fd < 0 ? 0 : sys3(SYS_read, fd, (long)text, sizeof text);
	if (fd >= 0)
		sys3(SYS_close, fd, 0, 0);
	for (long i = got - 3; i >= 0; i--)
		if (text[i] == ')')             /* the last one: its name may have any in it */
			return text[i + 2] == 'Z' || text[i + 2] == 'X';
	return false;
}

static bool recorder_gone(void)
{
	return sys3(SYS_kill, ring->recorder, 0, 0) == -3 /* ESRCH */ || is_zombie(ring->recorder) ||
		__atomic_load_n(&ring->stopped, __ATOMIC_RELAXED);
}

/* UINT32_MAX: recording has stopped. */
static uint32_t take(void)
{
	bool in_vain = false;                    /* at the last look nobody had anything to give back */
	for (;;) {
		if (__atomic_load_n(&ring->stopped, __ATOMIC_RELAXED))
			return UINT32_MAX;
		uint32_t freed = __atomic_load_n(&ring->free_futex, __ATOMIC_SEQ_CST);
		bool last = __atomic_load_n(&ring->mode, __ATOMIC_RELAXED) == RING_LAST;
		uint32_t index = last ? turn_hand() : take_from_queue();
		if (index == UINT32_MAX)
			restart_not(RESTART_TOO_MUCH);   /* raddle takes nothing from a run that others follow */
		if (index == UINT32_MAX && (last || !some_come_back()))
			index = take_spare();
		if (index != UINT32_MAX)
			return index;
		if (in_vain) {                   /* better to go on unrecorded than to hang */
			raddle_tls.area->lost++;
			return UINT32_MAX;
		}
		__atomic_store_n(&ring->writers_wait, 1, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&ring->full_futex, 1, __ATOMIC_SEQ_CST);     /* it may be just about to sleep */
		sys_futex_wake(&ring->full_futex, 1);
		struct timespec second = { .tv_sec = 1 };
		bool late = sys_futex_wait(&ring->free_futex, freed, &second) == -110 /* ETIMEDOUT */;
		if (late && recorder_gone())
			__atomic_store_n(&ring->stopped, 1, __ATOMIC_RELAXED);
		in_vain = late && !some_come_back();
	}
}

/* false: it belongs to the parent of this process. */
static bool fill_head(uint32_t index, uint32_t began)
{
	struct thread_area *area = raddle_tls.area;
	struct segment_head *head = head_of(index);
	head->used = head->end_time = 0;
	head->at_seq = head->at_offset = 0;
	*(uint64_t *)((char *)head + SEGMENT_HEAD) = 0;
	head->process = began;
	head->thread = area->thread;
	head->parent = area->parent;
	head->seq = raddle_tls.seq[raddle_tls.nest];
	head->nest = raddle_tls.nest;
	head->area = (uint32_t)(((char *)area - (char *)ring_area(0)) / AREA_BYTES);
	head->start_time = ticks();
	copy_bytes(head->path, area->path, PATH_BYTES);
	if (process_now() != began)
		return false;
	__atomic_fetch_add(&area->segments, 1, __ATOMIC_RELAXED);
	area->current = index + 1;
	set_state(index, SEG_OWNED);
	raddle_tls.seq[raddle_tls.nest]++;       /* last: whoever jumps away before has used up no number */
	return true;
}

/* What a reader must know when everything before this segment is gone. */
static void key_frame(void)
{
	struct thread_area *area = raddle_tls.area;
	uint32_t frames = area->depth < AREA_FRAMES ? area->depth : AREA_FRAMES;
	uint32_t held = area->held_count < 16 ? area->held_count : 16;
	uint32_t room = PAYLOAD_MAX / 8 - held;
	uint64_t words[PAYLOAD_MAX / 8];
	for (uint32_t i = 0; i < held; i++)
		words[i] = area->held[i];
	uint32_t keep = frames < room ? frames : room;
	for (uint32_t i = 0; i < keep; i++)
		words[held + i] = area->frames[i].entered;
	rt_event_bytes(EV_KEYFRAME, area->depth, held, 0, words, (size_t)(held + keep) * 8, PAYLOAD_MAX, 0);
}

uint64_t segment_next(uint64_t cursor)
{
	if (!ring || !raddle_tls.area || in_sink(cursor))
		return into_sink();
	rt_enter();
	raddle_tls.cursor = CURSOR_NONE;         /* a handler may come now and jump away: it must not find what is given up */
	if (in_ring(cursor) && !is_disowned(segment_index(cursor)))
		give_up(cursor, false);
	uint32_t index, began;
	do {
		began = process_now();
		index = take();
		if (index == UINT32_MAX) {
			rt_leave();
			return into_sink();
		}
		__atomic_store_n(&segment_taking, index + 1, __ATOMIC_RELAXED);
	} while (process_now() != began || !fill_head(index, began));
	segment_taking = 0;
	raddle_tls.cursor = (uint64_t)(ring_segment(index) + SEGMENT_HEAD);
	if (ring->mode == RING_LAST && raddle_tls.nest == 0 && head_of(index)->seq > 0)
		key_frame();
	rt_leave();
	return raddle_tls.cursor;
}

void segment_close(void)
{
	struct thread_area *area = raddle_tls.area;
	if (in_ring(raddle_tls.cursor) && !is_disowned(segment_index(raddle_tls.cursor)))
		give_up(raddle_tls.cursor, true);
	else if (area && ring)
		release_kept(area);
	if (area)
		area->kept = area->current = 0;
	raddle_tls.cursor = CURSOR_NONE;
}

bool segment_hand_over(struct raddle_tls *of)
{
	if (of->nest || ring->mode != RING_STREAM)
		return false;
	if (in_ring(of->cursor) && !is_disowned(segment_index(of->cursor)))
		give_up(of->cursor, true);
	if (of->area)
		of->area->current = 0;
	of->cursor = CURSOR_NONE;
	return true;
}

/* The head of the segment this thread wrote last, if it is still its own: not between giving up one and having the next. */
static const struct segment_head *own_segment(const struct thread_area *area)
{
	if (!ring || !area || !area->current || ring_states()[area->current - 1] != SEG_OWNED)
		return NULL;
	const struct segment_head *head = head_of(area->current - 1);
	uint32_t next = raddle_tls.seq[raddle_tls.nest];
	bool newest = head->seq + 1 == next || head->seq == next;
	return newest && head->thread == area->thread && head->nest == raddle_tls.nest ? head : NULL;
}

uint64_t segment_end_now(uint32_t *seq)
{
	const struct segment_head *own = own_segment(raddle_tls.area);
	*seq = own ? own->seq : raddle_tls.seq[raddle_tls.nest] - 1;
	if (in_ring(raddle_tls.cursor))
		return segment_true_end(raddle_tls.cursor);
	return own ? segment_true_end((uint64_t)own + SEGMENT_HEAD) : CURSOR_NONE;
}

static uint64_t varint(const uint8_t **at)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;
		value |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			break;
	}
	return value;
}

/* Bytes of the record at this header word. */
static uint64_t record_bytes(const uint64_t *record)
{
	if (record[0] & RECORD_CONTROL) {
		uint64_t payload = (record[0] >> 56 & RECORD_PAYLOAD) ? record[4] >> 48 : 0;
		return RECORD_WORDS * 8 + (payload + 7) / 8 * 8;
	}
	const uint8_t *descriptor = (const uint8_t *)record[0];
	varint(&descriptor);                     /* flags */
	varint(&descriptor);                     /* function */
	return 8 + varint(&descriptor);
}

uint64_t segment_true_end(uint64_t cursor)
{
	if (!in_ring(cursor))
		return cursor;
	while (*(const uint64_t *)cursor)        /* there is always room for one more header word, which is zero */
		cursor += record_bytes((const uint64_t *)cursor);
	return cursor;
}
