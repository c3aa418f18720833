/* analyses/predict/locksets.c -- see locksets.h. */
#include "analyses/predict/locksets.h"

#include <string.h>

void locks_init(struct locksets *l, uint32_t threads)
{
	*l = (struct locksets){ .thread_count = threads, .threads = mem_take((threads + 1) * sizeof *l->threads) };
	vec_add(&l->sets);
}

static void take(struct lockset_now *t, uint64_t lock, bool shared)
{
	for (size_t i = 0; i < t->held.count; i++)
		if (t->held.at[i].lock == lock) {
			t->held.at[i].times++;
			return;
		}
	vec_push(&t->held, ((struct held_lock){ lock, 1, shared }));
	t->stale = true;
}

static void give(struct lockset_now *t, uint64_t lock)
{
	for (size_t i = 0; i < t->held.count; i++)
		if (t->held.at[i].lock == lock && --t->held.at[i].times == 0) {
			t->held.at[i] = t->held.at[--t->held.count];
			t->stale = true;
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
		if (!ev->result)
			take(t, ev->object, (ev->arg >> 8) == LOCK_RWLOCK && (ev->arg & 0xff) == LOCK_FOR_READING);
		break;
	case EV_UNLOCK:
		if (!ev->result)
			give(t, ev->object);
		break;
	case EV_CWAIT:
		give(t, ev->arg);
		break;
	case EV_CWAKE:
		take(t, ev->arg, false);
		break;
	}
}

/* The same set has the same hash, in whatever order it was taken; sets that share a hash by chance are told apart. */
static bool same(const struct lockset *s, const struct lockset_now *t)
{
	if (s->count != t->held.count)
		return false;
	for (uint32_t i = 0; i < s->count; i++) {
		bool found = false;
		for (size_t k = 0; k < t->held.count; k++)
			found |= t->held.at[k].lock == s->locks[i].lock && t->held.at[k].shared == s->locks[i].shared;
		if (!found)
			return false;
	}
	return true;
}

uint32_t locks_of(struct locksets *l, uint32_t thread)
{
	struct lockset_now *t = &l->threads[thread];
	if (!t->stale)
		return t->number;
	uint64_t hash = t->held.count;
	for (size_t i = 0; i < t->held.count; i++)
		hash += (t->held.at[i].lock * 2 + t->held.at[i].shared) * 0x9e3779b97f4a7c15ull;
	uint64_t *slot;
	while (*(slot = map_put(&l->by_hash, hash, NULL)) && !same(&l->sets.at[*slot], t))
		hash++;
	if (!*slot && t->held.count) {
		struct lockset *s = vec_add(&l->sets);
		s->count = (uint32_t)t->held.count;
		s->locks = mem_take(s->count * sizeof *s->locks);
		memcpy(s->locks, t->held.at, s->count * sizeof *s->locks);
		*slot = l->sets.count - 1;
	}
	t->number = (uint32_t)*slot;
	t->stale = false;
	return t->number;
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
		vec_release(&l->threads[i].held);
	for (size_t i = 0; i < l->sets.count; i++)
		mem_free(l->sets.at[i].locks);
	mem_free(l->threads);
	vec_release(&l->sets);
	map_release(&l->by_hash);
	map_release(&l->excludes);
}
