/* trace/merged.c -- the events of all threads in one order that contradicts nothing recorded.
 *
 * Each lane holds its next event.  That event may go when nothing that must come before it is still to come:
 *   a version v of a stripe   no other lane has a lower version of that stripe ahead of it;
 *   BEGIN                     its creator's FORK is out, or the creator has ended;
 *   JOIN                      the joined thread has ended.
 * Of those that may go, the one with the lowest time hint does.  A recording may lack events (flight recorder, records
 * lost): when nothing may go, the lowest time goes, so the merge always ends.
 *   (1) a lane is in the heap, or blocked, or finished, or is the one whose event was given out last;
 *   (2) a blocked lane names the lane it waits for, and is asked again when that one moves on. */
#include <string.h>

#include "trace/inside.h"

enum lane_state { READY, BLOCKED, FINISHED };

struct runner {
	struct lane *lane;
	struct event head;
	enum lane_state state;
	uint32_t waits_on;
	bool forked;                            /* its creator's FORK was given out */
};

struct merged {
	struct trace *trace;
	uint32_t count;
	struct runner *runners;
	uint32_t *heap, heap_count;             /* ready ones, lowest time on top */
	uint32_t blocked;                       /* how many */
	uint32_t last;                          /* whose event was given out last, UINT32_MAX none */
	bool total;
	size_t at;                              /* total order: next of trace->sequence */
	uint32_t *active, active_count;         /* lanes not finished */
	uint64_t passed[STRIPES];               /* highest version given out */
};

/* ---- heap ---- */

static bool before(const struct merged *m, uint32_t a, uint32_t b)
{
	uint64_t x = m->runners[a].head.time, y = m->runners[b].head.time;
	return x != y ? x < y : a < b;
}

static void heap_down(struct merged *m, uint32_t i)
{
	uint32_t moving = m->heap[i];
	for (;;) {
		uint32_t child = 2 * i + 1;
		if (child >= m->heap_count)
			break;
		if (child + 1 < m->heap_count && before(m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!before(m, m->heap[child], moving))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = moving;
}

static void heap_push(struct merged *m, uint32_t lane)
{
	uint32_t i = m->heap_count++;
	while (i && before(m, lane, m->heap[(i - 1) / 2])) {
		m->heap[i] = m->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	m->heap[i] = lane;
}

static uint32_t heap_pop(struct merged *m)
{
	uint32_t top = m->heap[0];
	m->heap[0] = m->heap[--m->heap_count];
	if (m->heap_count)
		heap_down(m, 0);
	return top;
}

/* ---- what may go ---- */

/* The lane that must move first, or UINT32_MAX: none.  Other lanes are looked into as far as the time of the event; farther
 * when the number below is still missing: its owner may have been held up between taking it and writing it down. */
static uint32_t waits_for_version(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	uint32_t stripe = lane_stripe(r->lane);
	uint64_t lower = r->head.version - 1 - (r->head.version % 2 == 0);
	uint64_t limit = lower > m->passed[stripe] ? UINT64_MAX : lane_time_limit(r->lane);
	for (uint32_t k = 0; k < m->active_count; k++) {
		uint32_t other = m->active[k];
		if (other != i && lane_pending(m->runners[other].lane, stripe, limit) < r->head.version)
			return other;
	}
	return UINT32_MAX;
}

static uint32_t waits_for(struct merged *m, uint32_t i)
{
	const struct runner *r = &m->runners[i];
	if (r->head.kind == EV_BEGIN && r->head.index == 0 && !r->forked) {
		uint32_t parent = m->trace->threads.at[i].parent.i;
		return parent < m->count && m->runners[parent].state != FINISHED ? parent : UINT32_MAX;
	}
	if (r->head.kind == EV_JOIN && r->head.result == 0 && r->head.object < m->count && r->head.object != i)
		return m->runners[r->head.object].state != FINISHED ? (uint32_t)r->head.object : UINT32_MAX;
	return lane_stripe(r->lane) == NO_STRIPE ? UINT32_MAX : waits_for_version(m, i);
}

/* Asks lane i, which is in no list, where it belongs. */
static bool settles_ready(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	r->waits_on = waits_for(m, i);
	r->state = r->waits_on == UINT32_MAX ? READY : BLOCKED;
	m->blocked += r->state == BLOCKED;
	return r->state == READY;
}

/* Lane `moved` gave something out or ended: who waited for it? */
static void ask_again(struct merged *m, uint32_t moved)
{
	for (uint32_t k = 0; m->blocked && k < m->active_count; k++) {
		uint32_t i = m->active[k];
		struct runner *r = &m->runners[i];
		if (r->state != BLOCKED || r->waits_on != moved)
			continue;
		m->blocked--;
		if (settles_ready(m, i))
			heap_push(m, i);
	}
}

static void finish(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	uint32_t k = 0;
	r->state = FINISHED;
	lane_close(r->lane);
	r->lane = NULL;
	while (m->active[k] != i)
		k++;
	m->active[k] = m->active[--m->active_count];
	ask_again(m, i);
}

/* Nothing may go, for want of what was not recorded: the lowest time does. */
static uint32_t force(struct merged *m)
{
	uint32_t best = UINT32_MAX;
	for (uint32_t k = 0; k < m->active_count; k++)
		if (m->runners[m->active[k]].state == BLOCKED && (best == UINT32_MAX || before(m, m->active[k], best)))
			best = m->active[k];
	check(best != UINT32_MAX);
	m->blocked--;
	m->runners[best].state = READY;
	return best;
}

/* ---- the door ---- */

int merged_open(struct merged **out, struct trace *t, struct err *why)
{
	struct merged *m = mem_take(sizeof *m);
	m->trace = t;
	m->count = (uint32_t)t->threads.count;
	m->runners = mem_take((m->count + 1u) * sizeof *m->runners);
	m->heap = mem_take((m->count + 1u) * sizeof *m->heap);
	m->active = mem_take((m->count + 1u) * sizeof *m->active);
	m->last = UINT32_MAX;
	m->total = t->in_memory && t->order == ORDER_TOTAL;
	int result = 0;
	for (uint32_t i = 0; i < m->count && result == 0; i++) {
		result = lane_open(&m->runners[i].lane, t, (struct thread_id){ i }, why);
		if (result == 0 && !m->total)
			lane_watch_versions(m->runners[i].lane);
		m->active[m->active_count++] = i;
	}
	for (uint32_t i = 0; i < m->count && result == 0 && !m->total; i++) {
		int there = lane_next(m->runners[i].lane, &m->runners[i].head, why);
		if (there < 0)
			result = -1;
		else if (there == 0)
			finish(m, i);
	}
	for (uint32_t k = 0; k < m->active_count && result == 0 && !m->total; k++)
		if (settles_ready(m, m->active[k]))
			heap_push(m, m->active[k]);
	if (result)
		merged_close(m);
	*out = result ? NULL : m;
	return result;
}

/* The lane whose event was given out moves on.  Its number if its next event is the next of all; UINT32_MAX: ask the heap;
 * UINT32_MAX - 1: damaged and why. */
static uint32_t move_on(struct merged *m, struct err *why)
{
	uint32_t i = m->last;
	struct runner *r = &m->runners[i];
	bool woke = false;
	uint32_t stripe = lane_stripe(r->lane);
	if (stripe != NO_STRIPE) {
		lane_passed(r->lane);
		m->passed[stripe] = r->head.version > m->passed[stripe] ? r->head.version : m->passed[stripe];
		woke = true;
	}
	if (r->head.kind == EV_FORK && r->head.object < m->count) {
		m->runners[r->head.object].forked = true;
		woke = true;
	}
	m->last = UINT32_MAX;
	int there = lane_next(r->lane, &r->head, why);
	if (there < 0)
		return UINT32_MAX - 1;
	if (there == 0) {
		finish(m, i);
		return UINT32_MAX;
	}
	if (woke && m->blocked)
		ask_again(m, i);
	if (!settles_ready(m, i))
		return UINT32_MAX;
	if (m->heap_count == 0 || before(m, i, m->heap[0]))
		return i;
	heap_push(m, i);
	return UINT32_MAX;
}

static int next_in_total(struct merged *m, struct event *ev, struct err *why)
{
	if (m->at == m->trace->sequence.count)
		return 0;
	return lane_next(m->runners[m->trace->sequence.at[m->at++]].lane, ev, why);
}

int merged_next(struct merged *m, struct event *ev, struct err *why)
{
	uint32_t next = UINT32_MAX;
	if (m->total)
		return next_in_total(m, ev, why);
	if (m->last != UINT32_MAX)
		next = move_on(m, why);
	if (next == UINT32_MAX - 1)
		return -1;
	if (next == UINT32_MAX && m->heap_count)
		next = heap_pop(m);
	else if (next == UINT32_MAX && m->blocked)
		next = force(m);
	if (next == UINT32_MAX)
		return 0;
	*ev = m->runners[next].head;
	m->last = next;
	return 1;
}

void merged_close(struct merged *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->count; i++)
		lane_close(m->runners[i].lane);
	mem_free(m->runners);
	mem_free(m->heap);
	mem_free(m->active);
	mem_free(m);
}
