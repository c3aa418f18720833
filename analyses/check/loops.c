/* analyses/check/loops.c -- loops in which a thread waits: where it comes back to where it was, its tree comes back too.
 *
 * A run says of a point what registers and stack its thread had (wire/steer.h).  The same again, and nothing done in between but to look (reads,
 * updates that change nothing, locks): the thread will go on as it did then, so the two places are one.  That alone would be sound; classes want
 * more, for they count what a thread was told: a round is left out if it is the second of two that were told the same, at the same places of the source.
 *   (1) rounds begin where the loop was entered: at the first place that was come to again;
 *   (2) a thread that writes anything, even to memory of its own, has left the loop.
 * A loop that writes and is told the same round after round has behaviours without end, one more with each round: that is trouble. */
#include "analyses/check/learn_inside.h"
#include "base/mix.h"

#define MOST_TRIPS 64u

static uint64_t place_of(const struct event *ev)
{
	const struct place *p = ev->place;
	return mix_word(mix_word(mix_word(ev->kind == EV_TRYFAIL ? EV_LOCK : ev->kind, (uint64_t)(uintptr_t)p->file), (uint64_t)p->line << 32 | p->column), ev->object);
}

void loops_leave(struct learning *l, uint32_t thread)
{
	vec_clear(&l->rounds[thread]);
	l->head[thread] = NO_NODE;
	l->trips[thread].wrote = true;
}

static void come_round(struct learning *l, uint32_t thread, const struct event *ev)
{
	struct trips *r = &l->trips[thread];
	bool is_there = r->state == l->state[thread] && r->place == place_of(ev);
	if (!is_there && ++r->looks <= r->patience)
		return;
	if (is_there) {
		r->same = r->wrote && r->told == r->before ? r->same + 1 : 0;
		r->before = r->told;
	} else {
		*r = (struct trips){ .state = l->state[thread], .place = place_of(ev), .patience = 2 * r->patience + 64 };
	}
	r->told = r->looks = r->wrote = 0;
	if (r->same == MOST_TRIPS)
		learn_trouble(l->t, ev, "a loop that waits for another thread and writes meanwhile has behaviours without end: it should write nothing, "
			"or give up after a few rounds");
}

void loops_looked(struct learning *l, uint32_t thread, const struct event *ev, uint32_t node, uint64_t told)
{
	struct look look = { .node = node, .state = l->state[thread], .place = place_of(ev) };
	look.told = mix_word(look.place, told);
	l->trips[thread].told = mix_word(l->trips[thread].told, look.told);
	vec_push(&l->rounds[thread], look);
}

/* Is the round from there on several of the loop's, `many` looks each, that were told different things?  Such a one counts, though it leads back (-O0
 * remembers on the stack what it saw last): only a round that was told what the one before it was told is left out. */
static bool is_many_rounds(const looks *all, size_t from, size_t many)
{
	bool told_same = true;
	for (size_t i = from; i + many < all->count; i++) {
		if (all->at[i].place != all->at[i + many].place)
			return false;
		told_same &= all->at[i].told == all->at[i + many].told;
	}
	return !told_same;
}

/* The thread is in the same state as at look `from` of the last round.  Was the round before it told the same, and does one begin there? */
static bool is_round(const looks *all, size_t from, uint64_t place)
{
	size_t many = all->count - from, first = from;
	if (from < many || all->at[from].place != place)
		return false;
	for (size_t i = from - many; i < from; i++)
		if (all->at[i].told != all->at[i + many].told)
			return false;
	for (size_t part = 1; part < many; part++)
		if (many % part == 0 && is_many_rounds(all, from, part))
			return false;
	for (first -= many; first && all->at[first - 1].place == all->at[first - 1 + many].place; first--)
		;
	return (from - first) % many == 0;
}

static void go_back(struct learning *l, uint32_t thread, uint32_t node)
{
	looks *all = &l->rounds[thread];
	while (all->count && all->at[all->count - 1].node != node)
		all->count--;
	all->count -= all->count > 0;
	l->head[thread] = l->at[thread] = node;
}

void loops_come(struct learning *l, uint32_t thread, const struct event *ev)
{
	looks *all = &l->rounds[thread];
	struct node *n = &l->t->nodes.at[l->at[thread]];
	if (n->deed == DEED_BACK) {
		go_back(l, thread, n->first);
		return;
	}
	if (l->state[thread])
		come_round(l, thread, ev);
	if (n->deed != DEED_UNKNOWN || !l->state[thread] || l->t->has_thread_memory)
		return;
	for (size_t i = all->count; i > 0; i--) {
		if (all->at[i - 1].state != l->state[thread])
			continue;
		if (is_round(all, i - 1, place_of(ev))) {
			uint32_t head = all->at[i - 1].node;
			l->t->came_back |= n->was_end;
			n->deed = DEED_BACK;
			n->first = head;
			l->t->nodes.at[head].is_head = true;
			go_back(l, thread, head);
		}
		return;
	}
}
