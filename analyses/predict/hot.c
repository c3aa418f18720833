/* analyses/predict/hot.c -- the first look at locks (screen.h): which of them a circle of waiting threads may go through.
 *
 * In a circle each thread waits for what the next one holds, or has yet to do.  So what a thread waits for is a lock the next one held
 *   (1) while it wanted a lock of the circle; or
 *   (2) while it waited for something else: the end of a thread, a semaphore, a condition, a barrier, what comes out of a pipe.
 * Locks by (2) are hot; so are those on a cycle of "held while it was wanted"; so are those held while a hot one was wanted. */
#include "analyses/predict/screen.h"
#include "wire/line.h"

#define SEMS_MOST 32u                           /* a thread holds at once; waits.c looks at no more */

static uint32_t lock_number(struct screen *s, uint64_t lock)
{
	uint64_t *slot = map_put(&s->lock_number, lock, NULL);
	if (!*slot) {
		vec_push(&s->hot, false);
		*slot = s->hot.count;
	}
	return (uint32_t)*slot - 1;
}

static void is_hot(struct screen *s, uint64_t lock)
{
	uint32_t number = lock_number(s, lock);
	s->hot.at[number] = true;
}

/* ---- while events are read ---- */

static void held_while_wanted(struct screen *s, uint64_t held, uint64_t wanted)
{
	struct lock_edge e = { lock_number(s, held), lock_number(s, wanted) };
	bool fresh;
	map_put(&s->edges, (uint64_t)e.held << 32 | e.wanted, &fresh);
	if (fresh)
		vec_push(&s->taken, e);
}

static void wants_lock(struct screen *s, const struct event *ev)
{
	const struct lockset_now *t = &s->locks.threads[ev->thread.i];
	const struct sems_held *sems = &s->sems[ev->thread.i];
	if (!t->held.count && !sems->all.count)
		return;
	uint32_t set = locks_of(&s->locks, ev->thread.i);
	struct wanted_seen *seen = &s->wanted[(ev->object * 0x9e3779b97f4a7c15ull >> 32 ^ set) % SCREEN_WANTED];
	if (!sems->all.count && seen->lock == ev->object && seen->set == set)
		return;                         /* it was so before: all is known */
	if (!sems->all.count)
		*seen = (struct wanted_seen){ ev->object, set };
	for (size_t i = 0; i < t->held.count; i++)
		if (t->held.at[i].lock == ev->object) {
			if (event_writers_first(ev))            /* it reads already, and a writer may have come to wait */
				held_while_wanted(s, ev->object, ev->object);
			return;
		}
	for (size_t i = 0; i < t->held.count; i++)
		held_while_wanted(s, t->held.at[i].lock, ev->object);
	for (size_t i = 0; i < sems->all.count; i++)
		held_while_wanted(s, sems->all.at[i], ev->object);
}

/* Waits for what is no lock; the lock of a condition is given up meanwhile. */
static void waits_otherwise(struct screen *s, const struct event *ev)
{
	const struct lockset_now *t = &s->locks.threads[ev->thread.i];
	const struct sems_held *sems = &s->sems[ev->thread.i];
	if (event_never_waits(ev))
		return;
	for (size_t i = 0; i < t->held.count; i++)
		if (!(ev->kind == EV_CWAKE && t->held.at[i].lock == ev->arg))
			is_hot(s, t->held.at[i].lock);
	for (size_t i = 0; i < sems->all.count; i++)
		is_hot(s, sems->all.at[i]);
	s->waits |= ev->kind != EV_JOIN;
}

/* It counts as held until the thread posts it. */
static void sem_taken(struct screen *s, const struct event *ev)
{
	struct sems_held *sems = &s->sems[ev->thread.i];
	for (size_t i = 0; i < sems->all.count; i++)
		if (sems->all.at[i] == ev->object)
			return;
	if (sems->all.count < SEMS_MOST)
		vec_push(&sems->all, ev->object);
}

static void sem_posted(struct screen *s, const struct event *ev)
{
	struct sems_held *sems = &s->sems[ev->thread.i];
	for (size_t i = sems->all.count; i-- > 0;)
		if (sems->all.at[i] == ev->object) {
			sems->all.at[i] = sems->all.at[--sems->all.count];
			return;
		}
}

void screen_lock_event(struct screen *s, const struct event *ev)
{
	switch (ev->kind) {
	case EV_LOCK:
		if (event_has_lock(ev) && !event_never_waits(ev))
			wants_lock(s, ev);
		s->tries |= event_has_lock(ev) && (ev->arg & LOCK_TRIED);
		break;
	case EV_SWAIT:
		waits_otherwise(s, ev);
		s->tries |= !ev->result && (ev->arg & LOCK_TRIED);
		if (!ev->result && !line_is(ev->object))
			sem_taken(s, ev);
		break;
	case EV_ACQUIRE:
		if (line_is(ev->object))
			waits_otherwise(s, ev);
		break;
	case EV_SPOST:
		sem_posted(s, ev);
		break;
	case EV_JOIN: case EV_CWAKE: case EV_BLEAVE:
		waits_otherwise(s, ev);
		break;
	}
	locks_note(&s->locks, ev);
}

/* ---- when all are read ---- */

/* Takes away, again and again, who has nothing left in front of it (or behind it, if `back`). */
static void trim(struct screen *s, bool *left, bool back)
{
	uint32_t *degree = mem_take((s->hot.count + 1) * sizeof *degree), *first = mem_take((s->hot.count + 1) * sizeof *first);
	uint32_t *next = mem_take((s->taken.count + 1) * sizeof *next);
	VEC(uint32_t) gone = { 0 };
	for (uint32_t i = 0; i < s->taken.count; i++) {
		struct lock_edge e = s->taken.at[i];
		uint32_t from = back ? e.wanted : e.held, to = back ? e.held : e.wanted;
		if (!left[from] || !left[to])
			continue;
		degree[from]++;
		next[i] = first[to];
		first[to] = i + 1;
	}
	for (uint32_t i = 0; i < s->hot.count; i++)
		if (left[i] && !degree[i])
			vec_push(&gone, i);
	while (gone.count) {
		uint32_t lock = gone.at[--gone.count];
		left[lock] = false;
		for (uint32_t i = first[lock]; i; i = next[i - 1]) {
			struct lock_edge e = s->taken.at[i - 1];
			uint32_t from = back ? e.wanted : e.held;
			if (--degree[from] == 0)
				vec_push(&gone, from);
		}
	}
	vec_release(&gone);
	mem_free(degree);
	mem_free(first);
	mem_free(next);
}

/* Who was held while a hot one was wanted is hot. */
static void spread(struct screen *s)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = s->taken.count; i-- > 0;) {
			struct lock_edge e = s->taken.at[i];
			more |= s->hot.at[e.wanted] && !s->hot.at[e.held];
			s->hot.at[e.held] |= s->hot.at[e.wanted];
		}
	}
}

void screen_end(struct screen *s)
{
	bool *left = mem_take(s->hot.count + 1);
	screen_catch_up(s);
	for (size_t i = 0; i < s->hot.count; i++)
		left[i] = true;
	trim(s, left, false);
	trim(s, left, true);
	for (size_t i = 0; i < s->hot.count; i++)
		s->hot.at[i] |= left[i];
	mem_free(left);
	spread(s);
}

bool screen_hot(const struct screen *s, uint64_t lock)
{
	const uint64_t *slot = map_get(&s->lock_number, lock);
	return slot && s->hot.at[*slot - 1];
}

bool screen_any_wait(const struct screen *s)
{
	for (size_t i = 0; i < s->hot.count; i++)
		if (s->hot.at[i])
			return true;
	return s->waits || s->tries;
}
