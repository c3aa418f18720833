/* rt/thread.c -- a thread of the program as the recorder sees it: its area in the ring, its name in the spawn tree.
 *   (1) a thread with mode > MODE_OFF has an area of its own (state AREA_LIVE, its uid in it);
 *   (2) uids are given once per recording; an area may serve many threads, one after the other. */
#include <link.h>
#include <pthread.h>
#include <stddef.h>

#include "rt/anchors.h"
#include "rt/alloc.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/signal.h"
#include "rt/state.h"
#include "rt/steer.h"
#include "rt/sys.h"
#include "rt/words.h"

#define STACK_EDGE   (128ull << 10)     /* guard pages, and what a frame reaches beyond them */
#define STACK_BEYOND (256ull << 20)     /* a frame that large is thought of */

__thread struct raddle_tls raddle_tls = { .cursor = CURSOR_NONE };

_Static_assert(offsetof(struct raddle_tls, cursor) == TLS_CURSOR, "wire/tls.h");
_Static_assert(offsetof(struct raddle_tls, mode) == TLS_MODE, "wire/tls.h");
_Static_assert(offsetof(struct raddle_tls, inside) == TLS_INSIDE, "wire/tls.h");
_Static_assert(offsetof(struct raddle_tls, area) == TLS_AREA, "wire/tls.h");
_Static_assert(offsetof(struct thread_area, depth) == AREA_DEPTH_AT, "wire/ring.h");
_Static_assert(offsetof(struct thread_area, frames) == AREA_FRAMES_AT, "wire/ring.h");
_Static_assert(TLS_AREA == 16 && AREA_DEPTH_AT == 24 && AREA_FRAMES_AT == 672 && AREA_FRAMES == 208 && sizeof(struct area_frame) == 16 && offsetof(struct ring_head, keep) == 44, "rt/entry.S");
_Static_assert(sizeof(struct thread_area) <= AREA_BYTES, "wire/ring.h");
_Static_assert(sizeof(struct segment_head) <= SEGMENT_HEAD, "wire/ring.h");

/* Nobody uses it, or (in a flight recorder) its thread is dead and the last of its segments was taken. */
static bool area_is_free(const struct thread_area *area, uint32_t state)
{
	if (state == AREA_FREE)
		return true;
	return state == AREA_DEAD && ring->mode == RING_LAST && __atomic_load_n(&area->segments, __ATOMIC_RELAXED) == 0;
}

static struct thread_area *take_area(uint32_t uid)
{
	for (uint32_t tries = 0; tries < RING_THREADS; tries++) {
		struct thread_area *area = ring_area((uid + tries) % RING_THREADS);
		uint32_t state = __atomic_load_n(&area->state, __ATOMIC_RELAXED);
		if (area_is_free(area, state) && ring_has_room(area, AREA_BYTES) &&
			__atomic_compare_exchange_n(&area->state, &state, AREA_LIVE, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
			zero_bytes((char *)area + 8, AREA_BYTES - 8);
			return area;
		}
	}
	return NULL;
}

/* "T_0" + 3 -> "T_0_3"; a path that grows too long keeps its beginning and ends in "~<uid>". */
static void make_path(char *path, const char *parent, uint32_t ordinal, uint32_t uid)
{
	unsigned length = 0;
	while (parent[length] && length < PATH_BYTES - 14)
		path[length] = parent[length], length++;
	bool cut = parent[length] != 0;
	path[length++] = cut ? '~' : '_';
	words_add_number(path, length, PATH_BYTES, cut ? uid : ordinal);
}

void rt_birth_path(const struct rt_birth *birth, char *path)
{
	make_path(path, birth->parent_path, birth->ordinal, birth->uid);
}

uint32_t rt_birth_prepare(struct rt_birth *birth)
{
	birth->mode = raddle_tls.mode;
	birth->uid = 0;
	if (!ring || !raddle_tls.area)
		return 0;
	birth->uid = __atomic_add_fetch(&ring->next_uid, 1, __ATOMIC_RELAXED);
	birth->ordinal = raddle_tls.children++;
	birth->parent = raddle_tls.area->thread;
	copy_bytes(birth->parent_path, raddle_tls.area->path, PATH_BYTES);
	return birth->uid;
}

/* The stack of this thread, once known, and in all threads but the first what is above all that the program's functions have on it; the child of a fork must not ask again: libc's answer takes memory, and another
 * thread may have held the heap's lock when the process was copied. */
static __thread struct { uint64_t low, bytes, top, block_low, block_bytes; } own_stack __attribute__((tls_model("initial-exec")));

/* The lowest thread-local variable of any object, in the first thread; it lies below pthread_self(). */
static uint64_t first_block;

static int find_first_block(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	uint64_t data = (uint64_t)info->dlpi_tls_data;
	if (data && (uint64_t)pthread_self() - data < 1 << 20 && (!first_block || data < first_block))
		first_block = data;
	(void)bytes, (void)unused;
	return 0;
}

#define SCRATCH 6144u                   /* libc asks for sets of processors, up to 1 KB each */

static void find_own_stack(void)
{
	pthread_attr_t attr;
	void *low;
	size_t bytes;
	if (REAL(pthread_getattr_np)(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &low, &bytes) == 0) {
		own_stack.low = (uint64_t)low;
		own_stack.bytes = bytes;
	}
	pthread_attr_destroy(&attr);
	if (steer && own_strand && own_strand->number == 0)
		anchors_of_stack(ring_process(process_index)->stack_at, &own_stack.low, &own_stack.bytes);
	if (!first_block)
		dl_iterate_phdr(find_first_block, NULL);
}

bool thread_stack_has(const void *p)
{
	return (uint64_t)p - own_stack.low < own_stack.bytes;
}

bool thread_stack_ends(uint64_t at, uint64_t sp)
{
	uint64_t low = own_stack.low;
	return own_stack.bytes && sp < low + STACK_EDGE && low < sp + STACK_BEYOND && at < low + STACK_EDGE && sp < at + STACK_EDGE;
}

/* Apart, so that its frame is there only when it is needed: it may be the first to touch a page of the stack. */
static __attribute__((noinline)) void find_with_scratch(void)
{
	char room[SCRATCH];
	struct alloc_scratch scratch = { (char *)(((uint64_t)room + 15) & ~15ull), room + SCRATCH };
	alloc_scratch = &scratch;
	find_own_stack();
	alloc_scratch = NULL;
}

void rt_find_own_memory(void)
{
	rt_enter();
	if (!own_stack.bytes)
		find_with_scratch();
	rt_leave();
}

/* The program's frames lie there; the stack libc made has the thread-local block, and what libc and the runtime have. */
void rt_thread_frames(uint64_t low, uint64_t bytes)
{
	rt_find_own_memory();
	own_stack.block_low = own_stack.low;
	own_stack.block_bytes = own_stack.bytes;
	own_stack.low = low;
	own_stack.bytes = bytes;
}

void thread_memory(uint64_t *low, uint64_t *bytes)
{
	*low = own_stack.low;
	*bytes = own_stack.bytes;
}

bool rt_in_own_stack(uint64_t at)
{
	return at - own_stack.low < own_stack.bytes;
}

uint64_t thread_arguments_at;

/* What the kernel put there lies above all frames. */
static void note_arguments(void)
{
	uint64_t end = own_stack.low + own_stack.bytes;
	if (states_on && steer->states && thread_arguments_at > own_stack.low && thread_arguments_at < end)
		rt_event(EV_LOCAL, thread_arguments_at, end - thread_arguments_at, 0, LOCAL_STAYS, 0);
}

/* Stack and static thread-local block: memory that comes and goes with the thread.  Above the program's frames come libc's own and, in all threads but
 * the first, the thread-local block; whatever a function of the program has, its start routine too, lies below. */
static void note_own_memory(void)
{
	rt_find_own_memory();
	if (!own_stack.bytes)
		return;
	if (own_stack.block_bytes) {
		rt_event(EV_STACK, own_stack.low, own_stack.bytes, rt_alloc_version(), 0, 0);
		rt_event(EV_TLS, own_stack.block_low, own_stack.block_bytes, rt_alloc_version(), 0, 0);
		return;
	}
	uint64_t below = own_stack.top - own_stack.low, self = (uint64_t)pthread_self();
	bool has_block = self - own_stack.low < own_stack.bytes && below < own_stack.bytes;
	rt_event(EV_STACK, own_stack.low, has_block ? below : own_stack.bytes, rt_alloc_version(), 0, 0);
	if (has_block)
		rt_event(EV_TLS, own_stack.low + below, own_stack.bytes - below, rt_alloc_version(), 0, 0);
	else if (first_block && first_block < self)
		rt_event(EV_TLS, first_block, self - first_block, rt_alloc_version(), 0, 0);
	if (!has_block)
		note_arguments();
}

static void announce(uint64_t start_routine)
{
	rt_event(EV_BEGIN, start_routine, 0, 0, 0, 0);
	note_own_memory();
}

void rt_thread_begin(const struct rt_birth *birth, uint64_t start_routine, uint64_t top)
{
	if (!ring || birth->mode == MODE_OFF || birth->uid == 0)
		return;
	struct thread_area *area = take_area(birth->uid);
	if (!area) {
		__atomic_fetch_add(&ring->lost_threads, 1, __ATOMIC_RELAXED);
		return;
	}
	area->thread = birth->uid;
	area->parent = birth->parent;
	area->ordinal = birth->ordinal;
	area->process = process_index;
	area->tid = own_strand ? own_strand->tid : (int32_t)sys3(SYS_gettid, 0, 0, 0);
	if (birth->parent_path[0])
		make_path(area->path, birth->parent_path, birth->ordinal, birth->uid);
	else
		copy_bytes(area->path, "T_0", 4);
	raddle_tls.area = area;
	raddle_tls.cursor = CURSOR_NONE;
	raddle_tls.children = raddle_tls.nest = 0;
	zero_bytes(raddle_tls.seq, sizeof raddle_tls.seq);
	raddle_tls.mode = birth->mode;
	if (top)                                /* the child of a fork has its parent's */
		own_stack.top = top;
	if (!serve_waits)
		announce(start_routine);
}

void rt_thread_announce(void)
{
	announce(0);
}

void rt_thread_end(int how)
{
	struct thread_area *area = raddle_tls.area;
	if (!area)
		return;
	raddle_tls.cursor = segment_true_end(raddle_tls.cursor);        /* cancelled anywhere, the cursor was in a register */
	signals_at(UINT64_MAX);                  /* ended inside a handler: what that interrupted ends too */
	if (raddle_tls.mode != MODE_OFF)
		rt_event(EV_END, 0, 0, 0, how, 0);
	raddle_tls.mode = MODE_OFF;
	segment_close();
	raddle_tls.area = NULL;
	__atomic_store_n(&area->state, AREA_DEAD, __ATOMIC_RELEASE);
}

uint32_t rt_uid(void)
{
	return raddle_tls.area ? raddle_tls.area->thread : 0;
}

void rt_held_push(uint64_t lock)
{
	struct thread_area *area = raddle_tls.area;
	if (area->held_count < AREA_HELD)
		area->held[area->held_count] = lock;
	area->held_count++;
}

/* False: it is not among those it holds, as far as they are known. */
static bool held_drop(struct thread_area *area, uint64_t lock)
{
	uint32_t known = area->held_count < AREA_HELD ? area->held_count : AREA_HELD;
	uint32_t at = known;
	while (at > 0 && area->held[at - 1] != lock)
		at--;
	if (at == 0 && area->held_count <= AREA_HELD)
		return false;
	for (uint32_t i = at; at && i < known; i++)
		area->held[i - 1] = area->held[i];
	area->held_count--;
	return true;
}

/* Of other threads: the first that has it, or `all` of them. */
static void held_drop_elsewhere(uint64_t lock, bool all)
{
	bool dropped = false;
	for (uint32_t uid = 0; rt_steered() && uid <= ring->next_uid && uid < RING_THREADS && (all || !dropped); uid++) {
		struct thread_area *area = ring_area(uid);
		if (area != raddle_tls.area && area->state != AREA_FREE && area->process == raddle_tls.area->process)
			dropped = held_drop(area, lock);
	}
}

void rt_held_lost(uint64_t lock)
{
	held_drop_elsewhere(lock, true);
}

void rt_held_pop(uint64_t lock)
{
	if (!held_drop(raddle_tls.area, lock))
		held_drop_elsewhere(lock, false);        /* another one's, or taken before recording began */
}

void rt_wait_begin(enum event_kind kind, uint64_t object, uint64_t pc)
{
	struct thread_area *area = raddle_tls.area;
	rt_event(EV_BLOCK, object, kind, 0, 0, pc);
	area->waits_for = object;
	area->waits_pc = pc;
	area->waits_until = 0;
	__atomic_store_n(&area->waits_kind, kind, __ATOMIC_RELEASE);
}

void rt_wait_ends(void)
{
	raddle_tls.area->waits_until = 1;
}

void rt_wait_end(void)
{
	if (raddle_tls.area)
		__atomic_store_n(&raddle_tls.area->waits_kind, 0, __ATOMIC_RELEASE);
}

void rt_nest_begin(struct rt_nest *save)
{
	struct thread_area *area = raddle_tls.area;
	uint32_t seq;
	uint64_t end = segment_end_now(&seq);
	save->cursor = raddle_tls.cursor;
	save->nest = raddle_tls.nest;
	save->inside = raddle_tls.inside;
	save->current = area->current;
	save->kept = area->kept;
	save->taking = segment_taking;
	segment_taking = 0;
	raddle_tls.nest++;
	raddle_tls.inside = 0;
	raddle_tls.cursor = CURSOR_NONE;
	area->kept = 0;
	if (ring_keeps())
		segment_next(CURSOR_NONE);
	if (raddle_tls.mode == MODE_OFF || save->current == 0 || !ring_keeps())
		return;
	struct segment_head *mine = (struct segment_head *)ring_segment(area->current - 1);
	mine->at_seq = seq;
	mine->at_offset = (uint32_t)(end & (SEGMENT_BYTES - 1));         /* CURSOR_NONE: behind everything in it */
}

void rt_nest_end(const struct rt_nest *save)
{
	struct thread_area *area = raddle_tls.area;
	if (ring_keeps())
		segment_close();
	raddle_tls.cursor = save->cursor;
	raddle_tls.nest = save->nest;
	raddle_tls.inside = save->inside;
	area->current = save->current;
	area->kept = save->kept;
	segment_taking = save->taking;
}
