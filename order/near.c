/* order/near.c -- does the observed order, restricted to a prefix, keep all rules?
 *
 * Hard edges follow the observed order, so only these can be broken, each by an event the prefix leaves out:
 *   a section left open while a later one of its lock begins; a semaphore taken without its posts; a wait woken without
 *   its signal.  Each is mended by taking in what was observed (the release, a post, a signal) if no limit forbids it;
 *   that is a choice, so a limit met on the way is no refutation.
 * Cost: threads + (locks held at the end of the prefix) x (users of each), plus semaphore and condition events. */
#include "order/inside.h"

uint32_t last_begun(const struct order *o, uint32_t lock, const struct lock_user *u, uint32_t front, bool shared)
{
	(void)lock;
	size_t low = 0, high = u->sections.count;       /* [0, low) have begun */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (o->nodes.at[o->sections.at[u->sections.at[middle]].take].at < front)
			low = middle + 1;
		else
			high = middle;
	}
	while (low && shared && o->sections.at[u->sections.at[low - 1]].shared)
		low--;
	return low ? u->sections.at[low - 1] : NONE;
}

/* A section that begins after the open one was begun, in S. */
static uint32_t later_one(const struct order *o, const uint32_t *front, const struct section *open, size_t *user)
{
	const struct lock *l = &o->locks.at[open->lock];
	for (; *user < l->users.count; ++*user) {
		const struct lock_user *u = &l->users.at[*user];
		if (u->thread == open->thread)
			continue;
		uint32_t j = last_begun(o, open->lock, u, front[u->thread], open->shared);
		if (j != NONE && o->sections.at[j].take > open->take)
			return j;
	}
	return NONE;
}

static uint32_t held_at(const struct order *o, uint32_t thread, const uint32_t *front)
{
	return front[thread] ? o->nodes.at[node_of(o, thread, front[thread] - 1)].held : 0;
}

/* Takes in `node` and what it needs, unless a limit forbids.  scratch: threads. */
static bool take_in(const struct order *o, uint32_t *front, const uint32_t *limit, uint32_t node)
{
	const struct node *n = &o->nodes.at[node];
	const uint32_t *row = o->rows.at + (size_t)n->row * o->thread_count;
	if (n->at >= limit[n->thread])
		return false;
	for (uint32_t i = 0; i < o->thread_count; i++)
		if (i != n->thread && row[i] > limit[i])
			return false;
	cone_add(o, front, node);
	return true;
}

/* 1 nothing to do, 2 something was taken in, 0 a limit forbids. */
static int near_locks(const struct order *o, uint32_t *front, const uint32_t *limit, uint32_t *culprit)
{
	int did = 1;
	for (uint32_t t = 0; t < o->thread_count; t++)
		for (uint32_t h = held_at(o, t, front); h; h = o->helds.at[h].next) {
			const struct section *open = &o->sections.at[o->helds.at[h].section];
			size_t user = 0;
			if ((open->give != NONE && in_front(o, front, open->give)) || later_one(o, front, open, &user) == NONE)
				continue;
			if (open->give == NONE || !take_in(o, front, limit, open->give)) {
				*culprit = open->take;
				return 0;
			}
			did = 2;
			t--;                            /* the thread went on: look again */
			break;
		}
	return did;
}

static int near_sem(const struct order *o, const struct sem *s, uint32_t *front, const uint32_t *limit)
{
	int64_t value = s->first;
	int did = 1;
	VEC(uint32_t) skipped = { 0 };
	for (size_t i = 0; i < s->nodes.count && did; i++) {
		uint32_t n = s->nodes.at[i];
		if (o->nodes.at[n].op == OP_SPOST && !in_front(o, front, n))
			vec_push(&skipped, n);
		if (!in_front(o, front, n) || o->nodes.at[n].op == OP_PASS)
			continue;
		value += o->nodes.at[n].op == OP_SPOST ? 1 : -1;
		for (size_t k = 0; value < 0; k++) {
			if (k == skipped.count) {
				did = 0;
				break;
			}
			if (!in_front(o, front, skipped.at[k]) && take_in(o, front, limit, skipped.at[k])) {
				did = 2;
				value++;
			}
		}
	}
	vec_release(&skipped);
	return did;
}

static bool is_signal(const struct order *o, uint32_t n)
{
	return o->nodes.at[n].op == OP_SIGNAL || o->nodes.at[n].op == OP_BROADCAST;
}

static int near_cond(const struct order *o, const struct cond *c, uint32_t *front, const uint32_t *limit)
{
	int did = 1;
	for (size_t i = 0; i < c->nodes.count; i++) {
		uint32_t wake = c->nodes.at[i], wait = o->nodes.at[wake].other;
		bool served = o->nodes.at[wake].op != OP_CWAKE || wait == NONE || !in_front(o, front, wake);
		size_t k = i;
		while (!served && k-- > 0 && c->nodes.at[k] > wait)
			served = is_signal(o, c->nodes.at[k]) && in_front(o, front, c->nodes.at[k]);
		for (k = i; !served && k-- > 0 && c->nodes.at[k] > wait;)
			if (is_signal(o, c->nodes.at[k]) && take_in(o, front, limit, c->nodes.at[k])) {
				served = true;
				did = 2;
			}
		if (!served)
			return 0;
	}
	return did;
}

bool near_complete(const struct order *o, uint32_t *front, const uint32_t *limit, uint32_t *culprit)
{
	*culprit = NONE;
	for (int did = 2; did == 2;) {
		did = near_locks(o, front, limit, culprit);
		for (size_t i = 0; did && i < o->sems.count; i++) {
			int now = near_sem(o, &o->sems.at[i], front, limit);
			did = now == 1 ? did : now;
		}
		for (size_t i = 0; did && i < o->conds.count; i++) {
			int now = near_cond(o, &o->conds.at[i], front, limit);
			did = now == 1 ? did : now;
		}
		if (!did)
			return false;
	}
	return true;
}
