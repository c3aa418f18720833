/* drive/handed.c -- see handed.h.
 *   (1) each run is copied before it is looked at: the program may write there at any moment;
 *   (2) a header that says more than there can be ends it: what comes behind it is not looked at, and said to be damaged. */
#include "drive/handed.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drive/handed_trace.h"
#include "wire/handed.h"

struct handed {
	const struct shared *shared;
	struct ring *ring;
	const struct steer_options *o;
	struct handed_traces *traces;
	uint64_t taken, runs;
	bool over, damaged;
	uint8_t *copy;                  /* of one run */
	size_t copy_room;
	struct race_row row;
};

struct handed *handed_new(const struct shared *shared, struct ring *ring)
{
	struct handed *h = mem_take(sizeof *h);
	h->shared = shared;
	h->ring = ring;
	return h;
}

void handed_free(struct handed *h)
{
	if (!h)
		return;
	handed_traces_free(h->traces);
	race_row_release(&h->row);
	mem_free(h->copy);
	mem_free(h);
}

void handed_begin(struct handed *h, const struct steer_options *o)
{
	race_row_release(&h->row);
	h->row = (struct race_row){ 0 };
	h->o = o;
	h->taken = h->runs = 0;
	h->damaged = false;
	h->over = !h->shared->handed_room;
}

/* ---------------------------------------------------------------- one run */

static void look_at(struct handed *h, const struct handed_run *run)
{
	size_t before = sizeof *run + run->area_bytes;
	if (h->o->races)
		race_watch_run(h->o->races, h->copy + before, run->bytes - before, run->segments);
	const struct steer_brief *briefs = (const struct steer_brief *)((const char *)h->shared->head + h->shared->briefs_at);
	struct steer_brief brief = briefs[h->runs];
	const char *path = h->o->trace_of ? h->o->trace_of(h->o->trace_who, h->runs, &brief) : NULL;
	if (path) {
		if (!h->traces)
			h->traces = handed_traces_new(h->ring);
		handed_trace(h->traces, path, h->o, run, h->copy + sizeof *run);
	}
}

/* False: there is none, or it is not sound. */
static bool take_one(struct handed *h, uint64_t end)
{
	uint64_t room = h->shared->handed_room, at = h->taken % room, left = end - h->taken;
	const uint8_t *row = (const uint8_t *)h->shared->head + h->shared->handed_at;
	struct handed_run run;
	if (room - at < sizeof run) {                    /* a rest that had no room for all of its header */
		h->damaged = left < room - at;
		h->taken += room - at;
		return !h->damaged;
	}
	memcpy(&run, row + at, sizeof run);
	bool sound = run.bytes >= sizeof run && run.bytes % 8 == 0 && run.bytes <= left && run.bytes <= room - at &&
		run.area_bytes <= run.bytes - sizeof run && run.area_bytes % 8 == 0 && h->runs + 1 < h->shared->runs;
	if (!sound) {
		h->damaged = true;
		return false;
	}
	if (run.what == HANDED_RUN) {
		if (h->copy_room < run.bytes)
			h->copy = mem_resize(h->copy, h->copy_room = run.bytes * 2);
		memcpy(h->copy, row + at, run.bytes);
		look_at(h, &run);
		h->runs++;
	}
	h->taken += run.bytes;
	return true;
}

/* ---------------------------------------------------------------- all of them */

static void tell_taken(struct handed *h)
{
	struct steer_head *head = h->shared->head;
	__atomic_store_n(&head->handed_taken, h->taken, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&head->handed_waits, __ATOMIC_SEQ_CST))
		return;
	__atomic_fetch_add(&head->handed_futex, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &head->handed_futex, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void take_all(struct handed *h)
{
	uint64_t end = __atomic_load_n(&h->shared->head->handed, __ATOMIC_ACQUIRE);
	if (end - h->taken > h->shared->handed_room)
		h->damaged = true;
	while (!h->damaged && h->taken < end)
		take_one(h, end);
	tell_taken(h);
}

static void row_is_over(struct handed *h)
{
	h->over = true;
	if (h->o->races)
		race_watch_row(h->o->races, &h->row);
}

bool handed_step(struct handed *h)
{
	if (h->over)
		return true;
	bool last = __atomic_load_n(&h->shared->head->last_begun, __ATOMIC_ACQUIRE);
	take_all(h);
	if (last)
		row_is_over(h);
	return h->over;
}

int handed_end(struct handed *h, struct steer_result *out)
{
	if (!h->over) {
		take_all(h);
		row_is_over(h);
	}
	bool missing = h->shared->handed_room && h->runs < out->before.count;
	out->races_before = h->row;
	h->row = (struct race_row){ 0 };
	return h->damaged || missing ? -1 : 0;
}
