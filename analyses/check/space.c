/* analyses/check/space.c -- see space.h.
 * What no other thread can notice is no step: space_settle() does it as soon as it can be done.  So are creating a thread, joining one that has
 * ended, and ending: none of them can be kept from happening, nor keep others from anything. */
#include "analyses/check/space.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/check/pending.h"
#include "analyses/check/sync.h"

#define UNKNOWN_BYTE 256u               /* nobody has read it before it was written */
#define MOST_ROUND   4096u              /* steps of a loop */
#define IS_FREED     1u                 /* of the cell of a block's life */
/* Of a thread: it waits at a condition or a barrier; may go on; as the serial one; and came last; its time is up. */
enum { WAITS = 1, WOKEN = 2, SERIAL = 4, LAST = 8, LATE = 16 };
/* Of a thread in an atomic section: nobody else goes on; but it had to wait there, and has not gone on since. */
enum { INSIDE = 32, APART = 64, OF_SECTION = INSIDE | APART };

struct state { uint32_t w[1]; };        /* nodes, flags of threads; words of locks and the like (sync.h); then cells, 16 bits each */

static uint32_t *flags_of(const struct space *s, struct state *at) { return at->w + s->thread_count; }
static uint32_t *locks_of(const struct space *s, struct state *at) { return at->w + 2 * s->thread_count; }
static uint16_t *cells_of(const struct space *s, struct state *at) { return (uint16_t *)(at->w + 2 * s->thread_count + s->lock_count); }

static uint32_t waiting_of(const struct space *s, const struct state *at, uint32_t thread) { return flags_of(s, (struct state *)at)[thread] & ~(uint32_t)OF_SECTION; }

static void set_waiting(const struct space *s, struct state *at, uint32_t thread, uint32_t how)
{
	uint32_t *flags = &flags_of(s, at)[thread];
	*flags = (*flags & OF_SECTION) | how;
}

static const struct node *node_at(const struct space *s, uint32_t node) { return &s->threads->nodes.at[node]; }

uint32_t space_node(const struct state *at, uint32_t thread) { return at->w[thread]; }

void space_shape(struct space *s, struct threads *t)
{
	threads_find_cells(t);
	*s = (struct space){ .threads = t, .model = t->model, .thread_count = (uint32_t)t->paths.count, .lock_count = (uint32_t)t->locks.count,
		.cell_count = (uint32_t)t->cell_at.count + t->life_count };
	uint32_t buffers = s->model == MODEL_SC ? 0 : s->thread_count;
	s->bytes = (2 * s->thread_count + s->lock_count + (s->cell_count + 1) / 2 + buffers) * sizeof(uint32_t);
	s->most_bytes = s->bytes + (buffers ? PENDING_MOST : 0) * sizeof(uint32_t);
}

/* Has the thread done its last deed? */
static bool is_done(const struct space *s, uint32_t node)
{
	uint32_t parent = node == NO_NODE ? NO_NODE : node_at(s, node)->parent;
	return parent != NO_NODE && (node_at(s, parent)->deed == DEED_END || node_at(s, parent)->deed == DEED_EXIT);
}

bool space_is_unknown(const struct space *s, uint32_t node)
{
	return node != NO_NODE && node_at(s, node)->deed == DEED_UNKNOWN && !is_done(s, node);
}

bool space_is_at_head(const struct space *s, const struct state *at, uint32_t thread) { return node_at(s, at->w[thread])->is_head; }

bool space_is_over(const struct space *s, const struct state *at)
{
	for (uint32_t i = 0; i < s->thread_count; i++) {
		uint32_t parent = at->w[i] == NO_NODE ? NO_NODE : node_at(s, at->w[i])->parent;
		if (parent != NO_NODE && node_at(s, parent)->deed == DEED_EXIT)
			return true;
	}
	return false;
}

bool space_is_discarded(const struct space *s, const struct state *at)
{
	for (uint32_t i = 0; s->threads->has_assumptions && i < s->thread_count; i++)
		if (at->w[i] != NO_NODE && node_at(s, at->w[i])->deed == DEED_NEVER)
			return !space_is_over(s, at);
	return false;
}

static bool waits_for(const struct space *s, const struct state *at, uint32_t thread, uint64_t condition);

/* Must the thread's stores be in memory before it does this in this state?  What libc does there has a locked instruction, or asks the system. */
static bool drains(const struct space *s, const struct state *at, const struct node *n)
{
	if (s->model == MODEL_SC || !pending_drains(n))
		return false;
	switch (n->deed) {
	case DEED_SIGNAL: case DEED_BROADCAST:
		for (uint32_t i = 0; i < s->thread_count; i++)
			if (waits_for(s, at, i, n->object))
				return true;
		return false;
	case DEED_LOCK: case DEED_UNLOCK: case DEED_DOWN: case DEED_ONCE:
		return !sync_keeps_stores(n, locks_of(s, (struct state *)at)[n->lock]);
	default:
		return true;
	}
}

/* In this state, before it. */
static void log_done(const struct space *s, const struct state *at, doings *log, uint32_t node, uint32_t choice)
{
	if (log)
		vec_push(log, ((struct done){ node, choice, node_at(s, node)->points, false, choice != DONE_STORE && drains(s, at, node_at(s, node)) }));
}

/* ---------------------------------------------------------------- what nobody notices */

/* Joins one behind the other are passed when all their threads have ended: to wait for the first of them or for the second is the same. */
static bool joins_are_over(const struct space *s, const struct state *at, uint32_t node)
{
	for (; node != NO_NODE; node = node_at(s, node)->first) {
		const struct node *n = node_at(s, node);
		if (n->deed == DEED_JOIN ? !is_done(s, at->w[n->other]) : !deed_is_private(n) || n->deed == DEED_CREATE)
			return n->deed != DEED_JOIN;
	}
	return true;
}

static uint32_t word_of(const struct space *s, const struct state *at, const struct node *n)
{
	return locks_of(s, (struct state *)at)[n->lock];
}

static void memory_gets(const struct space *s, struct state *at, const struct node *n, uint64_t value)
{
	for (uint32_t i = 0; n->cell != NO_CELL && i < n->size; i++)
		cells_of(s, at)[n->cell + i] = (uint16_t)(value >> 8 * i & 0xff);
}

/* No other thread has begun, or all have ended: none will see what the thread's stores do one by one. */
static bool is_alone(const struct space *s, const struct state *at, uint32_t thread)
{
	for (uint32_t i = 0; i < s->thread_count; i++)
		if (i != thread && at->w[i] != NO_NODE && !is_done(s, at->w[i]))
			return false;
	return true;
}

/* A write that only its thread sees as yet. */
static bool is_kept_back(const struct space *s, const struct node *n)
{
	return s->model != MODEL_SC && n->waits && (n->deed == DEED_WRITE ? n->cell != NO_CELL : n->deed == DEED_UNLOCK);
}

static void doubt(const struct space *s, uint32_t thread, const char *what)
{
	if (!*s->threads->trouble)
		snprintf(s->threads->trouble, sizeof s->threads->trouble, "%s %s", names_text(&s->threads->paths, thread), what);
}

/* What waited is there for the others. */
static void store_lands(const struct space *s, struct state *at, const struct node *n)
{
	if (n->deed != DEED_UNLOCK)
		memory_gets(s, at, n, n->value);
	else if (!sync_act(n, &locks_of(s, at)[n->lock], 0))
		doubt(s, n->thread, "gives up a lock it does not have");
}

/* Nobody would see its stores reach memory one by one: they all do. */
static bool settle_stores(const struct space *s, struct state *at, uint32_t thread)
{
	if (!pending_count(s, at, thread) || !is_alone(s, at, thread))
		return false;
	while (pending_count(s, at, thread)) {
		store_lands(s, at, node_at(s, pending_leave(s, at, thread, 0)));
	}
	return true;
}

/* Its stores have to reach memory first. */
static bool must_drain(const struct space *s, const struct state *at, uint32_t thread)
{
	return pending_count(s, at, thread) && drains(s, at, node_at(s, at->w[thread]));
}

static bool can_go(const struct space *s, const struct state *at, uint32_t thread, bool *unknown);
static uint32_t act(const struct space *s, struct state *at, const struct node *n, struct step step);

/* Parts of one access, and what follows a deed before the next point, happen together with it. */
static bool is_part(const struct node *n)
{
	return n->deed != DEED_UNKNOWN && n->deed != DEED_BACK && n->points == 0;
}

/* Is it an access that happens together with one that others notice?  Then it is a step, too, though nobody would notice it alone. */
static bool has_visible_part(const struct space *s, const struct node *n)
{
	if (!n->size || n->first == NO_NODE)
		return false;
	for (uint32_t node = n->first; is_part(node_at(s, node)); node = node_at(s, node)->first) {
		const struct node *part = node_at(s, node);
		if (part->size && !deed_is_private(part) && !is_kept_back(s, part))
			return true;
		if (part->first == NO_NODE)
			break;
	}
	return false;
}

/* Who came last to a barrier leaves it in the same breath, all others by a point of their own. */
static bool settle_leaving(const struct space *s, struct state *at, uint32_t thread, doings *log)
{
	uint32_t flags = waiting_of(s, at, thread);
	uint32_t child = flags & WOKEN ? threads_child_known(s->threads, at->w[thread], (flags & SERIAL) != 0) : NO_NODE;
	if (child == NO_NODE)
		return false;
	if (log)
		vec_push(log, ((struct done){ at->w[thread], NOBODY, flags & LAST ? 0 : node_at(s, at->w[thread])->points, false, true }));
	set_waiting(s, at, thread, 0);
	at->w[thread] = child;
	return true;
}

static bool settle_one(const struct space *s, struct state *at, uint32_t thread, doings *log)
{
	const struct node *n = node_at(s, at->w[thread]);
	bool perhaps;
	if (n->deed == DEED_LEAVE)
		return settle_leaving(s, at, thread, log);
	if (n->deed == DEED_BACK) {
		if (s->came_back)
			*s->came_back = at->w[thread];
		at->w[thread] = n->first;
		return true;
	}
	if (is_part(n) && can_go(s, at, thread, &perhaps)) {
		struct node part = *n;
		log_done(s, at, log, at->w[thread], NOBODY);
		at->w[thread] = act(s, at, &part, (struct step){ thread, NOBODY });
		return true;
	}
	if (n->first == NO_NODE || must_drain(s, at, thread) || has_visible_part(s, n))
		return false;
	if (n->deed == DEED_FENCE && n->release)
		pending_fence(s, at, thread);
	else if (is_kept_back(s, n) && n->life == NO_CELL)
		pending_add(s, at, thread, at->w[thread]);
	else if (n->deed == DEED_CREATE)
		at->w[n->other] = s->threads->roots[n->other];
	else if (n->deed == DEED_INIT)
		sync_act(n, &locks_of(s, at)[n->lock], 0);
	else if (n->deed == DEED_JOIN ? !joins_are_over(s, at, at->w[thread]) : n->deed != DEED_END && n->deed != DEED_FENCE && !deed_is_private(n))
		return false;
	log_done(s, at, log, at->w[thread], NOBODY);
	at->w[thread] = n->first;
	return true;
}

/* In an atomic section, in which it has to wait: it is one no longer, until it goes on. */
static bool has_to_wait(const struct space *s, struct state *at, uint32_t thread)
{
	bool perhaps;
	return flags_of(s, at)[thread] & INSIDE && node_at(s, at->w[thread])->deed != DEED_NEVER && !must_drain(s, at, thread) &&
		!can_go(s, at, thread, &perhaps) && !perhaps;
}

uint32_t space_inside(const struct space *s, const struct state *at)
{
	for (uint32_t i = 0; s->threads->has_sections && i < s->thread_count; i++)
		if ((flags_of(s, (struct state *)at)[i] & OF_SECTION) == INSIDE)
			return i;
	return NOBODY;
}

void space_settle(const struct space *s, struct state *at, doings *log)
{
	bool some;
	do {
		some = false;
		for (uint32_t i = 0; i < s->thread_count; i++)
			while (at->w[i] != NO_NODE && (settle_one(s, at, i, log) || settle_stores(s, at, i)))
				some = true;
	} while (some);
	for (uint32_t i = 0; s->threads->has_sections && i < s->thread_count; i++)
		if (at->w[i] != NO_NODE && has_to_wait(s, at, i))
			flags_of(s, at)[i] |= APART;
}

void space_begin(const struct space *s, struct state *at, doings *log)
{
	memset(at, 0, s->bytes);
	for (uint32_t i = 0; i < s->thread_count; i++)
		at->w[i] = i ? NO_NODE : s->threads->roots[0];
	for (uint32_t i = 0; i < s->threads->cell_at.count; i++) {
		const uint64_t *first = map_get(&s->threads->initial, s->threads->cell_at.at[i]);
		cells_of(s, at)[i] = first ? (uint16_t)(*first - 1) : UNKNOWN_BYTE;
	}
	space_settle(s, at, log);
}

uint32_t space_anchor(const struct space *s, uint32_t node)
{
	while (node != NO_NODE && node_at(s, node)->deed == DEED_BACK)
		node = node_at(s, node)->first;
	while (node != NO_NODE && node_at(s, node)->parent != NO_NODE) {
		const struct node *up = node_at(s, node_at(s, node)->parent);
		if (!deed_is_private(up) && !is_kept_back(s, up) && up->deed != DEED_FENCE && up->deed != DEED_JOIN && up->deed != DEED_RESULT &&
				up->deed != DEED_END && up->deed != DEED_EXIT)
			break;
		node = node_at(s, node)->parent;
	}
	return node;
}

/* ---------------------------------------------------------------- steps */

static bool memory_has(const struct space *s, const struct state *at, const struct node *n, uint64_t *value)
{
	const uint16_t *cells = cells_of(s, (struct state *)at) + n->cell;
	bool forwards = pending_count(s, at, n->thread);
	*value = 0;
	for (uint32_t i = 0; n->cell != NO_CELL && i < n->size; i++) {
		uint32_t own = forwards ? pending_byte(s, at, n->thread, n->cell + i) : 0;
		if (!own && cells[i] == UNKNOWN_BYTE)
			return false;
		*value |= (uint64_t)(own ? own - 1 : cells[i]) << 8 * i;
	}
	return true;
}

static bool waits_for(const struct space *s, const struct state *at, uint32_t thread, uint64_t condition)
{
	return at->w[thread] != NO_NODE && waiting_of(s, at, thread) == WAITS &&
		node_at(s, node_at(s, at->w[thread])->parent)->object == condition;
}

/* Have all threads of a row of joins ended, and the last join was never seen to be passed? */
static bool join_is_unknown(const struct space *s, const struct state *at, uint32_t node)
{
	for (; node_at(s, node)->deed == DEED_JOIN || deed_is_private(node_at(s, node)); node = node_at(s, node)->first) {
		const struct node *n = node_at(s, node);
		if (n->deed == DEED_JOIN && !is_done(s, at->w[n->other]))
			return false;
		if (n->first == NO_NODE)
			return true;
	}
	return false;
}

bool space_writes(const struct space *s, const struct state *at, uint32_t node)
{
	const struct node *n = node_at(s, node);
	uint64_t value;
	if (n->deed != DEED_UPDATE)
		return n->deed == DEED_WRITE;
	uint32_t child = memory_has(s, at, n, &value) ? threads_child_known(s->threads, node, value) : NO_NODE;
	return child != NO_NODE && !node_at(s, child)->failed;  /* where it is not known, a run is made first */
}

uint32_t space_after(const struct space *s, const struct state *at, uint32_t node)
{
	const struct node *n = node_at(s, node);
	uint64_t value;
	if (n->cell == NO_CELL || n->deed == DEED_WRITE)
		return n->first;
	return memory_has(s, at, n, &value) ? threads_child_known(s->threads, node, value) : NO_NODE;
}

static bool is_known(const struct space *s, const struct state *at, uint32_t thread, uint64_t told)
{
	return threads_child_known(s->threads, at->w[thread], told) != NO_NODE;
}

/* What the thread that was joined returned; false: no run has shown it. */
static bool result_of(const struct space *s, const struct state *at, const struct node *n, uint64_t *value)
{
	const struct node *end = at->w[n->other] == NO_NODE ? NULL : node_at(s, at->w[n->other]);
	*value = end ? end->value : 0;
	return end && end->plain && is_done(s, at->w[n->other]);
}

/* Can it go?  *unknown: perhaps, what it would do has not been seen. */
static bool can_go(const struct space *s, const struct state *at, uint32_t thread, bool *unknown)
{
	const struct node *n = node_at(s, at->w[thread]);
	uint32_t flags = waiting_of(s, at, thread);
	uint64_t value;
	*unknown = false;
	if (flags & WAITS || is_done(s, at->w[thread]) || must_drain(s, at, thread))
		return false;
	if (n->life != NO_CELL && n->deed != DEED_ALLOC && cells_of(s, (struct state *)at)[n->life] == IS_FREED) {
		*unknown = true;                /* a memory error: the program itself is to show it */
		return false;
	}
	switch (n->deed) {
	case DEED_UNKNOWN:
		*unknown = true;
		return false;
	case DEED_NEVER: return false;
	case DEED_READ:
		*unknown = !memory_has(s, at, n, &value);
		return !*unknown;
	case DEED_UPDATE:
		*unknown = n->cell != NO_CELL && (!memory_has(s, at, n, &value) || threads_child_known(s->threads, at->w[thread], value) == NO_NODE);
		return !*unknown;
	case DEED_LOCK: case DEED_DOWN: case DEED_ONCE:
		if (!sync_goes(n, word_of(s, at, n), &value))
			return false;
		*unknown = !is_known(s, at, thread, value);
		return !*unknown;
	case DEED_WAKE:
		if (!sync_is_free(n, word_of(s, at, n)))
			return false;
		*unknown = !is_known(s, at, thread, flags & LATE ? ETIMEDOUT : 0);
		return !*unknown;
	case DEED_LEAVE:
		*unknown = flags & WOKEN;       /* or it would have left */
		return false;
	case DEED_JOIN:
		*unknown = join_is_unknown(s, at, at->w[thread]);
		return false;
	case DEED_RESULT:
		*unknown = !result_of(s, at, n, &value) || !is_known(s, at, thread, value);
		return !*unknown;
	default: return true;
	}
}

/* It has to wait, and not for ever. */
static bool can_time_out(const struct space *s, const struct state *at, uint32_t thread)
{
	const struct node *n = node_at(s, at->w[thread]);
	uint64_t told;
	if (!n->timed || is_done(s, at->w[thread]) || must_drain(s, at, thread))
		return false;
	return n->deed == DEED_WAKE ? waiting_of(s, at, thread) == WAITS : !sync_goes(n, word_of(s, at, n), &told);
}

/* The ways in which a thread that can go does: a signal wakes one of those who wait, one of all at a barrier is told to be the serial one. */
static void add_steps(const struct space *s, const struct state *at, uint32_t thread, steps *out)
{
	const struct node *n = node_at(s, at->w[thread]);
	bool lets_go = n->deed == DEED_ARRIVE && barrier_is_last(word_of(s, at, n));
	size_t before = out->count;
	for (uint32_t w = 0; (n->deed == DEED_SIGNAL || lets_go) && w < s->thread_count; w++)
		if (waits_for(s, at, w, n->object))
			vec_push(out, ((struct step){ thread, w }));
	if (out->count == before || lets_go)
		vec_push(out, ((struct step){ thread, NOBODY }));
}

/* Any number; *unknown: the first nobody has chosen here yet. */
static void choose_steps(const struct space *s, const struct state *at, uint32_t thread, steps *out, struct step *unknown)
{
	for (uint32_t i = 0; i < node_at(s, at->w[thread])->value; i++) {
		if (is_known(s, at, thread, i))
			vec_push(out, ((struct step){ thread, i }));
		else if (unknown->thread == NOBODY)
			*unknown = (struct step){ thread, i };
	}
}

void space_steps(const struct space *s, const struct state *at, steps *out, struct step *unknown)
{
	uint32_t inside = space_inside(s, at);
	vec_clear(out);
	*unknown = (struct step){ NOBODY, NOBODY };
	for (uint32_t i = 0; i < s->thread_count; i++) {
		struct step late = { i, TIMES_OUT };
		bool perhaps;
		if (at->w[i] == NO_NODE || (inside != NOBODY && inside != i))
			continue;
		for (uint32_t k = 0; k < pending_count(s, at, i); k++)
			if (pending_may_leave(s, at, i, k))
				vec_push(out, ((struct step){ i, STEP_STORE(k) }));
		if (node_at(s, at->w[i])->deed == DEED_CHOOSE) {
			choose_steps(s, at, i, out, unknown);
			continue;
		}
		bool goes = can_go(s, at, i, &perhaps), times_out = !goes && !perhaps && can_time_out(s, at, i);
		if (perhaps && unknown->thread == NOBODY)
			*unknown = (struct step){ i, NOBODY };
		if (times_out && !is_known(s, at, i, ETIMEDOUT) && unknown->thread == NOBODY)
			*unknown = late;
		else if (times_out)
			vec_push(out, late);
		if (goes)
			add_steps(s, at, i, out);
	}
}

/* When the thread began to wait. */
static size_t came_at(const struct space *s, const struct state *at, const doings *log, uint32_t thread)
{
	size_t i = log->count;
	while (i && log->at[i - 1].node != node_at(s, at->w[thread])->parent)
		i--;
	return i;
}

/* How-many-th of those who wait it is, in the order they came; *all of them. */
static uint32_t place_of(const struct space *s, const struct state *at, const doings *log, uint64_t object, uint32_t woken, uint32_t *all)
{
	uint32_t before = 0;
	*all = 0;
	for (uint32_t i = 0; i < s->thread_count; i++)
		if (waits_for(s, at, i, object)) {
			before += woken < s->thread_count && came_at(s, at, log, i) < came_at(s, at, log, woken);
			++*all;
		}
	return before;
}

/* The number the runtime asks for; NOBODY: it does not. */
static uint32_t choice_of(const struct space *s, const struct state *at, const struct node *n, const doings *log, uint32_t woken)
{
	uint32_t all, place = place_of(s, at, log, n->object, woken, &all);
	if (n->deed == DEED_CHOOSE)
		return woken;
	if (n->deed == DEED_SIGNAL)
		return all > 1 ? place : NOBODY;
	if (n->deed == DEED_ARRIVE && barrier_is_last(word_of(s, at, n)))
		return all ? (woken == NOBODY ? 0 : place + 1) : NOBODY;
	return NOBODY;
}

static void arrive(const struct space *s, struct state *at, const struct node *n, struct step step)
{
	uint32_t *word = &locks_of(s, at)[n->lock];
	if (!(*word >> 16))
		doubt(s, step.thread, "waits at a barrier that was not made before threads were");
	if (!barrier_is_last(*word)) {
		*word += 1;
		set_waiting(s, at, step.thread, WAITS);
		return;
	}
	for (uint32_t i = 0; i < s->thread_count; i++)
		if (waits_for(s, at, i, n->object))
			set_waiting(s, at, i, i == step.woken ? WOKEN | SERIAL : WOKEN);
	*word &= ~0xffffu;
	set_waiting(s, at, step.thread, step.woken == NOBODY ? WOKEN | LAST | SERIAL : WOKEN | LAST);
}

/* Gets its lock again behind a wait. */
static uint32_t wake(const struct space *s, struct state *at, const struct node *n, uint32_t thread)
{
	uint64_t told = waiting_of(s, at, thread) & LATE ? ETIMEDOUT : 0;
	locks_of(s, at)[n->lock] = 0x100 | (thread + 1);
	set_waiting(s, at, thread, 0);
	return threads_child_known(s->threads, at->w[thread], told);
}

/* Waits no longer.  Who waited for a condition has its lock at once if it is free. */
static void time_out(const struct space *s, struct state *at, uint32_t thread, doings *log)
{
	const struct node *n = node_at(s, at->w[thread]);
	if (log)
		vec_push(log, ((struct done){ at->w[thread], NOBODY, n->points, true, true }));
	if (n->deed != DEED_WAKE) {
		at->w[thread] = threads_child_known(s->threads, at->w[thread], ETIMEDOUT);
		return;
	}
	set_waiting(s, at, thread, LATE);
	if (sync_is_free(n, word_of(s, at, n)))
		at->w[thread] = wake(s, at, n, thread);
}

/* For a condition: the lock is given up meanwhile. */
static void begin_to_wait(const struct space *s, struct state *at, uint32_t *lock, uint32_t thread)
{
	if (*lock != (0x100u | (thread + 1)))
		doubt(s, thread, "waits for a condition with a lock it does not have, or has more than once");
	*lock = 0;
	set_waiting(s, at, thread, WAITS);
}

static void wake_all(const struct space *s, struct state *at, uint64_t condition)
{
	for (uint32_t i = 0; i < s->thread_count; i++)
		if (waits_for(s, at, i, condition))
			set_waiting(s, at, i, WOKEN);
}

/* A deed that others notice; where the thread is then. */
static uint32_t act(const struct space *s, struct state *at, const struct node *n, struct step step)
{
	uint32_t *word = &locks_of(s, at)[n->lock], here = at->w[step.thread], child;
	uint64_t value;
	if (n->size && n->cell == NO_CELL)      /* only whether its block lives is another thread's business */
		return n->first;
	switch (n->deed) {
	case DEED_CHOOSE: return threads_child_known(s->threads, here, step.woken);
	case DEED_RESULT:
		check(result_of(s, at, n, &value));
		return threads_child_known(s->threads, here, value);
	case DEED_ALLOC: case DEED_FREE:
		if (n->life != NO_CELL)
			cells_of(s, at)[n->life] = n->deed == DEED_FREE ? IS_FREED : 0;
		break;
	case DEED_READ:
		check(memory_has(s, at, n, &value));
		return threads_child(s->threads, here, value);
	case DEED_UPDATE:
		check(memory_has(s, at, n, &value));
		child = threads_child_known(s->threads, here, value);
		memory_gets(s, at, n, node_at(s, child)->written);
		return child;
	case DEED_WRITE:
		if (is_kept_back(s, n))
			pending_add(s, at, step.thread, here);
		else
			memory_gets(s, at, n, n->value);
		break;
	case DEED_FENCE:
		if (n->release)
			pending_fence(s, at, step.thread);
		break;
	case DEED_LOCK: case DEED_DOWN: case DEED_ONCE:
		sync_goes(n, *word, &value);
		sync_act(n, word, value);
		return threads_child_known(s->threads, here, value);
	case DEED_UNLOCK: case DEED_UP: case DEED_ONCE_DONE:
		if (is_kept_back(s, n))
			pending_add(s, at, step.thread, here);
		else if (!sync_act(n, word, 0))
			doubt(s, step.thread, "gives up a lock it does not have");
		break;
	case DEED_ATOMIC: flags_of(s, at)[step.thread] = n->value ? INSIDE : 0; break;
	case DEED_ARRIVE: arrive(s, at, n, step); break;
	case DEED_WAIT: begin_to_wait(s, at, word, step.thread); break;
	case DEED_WAKE: return wake(s, at, n, step.thread);
	case DEED_SIGNAL:
		if (step.woken != NOBODY)
			set_waiting(s, at, step.woken, WOKEN);
		break;
	case DEED_BROADCAST: wake_all(s, at, n->object); break;
	default: break;
	}
	return n->first;
}

static void store_reaches(const struct space *s, struct state *at, struct step step, doings *log)
{
	check(step.woken - STEP_STORE(0) < pending_count(s, at, step.thread));
	uint32_t node = pending_leave(s, at, step.thread, step.woken - STEP_STORE(0));
	log_done(s, at, log, node, DONE_STORE);
	store_lands(s, at, node_at(s, node));
	space_settle(s, at, log);
}

void space_take(const struct space *s, struct state *at, struct step step, doings *log)
{
	if (STEP_IS_STORE(step)) {
		store_reaches(s, at, step, log);
		return;
	}
	struct node n = *node_at(s, at->w[step.thread]);
	flags_of(s, at)[step.thread] &= ~(uint32_t)APART;
	if (step.woken == TIMES_OUT) {
		time_out(s, at, step.thread, log);
	} else {
		log_done(s, at, log, at->w[step.thread], log ? choice_of(s, at, &n, log, step.woken) : NOBODY);
		at->w[step.thread] = act(s, at, &n, step);
	}
	while (is_part(node_at(s, at->w[step.thread])) && settle_one(s, at, step.thread, log))
		;
	space_settle(s, at, log);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* What the thread has yet to bring to memory, as a number: the stores that wait, and those to come. */
static uint32_t tail_of(const struct space *s, const struct state *at, uint32_t thread)
{
	uint32_t tail = is_done(s, at->w[thread]) ? 0 : threads_tail(s->threads, at->w[thread]);
	for (uint32_t i = pending_count(s, at, thread); i-- > 0;)
		tail = threads_tail_with(s->threads, pending_node(s, at, thread, i), tail);
	return tail;
}

void space_alike(const struct space *s, const struct state *at, struct state *out)
{
	uint32_t tails[MAX_THREADS], count = 0, next = 0;
	memcpy(out, at, space_bytes(s, at));
	for (uint32_t i = 1; i < s->thread_count; i++) {
		if (!s->threads->alike || at->w[i] == NO_NODE || !threads_tail(s->threads, s->threads->roots[i]))
			continue;
		tails[count++] = tail_of(s, at, i);
		out->w[i] = NO_NODE - 1;
		while (pending_count(s, out, i))
			pending_leave(s, out, i, pending_count(s, out, i) - 1);
	}
	qsort(tails, count, sizeof *tails, by_number);
	for (uint32_t i = 1; i < s->thread_count && next < count; i++)
		if (out->w[i] == NO_NODE - 1)
			flags_of(s, out)[i] |= tails[next++] << 2;
}

/* With nobody else about, does the thread come back to where it is? */
static bool goes_round(const struct space *s, const struct state *at, uint32_t thread, struct state *alone)
{
	bool perhaps;
	memcpy(alone, at, space_bytes(s, at));
	for (uint32_t i = 0; i < MOST_ROUND && node_at(s, at->w[thread])->is_head; i++) {
		if (pending_count(s, alone, thread) && (must_drain(s, alone, thread) || alone->w[thread] == at->w[thread])) {
			space_take(s, alone, (struct step){ thread, STEP_STORE(0) }, NULL);    /* of a spin lock it had */
		} else if (!can_go(s, alone, thread, &perhaps) || node_at(s, alone->w[thread])->deed == DEED_CHOOSE) {
			return false;
		} else {
			space_take(s, alone, (struct step){ thread, NOBODY }, NULL);
		}
		if (alone->w[thread] == at->w[thread] && !pending_count(s, alone, thread))
			return space_bytes(s, alone) == space_bytes(s, at) && !memcmp(alone, at, space_bytes(s, at));
	}
	return false;
}

bool space_spins_in_vain(const struct space *s, const struct state *at, struct state *room)
{
	bool spins = false, perhaps;
	uint32_t inside = space_inside(s, at);
	for (uint32_t i = 0; i < s->thread_count; i++) {
		if (at->w[i] == NO_NODE || (inside != NOBODY && inside != i))
			continue;
		if (node_at(s, at->w[i])->deed == DEED_NEVER)
			return false;
		bool goes = can_go(s, at, i, &perhaps);
		if (perhaps || pending_count(s, at, i) || (!goes && can_time_out(s, at, i)) || (goes && !goes_round(s, at, i, room)))
			return false;
		spins |= goes;
	}
	return spins;
}
