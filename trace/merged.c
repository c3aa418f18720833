/* trace/merged.c -- the events of all threads in one order that contradicts nothing recorded.
 *
 * Each lane holds its next event.  That event may go when nothing that must come before it is still to come:
 *   a version v of a stripe   no other lane has a lower version of that stripe ahead of it;
 *   BEGIN                     its creator's FORK is out, or the creator has ended;
 *   JOIN                      the joined thread has ended.
 * Of those that may go, the one with the lowest time hint does.  A recording may lack events (flight recorder, records
 * lost): when nothing may go, the lowest time goes, so the merge always ends.  A trace of total order says itself what comes
 * next: ordered.c.
 *   (1) a lane is in the heap, or blocked, or finished, or is the one whose event was given out last;
 *   (2) a blocked lane waits for a lane to end, or for its turn at a stripe; of those at one stripe only the one with the
 *       lowest version can be next, so only that one is asked again when a version passed;
 *   (3) blocks farther ahead in a lane are looked into as soon as an event might depend on them (`unread`): all that begin before the
 *       last moment the event can have happened at.  A thread that was not running has a long such moment, others many blocks in it;
 *   (4) an event that lacks the number before its own, and found nobody who has it, is asked again when its time has come, and lets
 *       others go first as long as a lane is held up at an earlier time: the number may lie farther ahead there than was looked.
 * An event costs O(log lanes), except where something is missing. */
#include <string.h>

#include "base/heap.h"
#include "trace/inside.h"

enum lane_state { READY, BLOCKED, FINISHED };

#define NOBODY  UINT32_MAX                      /* no lane */
#define DAMAGED (UINT32_MAX - 1)

struct runner {
	struct lane *lane;
	struct event head;
	enum lane_state state;
	uint32_t waits_on;                      /* blocked: on the end of this lane, or NOBODY: at its stripe */
	uint32_t waiter, next_waiter, waiter_before;    /* first that waits for its end; its neighbours in such a list; or NOBODY */
	bool forked;                            /* its creator's FORK was given out */
	uint64_t unread;                        /* key of its entry in `unread`; UINT64_MAX: it has none */
	uint32_t blocks;                        /* its lane's when that was asked */
};

struct merged {
	struct trace *trace;
	uint32_t count;
	struct runner *runners;
	struct heap ready;                      /* lanes by time */
	struct heap unread;                     /* lanes by the start of their next block, until it is looked into */
	uint64_t beyond;                        /* of each lane one block that begins after this was looked into, too */
	struct versions *versions;
	struct heap turns[STRIPES];             /* lanes that wait there, by version; some may be gone */
	uint32_t blocked;                       /* how many */
	uint32_t last;                          /* whose event was given out last, or NOBODY */
	bool total;
	size_t at;                              /* total order, in memory: next of trace->sequence */
	struct ordered *ordered;                /* total order, in a file */
	uint64_t passed[STRIPES];               /* highest version given out */
};

static struct heap_item turn_of(const struct merged *m, uint32_t i)
{
	return (struct heap_item){ m->runners[i].head.time, i };
}

static void add_ready(struct merged *m, uint32_t i)
{
	heap_push(&m->ready, m->runners[i].head.time, i);
}

/* ---- blocks not yet looked into ---- */

static void note_unread(struct merged *m, uint32_t i)
{
	uint64_t from = lane_unread_from(m->runners[i].lane);
	if (from != UINT64_MAX && from != m->runners[i].unread)
		heap_push(&m->unread, from, i);
	m->runners[i].unread = from;
	m->runners[i].blocks = lane_front(m->runners[i].lane)->blocks;
}

/* Looks into all blocks that begin until then. */
static void look_ahead(struct merged *m, uint64_t until)
{
	while (m->unread.count && m->unread.at[0].key <= until) {
		struct heap_item it = heap_pop(&m->unread);
		struct runner *r = &m->runners[it.who];
		if (r->state == FINISHED || r->unread != it.key)
			continue;
		if (lane_unread_from(r->lane) == it.key)
			lane_look_ahead(r->lane);
		r->unread = UINT64_MAX;
		note_unread(m, (uint32_t)it.who);
	}
}

/* And of each lane into one more: a record is written after its number is taken, and may be the first of a block. */
static void look_beyond(struct merged *m, uint64_t until)
{
	look_ahead(m, until);
	for (uint32_t i = 0; i < m->count && m->beyond < until; i++) {
		struct runner *r = &m->runners[i];
		if (r->state == FINISHED || lane_read_from(r->lane) > until || lane_unread_from(r->lane) == UINT64_MAX)
			continue;
		lane_look_ahead(r->lane);
		r->unread = UINT64_MAX;
		note_unread(m, i);
	}
	m->beyond = until > m->beyond ? until : m->beyond;
}

/* ---- what may go ---- */

/* The number below that of the lane's event; an odd one is of who looked at the number below it. */
static uint64_t number_below(const struct runner *r)
{
	return r->head.version - 1 - (r->head.version % 2 == 0);
}

/* Has the event a version, and the one before it is not out? */
static bool lacks_number(const struct merged *m, uint32_t i)
{
	uint32_t stripe = lane_front(m->runners[i].lane)->stripe;
	return stripe != NO_STRIPE && number_below(&m->runners[i]) > m->passed[stripe];
}

/* A lane that has a lower version of the event's stripe to come, or NOBODY.  Other lanes are looked into as far as the time
 * of the event; a block farther when the number below is still missing: its owner may have been held up between taking it and
 * writing it down. */
static uint32_t has_lower(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	uint32_t stripe = lane_front(r->lane)->stripe;
	if (lacks_number(m, i))
		look_beyond(m, lane_time_limit(r->lane));
	else
		look_ahead(m, lane_time_limit(r->lane));
	return versions_lower(m->versions, i, stripe, r->head.version);
}

/* The lane that must end first, or NOBODY. */
static uint32_t needs_end_of(const struct merged *m, uint32_t i)
{
	const struct runner *r = &m->runners[i];
	uint64_t other = NOBODY;
	if (r->head.kind == EV_BEGIN && r->head.index == 0 && !r->forked)
		other = m->trace->threads.at[i].parent.i;
	else if (r->head.kind == EV_JOIN && r->head.result == 0 && r->head.object != i)
		other = r->head.object;
	return other < m->count && m->runners[other].state != FINISHED ? (uint32_t)other : NOBODY;
}

static void hang_on(struct merged *m, uint32_t i, uint32_t other)
{
	uint32_t *first = &m->runners[other].waiter;
	m->runners[i].waits_on = other;
	m->runners[i].waiter_before = NOBODY;
	m->runners[i].next_waiter = *first;
	if (*first != NOBODY)
		m->runners[*first].waiter_before = i;
	*first = i;
}

/* It is blocked no longer: takes it out of the list it hangs in; what lies in a heap is found gone there. */
static void unhang(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	if (r->waits_on != NOBODY) {
		bool first = r->waiter_before == NOBODY;
		*(first ? &m->runners[r->waits_on].waiter : &m->runners[r->waiter_before].next_waiter) = r->next_waiter;
		if (r->next_waiter != NOBODY)
			m->runners[r->next_waiter].waiter_before = r->waiter_before;
	}
	r->state = READY;
	m->blocked--;
}

/* Asks lane i, which is in no list, where it belongs. */
static bool settles_ready(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	uint32_t other = needs_end_of(m, i), stripe = lane_front(r->lane)->stripe;
	r->state = BLOCKED;
	r->waits_on = NOBODY;
	if (other != NOBODY)
		hang_on(m, i, other);
	else if (stripe != NO_STRIPE && has_lower(m, i) != NOBODY)
		heap_push(&m->turns[stripe], r->head.version, i);
	else
		r->state = READY;
	m->blocked += r->state == BLOCKED;
	return r->state == READY;
}

static void ask(struct merged *m, uint32_t i)
{
	unhang(m, i);
	if (settles_ready(m, i))
		add_ready(m, i);
}

static bool waits_at(const struct merged *m, uint32_t stripe, struct heap_item turn)
{
	const struct runner *r = &m->runners[turn.who];
	return r->state == BLOCKED && r->waits_on == NOBODY && lane_front(r->lane)->stripe == stripe && r->head.version == turn.key;
}

static void lets_go(struct merged *m, uint32_t i)
{
	unhang(m, i);
	add_ready(m, i);
}

/* A version of the stripe passed, or will never come: is it the turn of one that waits there?  The one that holds the lowest
 * up may wait beside it: for its own lower version, which comes later, in a handler. */
static void ask_next(struct merged *m, uint32_t stripe)
{
	struct heap *h = &m->turns[stripe];
	for (; h->count; heap_pop(h)) {
		struct heap_item top = h->at[0];
		if (!waits_at(m, stripe, top))
			continue;
		uint32_t other = has_lower(m, (uint32_t)top.who);
		if (other != NOBODY) {
			if (waits_at(m, stripe, (struct heap_item){ top.key, other }) && has_lower(m, other) == NOBODY)
				lets_go(m, other);
			return;
		}
		lets_go(m, (uint32_t)top.who);
	}
}

static void finish(struct merged *m, uint32_t i)
{
	struct runner *r = &m->runners[i];
	r->state = FINISHED;
	lane_close(r->lane);
	r->lane = NULL;
	if (versions_ended(m->versions, i))
		for (uint32_t stripe = 0; stripe < STRIPES; stripe++)
			ask_next(m, stripe);
	while (r->waiter != NOBODY)
		ask(m, r->waiter);
}

/* Nothing may go, for want of what was not recorded: the lowest time does. */
static uint32_t force(struct merged *m)
{
	uint32_t best = NOBODY;
	for (uint32_t i = 0; i < m->count; i++)
		if (m->runners[i].state == BLOCKED && (best == NOBODY || heap_before(turn_of(m, i), turn_of(m, best))))
			best = i;
	check(best != NOBODY);
	unhang(m, best);
	return best;
}

/* Is a lane held up that would have gone before lane i? */
static bool others_are_behind(const struct merged *m, uint32_t i)
{
	for (uint32_t k = 0; k < m->count && m->blocked; k++)
		if (m->runners[k].state == BLOCKED && m->runners[k].head.time < m->runners[i].head.time)
			return true;
	return false;
}

/* The lane that goes next of those that may; NOBODY: there is none. */
static uint32_t pop_ready(struct merged *m)
{
	for (size_t turns = m->ready.count; m->ready.count; turns -= turns > 0) {
		uint32_t i = (uint32_t)heap_pop(&m->ready).who;
		if (!lacks_number(m, i))
			return i;
		if (!settles_ready(m, i))
			continue;
		if (!turns || !m->ready.count || !others_are_behind(m, i))
			return i;
		heap_push(&m->ready, m->ready.at[0].key + 1, i);
	}
	return NOBODY;
}

/* ---- the door ---- */

/* Every lane with its first event in hand. */
static int open_lanes(struct merged *m, struct err *why)
{
	for (uint32_t i = 0; i < m->count; i++) {
		struct runner *r = &m->runners[i];
		r->waiter = NOBODY;
		r->unread = UINT64_MAX;
		if (lane_open(&r->lane, m->trace, (struct thread_id){ i }, why) < 0)
			return -1;
		if (!m->total)
			lane_tell_versions(r->lane, m->versions);
	}
	for (uint32_t i = 0; i < m->count && !m->total; i++) {
		int there = lane_next(m->runners[i].lane, &m->runners[i].head, why);
		if (there < 0)
			return -1;
		if (there == 0)
			finish(m, i);
		else
			note_unread(m, i);
	}
	return 0;
}

int merged_open(struct merged **out, struct trace *t, struct err *why)
{
	struct merged *m = mem_take(sizeof *m);
	m->trace = t;
	if (t->order == ORDER_TOTAL && !t->in_memory) {
		if (ordered_open(&m->ordered, t, why) < 0) {
			merged_close(m);
			m = NULL;
		}
		*out = m;
		return m ? 0 : -1;
	}
	m->count = (uint32_t)t->threads.count;
	m->runners = mem_take((m->count + 1u) * sizeof *m->runners);
	m->versions = versions_new(m->count);
	m->last = NOBODY;
	m->total = t->in_memory && t->order == ORDER_TOTAL;
	int result = open_lanes(m, why);
	for (uint32_t i = 0; i < m->count && result == 0 && !m->total; i++)
		if (m->runners[i].state != FINISHED && settles_ready(m, i))
			add_ready(m, i);
	if (result)
		merged_close(m);
	*out = result ? NULL : m;
	return result;
}

/* The lane whose event was given out moves on.  Its number if its next event is the next of all; NOBODY: ask the heap;
 * DAMAGED: and why. */
static uint32_t move_on(struct merged *m, struct err *why)
{
	uint32_t i = m->last, stripe;
	struct runner *r = &m->runners[i], *child = NULL;
	if (lane_next_of_group(r->lane, &r->head))      /* at the same moment: nothing comes between */
		return i;
	if ((stripe = lane_front(r->lane)->stripe) != NO_STRIPE) {
		lane_passed(r->lane);
		m->passed[stripe] = r->head.version > m->passed[stripe] ? r->head.version : m->passed[stripe];
	}
	if (r->head.kind == EV_FORK && r->head.object < m->count) {
		child = &m->runners[r->head.object];
		child->forked = true;
	}
	m->last = NOBODY;
	int there = lane_next(r->lane, &r->head, why);
	if (there < 0)
		return DAMAGED;
	if (there > 0 && r->blocks != lane_front(r->lane)->blocks)
		note_unread(m, i);
	if (stripe != NO_STRIPE)
		ask_next(m, stripe);
	if (child && child->state == BLOCKED && child->waits_on == i)
		ask(m, (uint32_t)(child - m->runners));
	if (there == 0) {
		finish(m, i);
		return NOBODY;
	}
	if (!settles_ready(m, i))
		return NOBODY;
	if (!lacks_number(m, i) && (m->ready.count == 0 || heap_before(turn_of(m, i), m->ready.at[0])))
		return i;
	add_ready(m, i);
	return NOBODY;
}

static int next_in_total(struct merged *m, const struct event **ev, struct err *why)
{
	if (m->at == m->trace->sequence.count)
		return 0;
	struct runner *r = &m->runners[m->trace->sequence.at[m->at++]];
	*ev = &r->head;
	return lane_next(r->lane, &r->head, why);
}

int merged_next_in_place(struct merged *m, const struct event **ev, struct err *why)
{
	uint32_t next = NOBODY;
	if (m->ordered)
		return ordered_next(m->ordered, ev, why);
	if (m->total)
		return next_in_total(m, ev, why);
	if (m->last != NOBODY)
		next = move_on(m, why);
	if (next == DAMAGED)
		return -1;
	if (next == NOBODY)
		next = pop_ready(m);
	if (next == NOBODY && m->blocked)
		next = force(m);
	if (next == NOBODY)
		return 0;
	*ev = &m->runners[next].head;
	m->last = next;
	return 1;
}

int merged_next(struct merged *m, struct event *ev, struct err *why)
{
	const struct event *in_place;
	int there = merged_next_in_place(m, &in_place, why);
	if (there > 0)
		*ev = *in_place;
	return there;
}

void merged_close(struct merged *m)
{
	if (!m)
		return;
	ordered_close(m->ordered);
	for (uint32_t i = 0; i < m->count; i++)
		lane_close(m->runners[i].lane);
	versions_free(m->versions);
	heap_release(&m->ready);
	heap_release(&m->unread);
	for (uint32_t i = 0; i < STRIPES; i++)
		heap_release(&m->turns[i]);
	mem_free(m->runners);
	mem_free(m);
}
