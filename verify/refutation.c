/* verify/refutation.c -- an independent checker of refutations: libc alone, no code of the engine that writes them.  It is one file, to be read from
 * the first line to the last: the events of a plain twin; what comes before what in every order; clauses, and what follows from them; rules; claims.
 *
 * A refutation (docs/refutation-format.md) claims something, names pairs of events that wait for each other, and names rules by the events they
 * are about; whether they do, and the ways out a rule leaves, are looked up in the twin.  Its steps are clauses over ways.
 * Both files are hostile: whatever they hold, the answer is "holds" or a reason. */
#include "verify/refutation.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX
#define END (NOTHING - 1)                /* of the prefix that is claimed not to exist */

/* Lists: what they hold, how many, room for how many. */
#define LIST(storage, T, name) storage T *name; storage uint32_t name##_count, name##_room;
#define LIST_ADD(name) (*(name = list_grown(name, name##_count, &name##_room, sizeof *name), &name[name##_count++]))

/* An event, as the columns have it.  The at-th of its thread: 0 is made up and stands in front of its first, and one more behind its last.
 * emptied: how many events of its thread, up to itself, found its store buffer empty. */
struct event { uint32_t thread, at, emptied; char kind[16]; uint64_t object, other, size; int result; unsigned order, flags; char got[33], put[33]; };
enum { FAILED = 1, IN_FLIGHT = 2 };      /* flags */
LIST(static, struct event, events)       /* in the order of the twin */
static uint64_t line_number, twin_hash;  /* hash: FNV-1a of all the twin */

/* A node is 2 * event: when it is made; or, of a store or a release that waits in its thread's buffer, 2 * event + 1: when it is in memory. */
static enum { SC, TSO, PSO } model;

static bool refuted;                     /* the empty clause follows */
static bool legible;                     /* both are what they should be */
static char why[200];
static jmp_buf out;

static _Noreturn void line_bad(const char *what)
{
	snprintf(why, sizeof why, "line %llu: %s", (unsigned long long)line_number, what);
	longjmp(out, 1);
}

static void *list_grown(void *list, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return list;
	if (count >= 1u << 28)
		line_bad("too much of it");
	*room = count * 2 + 64;
	return (list = realloc(list, *room * size)) ? list : (abort(), NULL);
}

/* ---- what an event is ---- */

static bool event_is(uint32_t e, const char *kind) { return !strcmp(events[e].kind, kind); }

static bool event_among(uint32_t e, const char *kinds)
{
	char word[20];
	snprintf(word, sizeof word, " %s ", events[e].kind);
	return strstr(kinds, word);
}

/* ---- store buffers: what a call of libc does to them by the path it takes; 1, 11, 16, 22, 35, 110: EPERM, EAGAIN, EBUSY, EINVAL, EDEADLK, ETIMEDOUT ---- */

enum { LOCK_RECURSIVE = 2, LOCK_SPIN = 5, LOCK_COND = 6, LOCK_BARRIER = 7 };    /* of what a lock's event has above its lowest 8 bits */

static unsigned lock_type(uint32_t e) { return events[e].other >> 8 & 255; }
static bool is_spin_unlock(uint32_t e) { return event_is(e, "unlock") && !events[e].result && lock_type(e) == LOCK_SPIN; }

/* How often its thread has the lock when it comes to e. */
static uint32_t lock_depth(uint32_t e)
{
	uint32_t depth = 0;
	for (uint32_t i = 0; i < e; i++) {
		if (events[i].thread != events[e].thread)
			continue;
		bool waits = event_among(i, " cwait cwake ") && events[i].other == events[e].object;
		if (waits)
			depth = event_is(i, "cwake");
		if (events[i].object == events[e].object && !(events[i].flags & IN_FLIGHT) && event_is(i, "lock"))
			depth++;
		if (events[i].object == events[e].object && !(events[i].flags & IN_FLIGHT) && event_is(i, "unlock") && !events[i].result && depth)
			depth--;
	}
	return depth;
}

/* Only counted up or down. */
static bool is_counted(uint32_t e)
{
	if (!event_among(e, " lock unlock ") || lock_type(e) != LOCK_RECURSIVE || events[e].result || events[e].flags & IN_FLIGHT)
		return false;
	return lock_depth(e) > (event_is(e, "unlock") ? 1 : 0);
}

/* No locked instruction, and the system is not asked; or whether it is depends on the order. */
static bool call_keeps(uint32_t e)
{
	int result = events[e].result;
	unsigned type = lock_type(e);
	if (event_is(e, "tryfail"))
		return type != LOCK_SPIN && (!result || result == 16 || result == 22 || result == 35);
	if (event_is(e, "lockdead"))
		return type != LOCK_COND && type != LOCK_BARRIER;
	return event_among(e, " lockinit csignal cbroadcast ") || is_counted(e) || (event_is(e, "unlock") && (result || type == LOCK_SPIN)) ||
		(event_is(e, "once") && !events[e].other) || (event_is(e, "swait") && (result == 11 || result == 22)) || (event_is(e, "join") && result == 16);
}

static bool event_empties(uint32_t e)
{
	if (event_among(e, " astore fence "))
		return events[e].order == 5 || events[e].size == 16;
	if (call_keeps(e))
		return false;
	return events[e].at && !event_among(e, " r w aload copy libread flush begin block alloc free realloc stack tls enter leave call branch "
		"landed result argument keyframe time module lost label ignore frames shut opened choice release acquire ");
}

static bool event_touches(uint32_t e, bool written, uint64_t byte)
{
	uint64_t start = event_is(e, "copy") && !written ? events[e].other : events[e].object;
	return byte - start < events[e].size && !(written && events[e].flags & FAILED) &&
		event_among(e, written ? " w astore rmw cas libwrite copy input alloc " : " r aload rmw cas libread copy output ");
}

static int event_byte(uint32_t e, bool written, uint64_t byte)
{
	const char *hex = written ? events[e].put : events[e].got;
	uint64_t at = byte - events[e].object;
	unsigned value;
	if (!event_touches(e, written, byte))
		return -2;
	return at < 16 && strlen(hex) >= 2 * at + 2 && sscanf(hex + 2 * at, "%2x", &value) == 1 ? (int)(value & 255) : -1;
}

/* ---- reading ---- */

/* The event before this one, or before that place, of a thread; NOTHING: it is the first. */
static uint32_t before_in(uint32_t thread, uint32_t e)
{
	while (e-- > 0 && events[e].thread != thread)
		;
	return e;
}

static void event_add(struct event e)
{
	uint32_t last = before_in(e.thread, events_count);
	if (last == NOTHING && *e.kind) {
		event_add((struct event){ .thread = e.thread });
		last = events_count - 1;
	}
	e.at = last == NOTHING ? 0 : events[last].at + 1;
	LIST_ADD(events) = e;
	events[events_count - 1].emptied = (e.at ? events[last].emptied : 0) + event_empties(events_count - 1);
}

static void twin_read(char *twin)
{
	twin_hash = 0xcbf29ce484222325ull;
	for (const char *c = twin; *c; c++)
		twin_hash = (twin_hash ^ (unsigned char)*c) * 0x100000001b3ull;
	for (char *line; (line = strsep(&twin, "\n"));) {
		struct event e = { 0 };
		line_number++;
		if (!*line || *line == '#')
			continue;
		if (sscanf(line, "%u %15s %" SCNx64 " %" SCNx64 " %" SCNu64 " %d %u %u %32s %32s", &e.thread, e.kind, &e.object, &e.other, &e.size, &e.result,
			&e.order, &e.flags, e.got, e.put) != 10)
			line_bad("no event of a plain twin (raddle export --format=plain)");
		event_add(e);
	}
	if (!events_count)
		line_bad("the plain twin has no events");
	for (uint32_t e = 0, last = events_count; e < last; e++)
		if (!events[e].at)
			event_add((struct event){ .thread = events[e].thread });
}

/* ---- one thread ---- */

/* Memory orders: 0 relaxed, 1 consume, 2 acquire, 3 release, 4 both, 5 sequentially consistent. */
static bool writes(uint32_t e) { return event_among(e, " astore rmw cas ") && !(events[e].flags & FAILED); }
static bool acquires(uint32_t e) { return event_among(e, " aload rmw cas fence ") && events[e].order && events[e].order != 3; }
static bool releases(uint32_t e) { return event_is(e, "release") || ((writes(e) || event_is(e, "fence")) && events[e].order >= 3); }

static bool waits(uint32_t e)
{
	return model != SC && !event_empties(e) && (event_among(e, " w copy astore release ") || is_spin_unlock(e) || (event_is(e, "fence") && releases(e)));
}

static uint32_t node_of(uint32_t e) { return 2 * e + waits(e); }

/* Of two that wait, e made before f with no empty buffer in between: is e in memory first?  Under PSO: e is a fence, or f waits for all that was made
 * before it, or writes bytes of e; or something in between is behind e so, and f behind that. */
static bool memory_before(uint32_t e, uint32_t f)
{
	LIST(static, uint32_t, behind)
	if (model == TSO)
		return true;
	behind_count = 0;
	LIST_ADD(behind) = e;
	for (uint32_t s = e + 1; s <= f; s++) {
		bool after = false;
		for (uint32_t k = 0; k < behind_count && !after && events[s].thread == events[e].thread && waits(s); k++)
			after = event_is(behind[k], "fence") || releases(s) || is_spin_unlock(s) ||
				event_touches(behind[k], true, events[s].object) || event_touches(s, true, events[behind[k]].object);
		if (after)
			LIST_ADD(behind) = s;
	}
	return behind[behind_count - 1] == f;
}

static bool program_before(uint32_t x, uint32_t y)
{
	const struct event *a = &events[x / 2], *b = &events[y / 2];
	if (x == END || y == END || x == y || a->thread != b->thread || a->at > b->at)
		return false;
	return !(x & 1) || b->emptied > a->emptied || (y & 1 && memory_before(x / 2, y / 2));
}

/* ---- locks ---- */

/* The lock of which a section begins with this; 0: none. */
static uint64_t lock_taken(uint32_t e)
{
	return event_is(e, "cwake") ? events[e].other : event_is(e, "lock") && !(events[e].flags & IN_FLIGHT) ? events[e].object : 0;
}

static bool is_shared(uint32_t e) { return !event_is(e, "cwake") && events[e].other & 1; }

/* Is the memory of this object given out here, so that another one lies there from now on? */
static bool given_out(uint32_t e, uint64_t object)
{
	uint64_t bytes = event_is(e, "alloc") ? events[e].size : events[e].other;
	return event_among(e, " alloc realloc stack map ") && object - events[e].object < bytes;
}

static bool same_memory(uint32_t e, uint32_t f, uint64_t object)
{
	while (++e < f && !given_out(e, object))
		;
	return e >= f;
}

/* How often each thread has the object at hand. */
struct had { uint32_t thread, times; };
LIST(static, struct had, hads)

static uint32_t *had_by(uint32_t thread)
{
	for (uint32_t i = 0; i < hads_count; i++)
		if (hads[i].thread == thread)
			return &hads[i].times;
	LIST_ADD(hads) = (struct had){ thread, 0 };
	return &hads[hads_count - 1].times;
}

/* Of the lock or semaphore e is about: is it made at most once, and before it is used, given back by whoever has it, and never left behind by a thread that
 * ended?  Else no rule here is about it. */
static bool one_life(uint32_t e, uint64_t object)
{
	bool used = false, one = true;
	hads_count = 0;
	while (e && !given_out(e - 1, object))
		e--;
	for (; e < events_count && one && !given_out(e, object); e++) {
		bool takes = lock_taken(e) == object, waits = event_is(e, "cwait") && events[e].other == object;
		bool gives = waits || (event_is(e, "unlock") && events[e].object == object && !events[e].result && !(events[e].flags & IN_FLIGHT));
		one = !(takes && events[e].result == 130) && !(gives && !*had_by(events[e].thread)) &&
			!(used && event_is(e, "lockinit") && events[e].object == object && !events[e].result);
		used |= takes || gives || (event_among(e, " tryfail swait spost lockdead lockinit ") && events[e].object == object);
		if (one && (takes || gives))
			*had_by(events[e].thread) = takes ? *had_by(events[e].thread) + 1 : waits ? 0 : *had_by(events[e].thread) - 1;
	}
	return one;
}

static uint32_t section_end(uint32_t take)      /* NOTHING: it has none */
{
	uint64_t lock = lock_taken(take);
	for (uint32_t e = take + 1, depth = 1; e < events_count; e++) {
		if (events[e].thread != events[take].thread)
			continue;
		if (event_is(e, "cwait") && events[e].other == lock)
			return e;
		if (events[e].object != lock || !event_among(e, " lock unlock ") || events[e].flags & IN_FLIGHT)
			continue;
		depth += event_is(e, "lock") ? 1 : events[e].result ? 0 : -1u;
		if (!depth)
			return e;
	}
	return NOTHING;
}

/* Where the section began that a try met; of several, that of the first thread ever to use the lock.  NOTHING: none. */
static uint32_t section_met(uint32_t try)
{
	uint32_t found = NOTHING, first = NOTHING, use;
	for (uint32_t e = 0; e < try; e++) {
		bool other = lock_taken(e) == events[try].object && events[e].thread != events[try].thread && !(is_shared(e) && is_shared(try)) &&
			same_memory(e, try, events[try].object);
		if (!other || section_end(e) <= try)
			continue;
		for (use = 0; events[use].thread != events[e].thread || lock_taken(use) != events[try].object || !same_memory(use, try, events[try].object); use++)
			;
		found = use < first ? e : found;
		first = use < first ? use : first;
	}
	return found;
}

/* Did it fail as somebody had the lock, and not for another reason? */
static bool is_refused(uint32_t try)
{
	int result = events[try].result;
	return (!result || result == 16 || result == 110) && one_life(try, events[try].object);
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

static bool must_before(uint32_t a, uint32_t b)
{
	uint64_t object = events[b].object;
	bool same = events[a].object == object, end = events[a].at && !*events[a].kind;
	if ((end ? before_in(events[a].thread, a) : a) >= b || events[a].thread == events[b].thread)
		return false;
	if (!events[b].at)
		return event_is(a, "fork") && !events[a].result && events[a].object == events[b].thread;
	if (event_is(b, "join"))
		return !events[b].result && events[b].object == events[a].thread;
	if (event_is(b, "bleave"))
		return event_is(a, "benter") && same && events[a].other == events[b].other;
	if (event_is(b, "acquire"))
		return event_is(a, "release") && same;
	if (event_is(b, "once") && !events[b].other) {          /* a was the last to run what b found done */
		while (b-- > a && !(event_is(b, "once") && events[b].object == object && events[b].other))
			;
		return b == a;
	}
	if (event_is(b, "tryfail"))
		return is_refused(b) && section_met(b) == a;
	if (event_is(a, "tryfail"))
		return is_refused(a) && section_met(a) != NOTHING && section_end(section_met(a)) == b;
	return releases(a) && acquires(b) && carried(a, b);
}

/* ---- clauses over ways ---- */

/* x before y; or, `next`: not x itself but all its thread does before it. */
struct edge { uint32_t from, to; bool next, gone; };
struct way { struct edge edge[2]; uint32_t count; int value; };  /* value: 1 it holds, -1 it does not */

LIST(static, struct way, ways)
LIST(static, int, literals)              /* a way, counted from 1, or - it; 0 ends a clause */
LIST(static, struct edge, edges)         /* those that hold throughout come first */
LIST(static, char *, words)              /* of the line at hand */

static void steps_hold(uint32_t x, uint32_t y, bool next) { LIST_ADD(edges) = (struct edge){ x, y, next, false }; }

/* One more way of the rule at hand; by: NOTHING, it is one edge. */
static void steps_way(uint32_t from, uint32_t by, uint32_t to)
{
	bool one = by == NOTHING;
	LIST_ADD(ways) = (struct way){ { { from, one ? to : by, false, false }, { by, to, false, false } }, one ? 1 : 2, 0 };
	LIST_ADD(literals) = (int)ways_count;
}

static bool behind(const struct edge *e, const struct edge *f)          /* f begins where e ends, or behind it */
{
	return (e->to == f->from && !f->next) || program_before(e->to, f->from);
}

/* Do the edges, with what each thread does in its order, close a cycle?  Those that are behind none are taken away until there are no such. */
static bool cyclic(void)
{
	uint32_t left = edges_count;
	for (uint32_t f = 0; f < edges_count; f++)
		edges[f].gone = false;
	for (uint32_t before = left + 1; left < before;) {
		before = left;
		for (uint32_t f = 0; f < edges_count; f++) {
			uint32_t e = 0;
			while (e < edges_count && (edges[e].gone || !behind(&edges[e], &edges[f])))
				e++;
			left -= e == edges_count && !edges[f].gone;
			edges[f].gone |= e == edges_count;
		}
	}
	return left;
}

/* A way that holds is its edges; of one that does not, and is one edge, the contrary holds. */
static void assign(int literal)
{
	struct way w = ways[abs(literal) - 1];
	ways[abs(literal) - 1].value = literal < 0 ? -1 : 1;
	if (literal < 0 && w.count == 1)
		steps_hold(w.edge[0].to, w.edge[0].from, false);
	for (uint32_t i = 0; literal > 0 && i < w.count; i++)
		LIST_ADD(edges) = w.edge[i];
}

static bool by_clauses(uint32_t known)          /* all that the clauses known force; true: one of them is broken */
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t at = 0; at < known; at++) {
			int one = 0, left = 0;                  /* left: of one that holds, 2 */
			for (; literals[at]; at++) {
				int sign = ways[abs(literals[at]) - 1].value * (literals[at] < 0 ? -1 : 1);
				left += sign + 1;
				one = sign ? one : literals[at];
			}
			if (!left)
				return true;
			if (left == 1) {
				assign(one);
				again = true;
			}
		}
	}
	return false;
}

/* A clause: does it follow? */
static bool steps_learn(void)
{
	uint32_t known = literals_count, held = edges_count;
	for (uint32_t i = 1; i < words_count; i++) {
		char *end;
		long n = strtol(words[i], &end, 10), most = (long)ways_count;
		if (*end || !n || n < -most || n > most || ways[labs(n) - 1].value == (n < 0 ? -1 : 1))
			line_bad("no way of a rule, or a way and its contrary");
		LIST_ADD(literals) = (int)n;
		if (!ways[labs(n) - 1].value)
			assign((int)-n);
	}
	LIST_ADD(literals) = 0;
	bool follows = by_clauses(known) || cyclic();
	for (uint32_t i = 0; i < ways_count; i++)
		ways[i].value = 0;
	edges_count = held;
	refuted = words_count == 1;
	return follows;
}

/* ---- lines ---- */

LIST(static, uint32_t, kept)             /* reads that are claimed to return what they returned */
static uint32_t asked, from;             /* the read that is claimed to return something at END; from whom, or NOTHING: `returns` */
static char returns[33];

static const char *word(uint32_t i) { return i < words_count ? words[i] : ""; }
static bool line_is(const char *kind) { return !strcmp(word(0), kind); }

static uint32_t event_at(uint32_t i)            /* THREAD:N */
{
	unsigned thread, at;
	uint32_t e = sscanf(word(i), "%u:%u", &thread, &at) == 2 ? 0 : events_count;
	while (e < events_count && (events[e].thread != thread || events[e].at != at))
		e++;
	if (e == events_count)
		line_bad("no event of the trace");
	return e;
}

/* ---- rules: the ways out of each, in the order of docs/refutation-format.md.  False: it is none ---- */

/* Two sections that exclude each other, one behind the other. */
static bool rule_lock(void)
{
	uint32_t a = event_at(1), b = event_at(2), end = section_end(a), other_end = section_end(b);
	steps_way(end == NOTHING ? END : node_of(end), NOTHING, 2 * b);
	steps_way(END, NOTHING, 2 * b);
	steps_way(END, NOTHING, 2 * a);
	if (other_end != NOTHING)
		steps_way(node_of(other_end), NOTHING, 2 * a);
	return lock_taken(a) && lock_taken(a) == lock_taken(b) && events[a].thread != events[b].thread && !(is_shared(a) && is_shared(b)) && end < b &&
		same_memory(a, b, lock_taken(a)) && one_life(a, lock_taken(a));
}

/* The words that follow say how far each thread has come; then the semaphore is 0.  It begins with what sem_init() wrote. */
static bool rule_semaphore(void)
{
	uint32_t wait = event_at(1);
	int64_t first = INT64_MAX / 2, left = 0;
	bool fresh = false;
	unsigned value, thread, at;
	steps_way(END, NOTHING, 2 * wait);
	for (uint32_t e = 0; e < events_count; e++) {
		bool own = events[e].thread == events[wait].thread, posts = event_is(e, "spost"), done = own && events[e].at < events[wait].at;
		if (events[e].object != events[wait].object || !same_memory(e < wait ? e : wait, e < wait ? wait : e, events[e].object))
			continue;
		fresh |= event_is(e, "lockinit") && events[e].other >> 8 == 8 && !events[e].result;
		if (fresh && event_is(e, "libwrite") && strlen(events[e].put) >= 8 && sscanf(events[e].put, "%8x", &value) == 1) {
			first = __builtin_bswap32(value);
			fresh = false;
		}
		for (uint32_t i = 2; i < words_count && !own; i++)
			done |= sscanf(words[i], "%u:%u", &thread, &at) == 2 && thread == events[e].thread && at >= events[e].at;
		if (!event_among(e, " spost swait ") || events[e].result)
			continue;
		left += !done ? 0 : posts ? 1 : -1;
		if (!own && posts != done)
			steps_way(2 * (posts ? e : wait), NOTHING, 2 * (posts ? wait : e));
	}
	return event_is(wait, "swait") && !events[wait].result && first + left <= 0 && one_life(wait, events[wait].object);
}

static bool signals(uint32_t e, uint64_t object) { return events[e].object == object && event_among(e, " csignal cbroadcast "); }

/* A wake that was signalled. */
static bool rule_condition(void)
{
	uint32_t wake = event_at(1), wait = wake;
	bool signalled = false;
	while (events[wait].at && (wait == wake || !event_among(wait, " cwait cwake ")))
		wait = before_in(events[wake].thread, wait);
	steps_way(END, NOTHING, 2 * wake);
	for (uint32_t e = 0; e < events_count; e++)
		if (signals(e, events[wake].object)) {
			signalled |= e > wait && e < wake;
			steps_way(2 * wait, 2 * e, 2 * wake);
		}
	return signalled && event_is(wake, "cwake") && (!events[wake].result || events[wake].result == 130) && event_is(wait, "cwait") && events[wait].object == events[wake].object;
}

/* A store of the reader's own thread, before it, that waits: it is seen wherever it is. */
static bool is_own(uint32_t reader, uint32_t e) { return waits(e) && events[e].thread == events[reader].thread && events[e].at < events[reader].at; }

/* The reader finds what `wrong` left in that byte (NOTHING: what lay there first), which is not what it returned. */
static bool rule_read(void)
{
	uint32_t reader = event_at(1), wrong = words_count > 3 ? event_at(3) : NOTHING, at = reader == asked ? END : 2 * reader, source = at == END ? from : NOTHING;
	uint64_t offset = strtoull(word(2), NULL, 10), byte = (event_is(reader, "copy") ? events[reader].other : events[reader].object) + offset;
	bool matters = at == END, given = at == END && from == NOTHING, written = false, is_wrong = false;
	int there = at == END ? -1 : event_byte(reader, false, byte), first = -1;
	for (uint32_t i = 0; i < kept_count; i++)
		matters |= kept[i] == reader;
	if (given && offset < strlen(returns) / 2)
		sscanf(returns + 2 * offset, "%2x", (unsigned *)&there);
	if (!matters || !event_touches(reader, false, byte) || (given ? there < 0 : at == END && !event_touches(from, true, byte)))
		return false;
	for (uint32_t e = 0; e < events_count; e++) {
		int seen = event_byte(e, false, byte);
		first = !written && first < 0 && seen >= 0 ? seen : first;
		written |= event_touches(e, true, byte);
		source = at != END && e < reader && event_touches(e, true, byte) ? e : source;
	}
	if (at != END)
		steps_way(END, NOTHING, at);
	if (wrong != NOTHING && !is_own(reader, wrong))
		steps_way(at, NOTHING, node_of(wrong));
	for (uint32_t e = 0; e < events_count; e++) {
		int left = event_byte(e, true, byte);
		bool right = e == source || (there >= 0 && (left < 0 || left == there)), own = wrong != NOTHING && is_own(reader, e);
		if (left == -2 || (!right && e != wrong) || 2 * e == at)
			continue;
		if (waits(e) && (event_is(e, "copy") || events[e].size > 8))
			return false;                   /* it reaches memory word by word */
		is_wrong |= !right;
		if (right)
			steps_way(node_of(wrong == NOTHING ? e : wrong), wrong == NOTHING || own ? NOTHING : node_of(e), own ? node_of(e) : at);
	}
	return wrong != NOTHING ? is_wrong : (source != NOTHING || given) && (there < 0 || (first >= 0 && first != there));
}

/* ---- claims.  False: it is none ---- */

/* What the read would return if it were made at END. */
static bool claim_returns(void)
{
	asked = event_at(1);
	from = line_is("from") ? event_at(2) : NOTHING;
	if (from != NOTHING && !is_own(asked, from))
		steps_hold(node_of(from), END, false);
	snprintf(returns, sizeof returns, "%s", from == NOTHING ? word(2) : "");
	return true;
}

/* The first, when all that its thread does before it is done, before the second; a store that waits was made. */
static bool claim_before(void)
{
	uint32_t x = strcmp(word(1), "END") ? node_of(event_at(1)) : END, y = strcmp(word(2), "END") ? node_of(event_at(2)) : END;
	steps_hold(x == END || x & 1 ? x : 2 * before_in(events[x / 2].thread, x / 2), y, x != END && x & 1);
	return x == END || events[x / 2].at;
}

static bool claim_whole(void)
{
	for (uint32_t e = 0; e < events_count; e++)
		if (events[e].at && !*events[e].kind)
			steps_hold(2 * e, END, false);
	return true;
}

static bool claim_model(void)
{
	model = !strcmp(word(1), "tso") ? TSO : PSO;
	return (model == TSO || !strcmp(word(1), "pso")) && !edges_count;
}

static bool claim_trace(void) { return strtoull(word(1), NULL, 10) == twin_hash; }
static bool claim_keep(void) { return LIST_ADD(kept) = event_at(1), true; }

static bool step_must(void)
{
	uint32_t by = event_at(2);
	steps_hold(node_of(event_at(1)), is_spin_unlock(by) ? node_of(by) : 2 * by, false);
	return must_before(event_at(1), event_at(2));
}

/* ---- all of it ---- */

static const struct { const char *kind; bool (*take)(void); const char *bad; bool rule; } kinds[] = {
	{ "trace", claim_trace, "it is about another trace", false },
	{ "model", claim_model, "no model, or too late", false },
	{ "before", claim_before, "nothing comes before that", false },
	{ "whole", claim_whole, "", false },
	{ "value", claim_returns, "", false },
	{ "from", claim_returns, "", false },
	{ "keep", claim_keep, "", false },
	{ "must", step_must, "the one does not wait for the other", false },
	{ "lock", rule_lock, "no two sections of a lock that exclude each other, one behind the other", true },
	{ "sem", rule_semaphore, "that semaphore can be taken there", true },
	{ "cond", rule_condition, "no wake that needs a signal", true },
	{ "read", rule_read, "it may find that, or returns nothing there", true },
	{ "learn", steps_learn, "this does not follow", false },
};

static void step(void)
{
	size_t i = 0;
	while (i < sizeof kinds / sizeof *kinds && !line_is(kinds[i].kind))
		i++;
	if (refuted || i == sizeof kinds / sizeof *kinds)
		line_bad(refuted ? "it goes on behind its end" : "no step known here");
	if (!kinds[i].take())
		line_bad(kinds[i].bad);
	if (kinds[i].rule)
		LIST_ADD(literals) = 0;
}

const char *refutation_check(char *twin, char *text)
{
	line_number = events_count = ways_count = literals_count = edges_count = kept_count = 0;
	asked = from = NOTHING;
	model = SC;
	refuted = legible = false;
	if (setjmp(out))
		return why;
	twin_read(twin);
	line_number = 0;
	for (char *line, *w; (line = strsep(&text, "\n"));) {
		if (!line_number++ && strcmp(line, "raddle refutation 3"))
			line_bad("no refutation of this kind, which begins with 'raddle refutation 3'");
		legible = true;
		for (words_count = 0; (w = strsep(&line, " "));)
			if (*w)
				LIST_ADD(words) = w;
		if (line_number > 1 && words_count && *words[0] != '#')
			step();
	}
	legible = true;
	return refuted ? NULL : "it ends before anything is refuted";
}

bool refutation_is_legible(void)
{
	return legible;
}
