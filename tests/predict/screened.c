/* tests/predict/screened.c -- the first pass of predict against brute force: does it mark all memory in which something can race?
 *   screened N [SEED]        N random runs of 20 to 60 events, 2 to 4 threads, all primitives
 * Of each run, pair by pair: bytes two accesses conflict on are marked if (1) happens-before of the observed run, from its definitions
 * (tests/races/closure.c), leaves the two unordered; (2) order/ finds an order in which they are adjacent; (3) the must-order leaves them unordered and
 * no lock keeps them apart.  And with `shared` if (4) the must-order leaves them unordered.  Locks: if (5) a circle of "held while it was wanted" goes through
 * a lock, by a closure over all pairs of locks, it is hot.
 * That something is left out is asked too: over all runs memory that several threads touch is unmarked often enough.
 * Prints "N passed, M failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/screen.h"
#include "tests/races/made.h"
#include "trace/memory.h"

static uint64_t raced, adjacent, unordered, marked, touched, circles, hot;

static struct trace *of_threads(int threads)
{
	static struct trace *made[MADE_THREADS + 1];
	if (!made[threads]) {
		struct builder *b = builder_new("made", ORDER_TOTAL);
		for (int t = 0; t < threads; t++)
			builder_thread(b, &(struct trace_thread){ .path = "T", .uid = (uint32_t)t + 1, .parent = NO_THREAD });
		made[threads] = builder_finish(b);
	}
	return made[threads];
}

/* ---- locks held, from the events alone ---- */

enum held { NOT_HELD, READ_HELD, HELD };

static enum held holds(const struct made *m, int at, uint64_t lock)
{
	enum held how = NOT_HELD;
	int depth = 0;
	for (int i = 0; i < at; i++) {
		const struct event *e = &m->ev[i];
		bool takes = (e->kind == EV_LOCK && e->object == lock && !e->result) || (e->kind == EV_CWAKE && e->arg == lock);
		bool gives = (e->kind == EV_UNLOCK && e->object == lock && !e->result) || (e->kind == EV_CWAIT && e->arg == lock);
		if (e->thread.i != m->ev[at].thread.i)
			continue;
		if (takes && depth++ == 0)
			how = e->kind == EV_LOCK && e->arg >> 8 == LOCK_RWLOCK && (e->arg & 0xff) == LOCK_FOR_READING ? READ_HELD : HELD;
		if (gives && depth)
			depth--;
	}
	return depth ? how : NOT_HELD;
}

static int locks_of_run(const struct made *m, uint64_t *locks)
{
	int count = 0;
	for (int i = 0; i < m->count; i++) {
		bool known = m->ev[i].kind != EV_LOCK;
		for (int k = 0; k < count && !known; k++)
			known = locks[k] == m->ev[i].object;
		if (!known)
			locks[count++] = m->ev[i].object;
	}
	return count;
}

static bool gives_back(const struct event *e)
{
	return kind_gives_back(e->kind);
}

static bool kept_apart(const struct made *m, int a, int b, const uint64_t *locks, int count)
{
	if (gives_back(&m->ev[a]) || gives_back(&m->ev[b]))
		return false;
	for (int i = 0; i < count; i++) {
		enum held x = holds(m, a, locks[i]), y = holds(m, b, locks[i]);
		if (x && y && !(x == READ_HELD && y == READ_HELD))
			return true;
	}
	return false;
}

/* ---- what is marked ---- */

static void screen_of(struct screen *s, const struct made *m, struct order *o, struct spot *spots, bool shared)
{
	screen_begin(s, of_threads(m->threads), o, shared);
	for (int i = 0; i < m->count; i++) {
		spots[i] = order_note(o, &m->ev[i]);
		screen_note(s, &m->ev[i], spots[i]);
	}
	screen_end(s);
}

/* Is one of the words marked that both touch?  Blocks given back are those of the end of the run: any of their words will do. */
static bool both_marked(const struct screen *s, const struct made *m, int a, int b)
{
	for (uint64_t at = 0x1000; at < 0x21000; at = at == 0x4000 ? 0x10000 : at == 0x11000 ? 0x20000 : at + 8) {     /* all that is used */
		if (!screen_marks(s, at))
			continue;
		bool in[2] = { false, false };
		for (int k = 0; k < 2; k++) {
			const struct event *e = &m->ev[k ? b : a];
			struct touched t[2];
			uint32_t count = gives_back(e) ? 0 : event_touches(e, s->objects, t);
			in[k] = gives_back(e);
			for (uint32_t i = 0; i < count; i++)
				in[k] |= t[i].start < at + 8 && at < t[i].start + t[i].bytes;
		}
		if (in[0] && in[1])
			return true;
	}
	return false;
}

static bool differ(const struct made *m, int a, int b, const char *what)
{
	made_print(m);
	printf("FAIL %d and %d: %s, not marked\n", a + 1, b + 1, what);
	return false;
}

static bool compare_memory(const struct made *m, struct screen *s, struct screen *shared, struct order *o, const struct spot *spots)
{
	static struct closure happens, must, apart;
	uint64_t locks[MADE_EVENTS];
	int count = locks_of_run(m, locks);
	closure_of(m, &happens);
	for (int a = 0; a < m->count; a++)
		for (int b = a + 1; b < m->count; b++) {
			must.before[a][b] = m->ev[a].thread.i == m->ev[b].thread.i || order_before(o, spots[a], spots[b]);
			apart.before[a][b] = must.before[a][b] || kept_apart(m, a, b, locks, count);
		}
	for (int a = 0; a < m->count; a++)
		for (int b = a + 1; b < m->count; b++) {
			if (!closure_races(m, &must, a, b))
				continue;
			bool mark = both_marked(s, m, a, b), races = closure_races(m, &happens, a, b);
			bool next = order_adjacent(o, order_stand_at(spots[a]), order_stand_at(spots[b]), NULL) == ORDER_YES, open = closure_races(m, &apart, a, b);
			raced += races;
			adjacent += next;
			unordered++;
			if (races && !mark)
				return differ(m, a, b, "a race of the observed run");
			if (open && next && !mark)
				return differ(m, a, b, "adjacent in some order");
			if (open && !mark)
				return differ(m, a, b, "not ordered, and no lock keeps them apart");
			if (!both_marked(shared, m, a, b))
				return differ(m, a, b, "not ordered, and shared");
		}
	return true;
}

static void count_marked(const struct made *m, const struct screen *s)
{
	for (uint64_t at = 0x10000; at < 0x10020; at += 8) {
		uint32_t by = 0;
		for (int i = 0; i < m->count; i++)
			if (m->ev[i].kind <= EV_WRITE && m->ev[i].kind >= EV_READ && m->ev[i].object < at + 8 && at < m->ev[i].object + m->ev[i].size)
				by |= 1u << m->ev[i].thread.i;
		touched += (by & (by - 1)) != 0;
		marked += (by & (by - 1)) != 0 && screen_marks(s, at);
	}
}

/* ---- locks ---- */

static bool compare_locks(const struct made *m, const struct screen *s)
{
	uint64_t locks[MADE_EVENTS];
	bool wanted[MADE_EVENTS][MADE_EVENTS] = { { false } };
	int count = locks_of_run(m, locks);
	for (int i = 0; i < m->count; i++)
		for (int k = 0, to = 0; m->ev[i].kind == EV_LOCK && !m->ev[i].result && k < count; k++) {
			while (locks[to] != m->ev[i].object)
				to++;
			wanted[k][to] |= k != to && holds(m, i, locks[k]) && !holds(m, i, locks[to]);
		}
	for (int k = 0; k < count; k++)
		for (int a = 0; a < count; a++)
			for (int b = 0; b < count; b++)
				wanted[a][b] |= wanted[a][k] && wanted[k][b];
	for (int a = 0; a < count; a++) {
		circles += wanted[a][a];
		hot += screen_hot(s, locks[a]);
		if (wanted[a][a] && !screen_hot(s, locks[a])) {
			made_print(m);
			printf("FAIL lock 0x%llx: a circle goes through it, and it is not hot\n", (unsigned long long)locks[a]);
			return false;
		}
	}
	return true;
}

static bool compare(const struct made *m)
{
	struct spot spots[MADE_EVENTS];
	struct screen s, shared;
	struct order *o = order_new(of_threads(m->threads)), *o2 = order_new(of_threads(m->threads));
	screen_of(&s, m, o, spots, false);
	screen_of(&shared, m, o2, spots, true);
	order_seal(o);
	bool good = compare_memory(m, &s, &shared, o, spots) && compare_locks(m, &s);
	count_marked(m, &s);
	screen_release(&s);
	screen_release(&shared);
	order_free(o);
	order_free(o2);
	return good;
}

int main(int argc, char **argv)
{
	uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252ull;
	uint64_t passed = 0, failed = 0;
	static struct made m;
	for (uint64_t i = 0; i < wanted && failed < 3; i++) {
		made_random(&m, i % 4 == 3 ? MADE_UNLOCKED : MADE_ALL, 20 + (int)(i % 41), &seed);
		if (compare(&m))
			passed++;
		else
			failed++;
	}
	bool some = raced && adjacent && circles && hot && marked < touched;
	printf("%llu pairs unordered, %llu races as observed, %llu adjacent; of %llu words of several threads %llu marked; %llu locks in circles, %llu hot\n",
		(unsigned long long)unordered, (unsigned long long)raced, (unsigned long long)adjacent, (unsigned long long)touched,
		(unsigned long long)marked, (unsigned long long)circles, (unsigned long long)hot);
	if (!some)
		printf("FAIL these runs test nothing\n");
	printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)(failed + !some));
	return failed || !some;
}
