/* tests/races/against.c -- the race detector against brute force and against the must-order of order/.
 *   against N [SEED]        N random runs of 20 to 60 events, 2 to 4 threads, all primitives
 * Of each run: the pairs of places reported are exactly the pairs that brute force finds unordered, and (where the rules of both are
 * the same: trylocks that fail, atomics of mixed sizes) none of them is ordered by order/.  Of runs without locks, conditions and semaphores, whose order is all must-order: what order/ finds unordered is reported.
 * One in four is of a weak memory model: stores wait, and are read by others only once they are in memory.
 * Of each run again with room for few accesses: nothing is reported that is no race, and what is missing was counted.
 * Prints "N passed, M failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/races.h"
#include "order/order.h"
#include "tests/races/made.h"
#include "trace/memory.h"

typedef struct { bool at[MADE_EVENTS][MADE_EVENTS]; } pairs;

static uint64_t compared, races, ordered, forgot, crowded;

static struct trace *dummy(int threads)
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

static void detect(struct races *r, const struct made *m, pairs *found, struct race_list *list)
{
	memset(found, 0, sizeof *found);
	races_begin(r);
	for (int i = 0; i < m->count; i++)
		races_note(r, &m->ev[i]);
	races_take(r, list);
	for (size_t i = 0; i < list->all.count; i++)
		found->at[list->all.at[i].side[0].place->line - 1][list->all.at[i].side[1].place->line - 1] = true;
}

static bool differ(const struct made *m, int a, int b, const char *what)
{
	made_print(m);
	printf("FAIL %d and %d: %s\n", a + 1, b + 1, what);
	return false;
}

static struct order *engine(const struct made *m, struct spot *spots)
{
	struct order *o = order_new(dummy(m->threads));
	for (int i = 0; i < m->count; i++)
		spots[i] = order_note(o, &m->ev[i]);
	return o;
}

/* What is forgotten without being counted is covered by something that races with the same access. */
static bool races_anyhow(const pairs *found, int b)
{
	for (int a = 0; a < b; a++)
		if (found->at[a][b])
			return true;
	return false;
}

/* order/ looks at an event as it stands before it has learnt what it will. */
static bool is_atomic(const struct event *e)
{
	return e->kind >= EV_ALOAD && e->kind <= EV_CAS;
}

static bool compare(struct races *r, struct races *small, const struct made *m, enum made_what what)
{
	static pairs found, few;
	static struct closure c, nothing;
	struct spot spots[MADE_EVENTS];
	struct race_list list, less;
	bool good = true, missed = false;
	closure_of(m, &c);
	detect(r, m, &found, &list);
	detect(small, m, &few, &less);
	struct order *o = what == MADE_WEAK ? NULL : engine(m, spots);          /* order/ knows no stores that wait */
	bool exact = o && !order_overordered(o);
	crowded += o && !exact;
	for (int a = 0; a < m->count && good; a++)
		for (int b = a + 1; b < m->count && good; b++) {
			bool want = closure_races(m, &c, a, b);
			bool must = exact && m->ev[a].thread.i != m->ev[b].thread.i && order_before(o, spots[a], spots[b]);
			compared++;
			races += want;
			ordered += must;
			missed |= want && !races_anyhow(&few, b);
			if (found.at[a][b] != want)
				good = differ(m, a, b, want ? "a race, not reported" : "reported, no race");
			else if (found.at[a][b] && must && m->tidy)
				good = differ(m, a, b, "reported, and ordered by order/");
			else if (what == MADE_UNLOCKED && exact && !want && !must && !is_atomic(&m->ev[b]) && closure_races(m, &nothing, a, b))
				good = differ(m, a, b, "not reported, and not ordered by order/");
			else if (few.at[a][b] && !want)
				good = differ(m, a, b, "reported with little room, no race");
		}
	if (good && missed && !less.unseen)
		good = differ(m, 0, 0, "with little room a race was lost and not counted");
	forgot += less.unseen != 0;
	if (good && (list.unseen || list.stopped))
		good = differ(m, 0, 0, "it says something was forgotten");
	order_free(o);
	race_list_release(&list);
	race_list_release(&less);
	return good;
}

int main(int argc, char **argv)
{
	uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252ull;
	uint64_t passed = 0, failed = 0;
	static struct made m;
	struct race_limits few = { .accesses = 24, .chunks = 8, .a_word = 3, .edges = 0, .pairs = 0 };
	struct races *r = races_new(&(struct race_limits){ .a_word = MADE_EVENTS }, NULL), *small = races_new(&few, NULL);
	for (uint64_t i = 0; i < wanted && failed < 3; i++) {
		enum made_what what = i % 4 == 3 ? MADE_UNLOCKED : i % 4 == 1 ? MADE_WEAK : MADE_ALL;
		made_random(&m, what, 20 + (int)(i % 41), &seed);
		if (compare(r, small, &m, what))
			passed++;
		else
			failed++;
	}
	printf("%llu pairs compared, %llu races, %llu ordered by order/ too, %llu runs with little room forgot something, of %llu order/ has more in order than must be\n",
		(unsigned long long)compared, (unsigned long long)races, (unsigned long long)ordered, (unsigned long long)forgot, (unsigned long long)crowded);
	races_free(r);
	races_free(small);
	printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
	return failed != 0;
}
