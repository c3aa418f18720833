/* verify/must.c -- see must.h.  Each rule of docs/order.md is looked up in the twin between the two events it is about. */
#include "verify/must.h"

#include <string.h>

enum model model;

static bool has_order(uint32_t e, const char *orders)           /* of an atomic or a fence */
{
	bool failed = event_is(e, "cas") && event_failed(e);
	const char *said = field_of(e, failed ? "fail" : "order");
	return word_among(*said ? said : failed ? "relaxed" : "seq_cst", orders);
}

static bool writes(uint32_t e) { return event_among(e, " astore rmw cas ") && !(event_is(e, "cas") && event_failed(e)); }
static bool acquires(uint32_t e) { return event_among(e, " aload rmw cas fence ") && has_order(e, " consume acquire acq_rel seq_cst "); }
static bool releases(uint32_t e)
{
	return event_is(e, "release") || ((writes(e) || event_is(e, "fence")) && has_order(e, " release acq_rel seq_cst "));
}

/* ---- one thread ---- */

static bool waits(uint32_t e)
{
	return model != SC && !event_empties(e) && (event_among(e, " w copy astore release ") || (event_is(e, "fence") && releases(e)));
}

uint32_t node_of(uint32_t e) { return 2 * e + waits(e); }

static bool overlap(uint32_t e, uint32_t f)
{
	uint64_t a, b, a_size = event_extent(e, true, &a), b_size = event_extent(f, true, &b);
	return a_size && b_size && (b - a < a_size || a - b < b_size);
}

/* Of two that wait, e made before f with no empty buffer in between: is e in memory first?  Under PSO: f waits for all that was made before
 * it, or a fence is between them, or f writes bytes of e, or of one in between that waits for e. */
static bool memory_before(uint32_t e, uint32_t f)
{
	LIST(static, uint32_t, behind)
	if (model == TSO || event_is(e, "fence") || releases(f))
		return true;
	behind_count = 0;
	LIST_ADD(behind) = e;
	for (uint32_t i = events[e].at + 1; i <= events[f].at; i++) {
		uint32_t s = threads[events[e].thread].event[i];
		bool after = event_is(s, "astore") && releases(s);
		if (event_is(s, "fence") && releases(s))
			return true;
		for (uint32_t k = 0; k < behind_count && !after; k++)
			after = waits(s) && overlap(behind[k], s);
		if (after)
			LIST_ADD(behind) = s;
	}
	return behind[behind_count - 1] == f;
}

bool program_before(uint32_t x, uint32_t y)
{
	const struct event *a = &events[x / 2], *b = &events[y / 2];
	if (x == END || y == END || a->thread != b->thread || a->at > b->at)
		return false;
	if (a == b)
		return x < y;
	return !(x & 1) || b->emptied > a->emptied || (y & 1 && memory_before(x / 2, y / 2));
}

/* ---- locks ---- */

bool section_begins(uint32_t e, uint64_t *lock, bool *shared)
{
	bool wakes = event_is(e, "cwake") && *field_of(e, "lock");
	*lock = wakes ? word_object(field_of(e, "lock")) : events[e].object;
	*shared = !wakes && !strcmp(field_of(e, "mode"), "read");
	return wakes || (event_is(e, "lock") && !strstr(field_of(e, "is"), "inflight"));
}

uint32_t section_end(uint32_t take)
{
	const struct thread *t = &threads[events[take].thread];
	uint64_t lock;
	bool shared;
	section_begins(take, &lock, &shared);
	for (uint32_t i = events[take].at + 1, depth = 1; i < t->event_count; i++) {
		uint32_t e = t->event[i];
		if (event_is(e, "cwait") && *field_of(e, "lock") && word_object(field_of(e, "lock")) == lock)
			return e;
		if (events[e].object != lock || !event_among(e, " lock unlock ") || strstr(field_of(e, "is"), "inflight"))
			continue;
		depth += event_is(e, "lock") ? 1 : event_failed(e) ? 0 : -1u;
		if (!depth)
			return e;
	}
	return NOTHING;
}

/* Where the section began that a try met; of several, that of the first thread ever to use the lock.  NOTHING: none. */
static uint32_t section_met(uint32_t try)
{
	LIST(static, uint32_t, users)            /* the first section of each thread */
	uint32_t found = NOTHING, first = NOTHING;
	bool shared, reads = !strcmp(field_of(try, "mode"), "read");
	uint64_t lock;
	users_count = 0;
	for (uint32_t e = 0; e < try; e++) {
		uint32_t user = 0, end;
		if (!section_begins(e, &lock, &shared) || lock != events[try].object || events[e].thread == events[try].thread)
			continue;
		while (user < users_count && events[users[user]].thread != events[e].thread)
			user++;
		if (user == users_count)
			LIST_ADD(users) = e;
		end = section_end(e);
		if (!(shared && reads) && user < first && (end == NOTHING || end > try)) {
			found = e;
			first = user;
		}
	}
	return found;
}

/* ---- two threads ---- */

/* Does b, or what its thread read before this fence, read from a, or from what a's thread wrote behind this fence, through read-modify-writes? */
static bool carried(uint32_t a, uint32_t b)
{
	for (uint32_t r = event_is(b, "fence") ? a + 1 : b; r <= b; r++)
		for (uint32_t w = r; events[r].thread == events[b].thread && event_among(r, " aload rmw cas ") && w-- > a;) {
			if (!writes(w) || events[w].object != events[r].object)
				continue;
			if (w == a || (event_is(a, "fence") && events[w].thread == events[a].thread))
				return true;
			if (event_is(w, "astore"))
				break;
		}
	return false;
}

static bool ran_once(uint32_t e, uint64_t object)
{
	uint64_t n;
	return event_is(e, "once") && events[e].object == object && word_number(field_of(e, "arg"), &n) && n;
}

static bool passed_once(uint32_t a, uint32_t b)
{
	bool ran = ran_once(a, events[b].object);
	for (uint32_t e = a + 1; e <= b && ran; e++)
		ran = !ran_once(e, events[b].object);
	return ran;
}

bool must_before(uint32_t a, uint32_t b)
{
	const struct thread *t = &threads[events[a].thread];
	bool same = events[a].object == events[b].object, end = events[a].at && events[a].at + 1 == t->event_count;
	if ((end ? t->event[events[a].at - 1] : a) >= b || events[a].thread == events[b].thread)
		return false;
	if (!events[b].at)
		return event_is(a, "fork") && !event_failed(a) && thread_named(word_of(a, 2)) == events[b].thread;
	if (event_is(b, "join"))
		return !event_failed(b) && thread_named(word_of(b, 2)) == events[a].thread;
	if (event_is(b, "bleave"))
		return event_is(a, "benter") && same && !strcmp(field_of(a, "gen"), field_of(b, "gen"));
	if (event_is(b, "acquire"))
		return event_is(a, "release") && same;
	if (event_is(b, "once"))
		return passed_once(a, b);
	if (event_is(b, "tryfail"))
		return section_met(b) == a;
	if (event_is(a, "tryfail"))
		return section_met(a) != NOTHING && section_end(section_met(a)) == b;
	return releases(a) && acquires(b) && carried(a, b);
}
