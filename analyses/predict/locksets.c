/* analyses/predict/locksets.c -- see locksets.h. */
#include "analyses/predict/locksets.h"

#include <string.h>

#include "base/err.h"

#define RECENT 4096u                            /* meetings found without asking the map */
#define TAKES  2048u                            /* locks taken, as well */

void locks_init(struct locksets *l, uint32_t threads)
{
	*l = (struct locksets){ .thread_count = threads, .threads = mem_take((threads + 1) * sizeof *l->threads) };
	l->recent = mem_take(RECENT * sizeof *l->recent);
	l->takes = mem_take(TAKES * sizeof *l->takes);
	vec_add(&l->sets);
}

static bool is_taking(const struct take_seen *s, uint64_t lock, bool shared, uint32_t number, uint32_t alone)
{
	return s->lock == lock && s->shared == shared && s->from_number == number && s->from_alone == alone;
}

/* What it holds now is known if the same was taken before while the same was held; else it is found when it is asked for. */
static void number_taken(struct locksets *l, struct lockset_now *t, uint64_t lock, bool shared)
{
	struct take_seen *seen = &l->takes[((lock * 2 + shared) * 0x9e3779b97f4a7c15ull >> 32 ^ t->number * 37u) % TAKES];
	bool known = !t->stale;
	t->taking = NULL;
	t->stale = true;
	if (known && seen->number && is_taking(seen, lock, shared, t->number, t->alone)) {
		t->number = seen->number;
		t->alone = seen->alone;
		t->stale = false;
	} else if (known) {
		*seen = (struct take_seen){ .lock = lock, .from_number = t->number, .from_alone = t->alone, .shared = shared };
		t->taking = seen;
	}
}

static void take(struct locksets *l, struct lockset_now *t, uint64_t lock, bool shared)
{
	for (size_t i = 0; i < t->held.count; i++)
		if (t->held.at[i].lock == lock) {
			t->held.at[i].times++;
			return;
		}
	vec_push(&t->held, ((struct held_lock){ lock, 1, shared }));
	vec_push(&t->was, ((struct lockset_was){ t->number, t->alone, !t->stale }));
	number_taken(l, t, lock, shared);
}

/* The one taken last leaves what there was before it; another one, what has to be found out. */
static void give(struct lockset_now *t, uint64_t lock)
{
	for (size_t i = 0; i < t->held.count; i++)
		if (t->held.at[i].lock == lock && --t->held.at[i].times == 0) {
			struct lockset_was was = t->was.at[--t->was.count];
			bool last = i + 1 == t->held.count;
			t->held.at[i] = t->held.at[--t->held.count];
			t->number = was.number;
			t->alone = was.alone;
			t->stale = !last || !was.known;
			t->taking = NULL;
			for (size_t k = 0; k < t->was.count && !last; k++)
				t->was.at[k].known = false;
			return;
		}
}

void locks_note(struct locksets *l, const struct event *ev)
{
	if (ev->thread.i >= l->thread_count)
		return;
	struct lockset_now *t = &l->threads[ev->thread.i];
	switch (ev->kind) {
	case EV_LOCK:
		if (event_has_lock(ev))
			take(l, t, ev->object, (ev->arg >> 8) == LOCK_RWLOCK && (ev->arg & LOCK_FOR_READING));
		break;
	case EV_UNLOCK:
		if (!ev->result)
			give(t, ev->object);
		break;
	case EV_CWAIT:
		give(t, ev->arg);
		break;
	case EV_CWAKE:
		take(l, t, ev->arg, false);
		break;
	}
}

/* ---- numbers ---- */

/* The same set has the same hash, in whatever order it was taken; sets that share a hash by chance are told apart. */
static bool same(const struct lockset *s, const struct held_lock *locks, uint32_t count)
{
	if (s->count != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		bool found = false;
		for (uint32_t k = 0; k < count; k++)
			found |= locks[k].lock == s->locks[i].lock && locks[k].shared == s->locks[i].shared;
		if (!found)
			return false;
	}
	return true;
}

static uint32_t number_of(struct locksets *l, const struct held_lock *locks, uint32_t count)
{
	uint64_t hash = count, *slot;
	if (!count)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		hash += (locks[i].lock * 2 + locks[i].shared) * 0x9e3779b97f4a7c15ull;
	while (*(slot = map_put(&l->by_hash, hash, NULL)) && !same(&l->sets.at[*slot], locks, count))
		hash++;
	if (!*slot) {
		check(l->sets.count < LOCKS_ALL);
		struct lockset *s = vec_add(&l->sets);
		s->count = count;
		s->locks = mem_take(count * sizeof *s->locks);
		memcpy(s->locks, locks, count * sizeof *s->locks);
		*slot = l->sets.count - 1;
	}
	return (uint32_t)*slot;
}

/* What was noted when the lock was taken may be another thread's by now. */
static bool still_taking(const struct lockset_now *t)
{
	const struct held_lock *last = &t->held.at[t->held.count - 1];
	const struct lockset_was *was = &t->was.at[t->was.count - 1];
	return is_taking(t->taking, last->lock, last->shared, was->number, was->alone);
}

void locks_number(struct locksets *l, struct lockset_now *t)
{
	VEC(struct held_lock) alone = { 0 };
	size_t shared = 0;
	t->number = t->alone = number_of(l, t->held.at, (uint32_t)t->held.count);
	t->stale = false;
	for (size_t i = 0; i < t->held.count; i++)
		shared += t->held.at[i].shared;
	for (size_t i = 0; i < t->held.count && shared; i++)
		if (!t->held.at[i].shared)
			vec_push(&alone, t->held.at[i]);
	if (shared)
		t->alone = number_of(l, alone.at, (uint32_t)alone.count);
	vec_release(&alone);
	if (t->taking && still_taking(t)) {
		t->taking->number = t->number;
		t->taking->alone = t->alone;
	}
	t->taking = NULL;
}

uint32_t locks_of(struct locksets *l, uint32_t thread)
{
	return locks_for(l, thread, false);
}

/* ---- two sets ---- */

static uint32_t meet(struct locksets *l, uint32_t a, uint32_t b)
{
	VEC(struct held_lock) both = { 0 };
	const struct lockset *y = a == LOCKS_ALL ? NULL : &l->sets.at[a], *x = &l->sets.at[b];
	for (uint32_t i = 0; i < x->count; i++) {
		bool in = !y;
		for (uint32_t k = 0; y && k < y->count; k++)
			in |= y->locks[k].lock == x->locks[i].lock;
		if (in)
			vec_push(&both, ((struct held_lock){ x->locks[i].lock, 1, false }));
	}
	uint32_t number = number_of(l, both.at, (uint32_t)both.count);
	vec_release(&both);
	return number;
}

uint32_t locks_meet(struct locksets *l, uint32_t a, uint32_t b)
{
	if (!a || !b)
		return 0;
	uint64_t key = (uint64_t)a << 32 | b;
	struct meet_seen *seen = &l->recent[(key * 0x9e3779b97f4a7c15ull >> 40) % RECENT];
	if (seen->key == key)
		return seen->number;
	uint64_t *slot = map_put(&l->meets, key, NULL);
	if (!*slot) {
		uint32_t number = meet(l, a, b);
		*slot = number + 1;
	}
	*seen = (struct meet_seen){ key, (uint32_t)*slot - 1 };
	return seen->number;
}

bool locks_exclude(struct locksets *l, uint32_t a, uint32_t b)
{
	if (!a || !b)
		return false;
	uint64_t *slot = map_put(&l->excludes, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, NULL);
	if (!*slot) {
		const struct lockset *x = &l->sets.at[a], *y = &l->sets.at[b];
		*slot = 1;
		for (uint32_t i = 0; i < x->count; i++)
			for (uint32_t k = 0; k < y->count; k++)
				if (x->locks[i].lock == y->locks[k].lock && !(x->locks[i].shared && y->locks[k].shared))
					*slot = 2;
	}
	return *slot == 2;
}

void locks_release(struct locksets *l)
{
	for (uint32_t i = 0; i < l->thread_count; i++)
		vec_release(&l->threads[i].held), vec_release(&l->threads[i].was);
	for (size_t i = 0; i < l->sets.count; i++)
		mem_free(l->sets.at[i].locks);
	mem_free(l->threads);
	vec_release(&l->sets);
	map_release(&l->by_hash);
	map_release(&l->excludes);
	map_release(&l->meets);
	mem_free(l->recent);
	mem_free(l->takes);
}
