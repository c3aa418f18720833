/* analyses/check/turns.c -- see turns.h. */
#include "analyses/check/turns.h"

#include <string.h>

#include "analyses/check/pending.h"

/* Stores of each thread that wait in a run, as far as its schedule has come. */
struct waiting { uint32_t node; uint64_t nth; };
typedef VEC(struct waiting) waits;
#define BUFFER_ROOM 256u                /* of the runtime: then the oldest leaves */

/* Only its thread has to do with what it writes. */
static bool is_private(const struct node *n) { return n->deed == DEED_WRITE && n->cell == NO_CELL; }

/* False: one that others see would be the oldest of too many. */
static bool store_waits(const struct threads *t, waits *all, uint32_t node, uint64_t nth)
{
	bool fits = true;
	if (all->count == BUFFER_ROOM) {
		fits = is_private(&t->nodes.at[all->at[0].node]);
		memmove(all->at, all->at + 1, --all->count * sizeof *all->at);
	}
	vec_push(all, ((struct waiting){ node, nth }));
	return fits;
}

/* The store of this node reaches memory, and before it what only its thread has to do with. */
static void store_leaves(const struct threads *t, waits *all, uint32_t node, struct schedule *out)
{
	size_t kept = 0, i = 0;
	for (; i < all->count; i++) {
		const struct node *n = &t->nodes.at[all->at[i].node];
		if ((is_private(n) && !(n->release && kept)) || all->at[i].node == node)
			schedule_step_add(out, STEP_FLUSH, n->thread, all->at[i].nth);
		else
			all->at[kept++] = all->at[i];
		if (all->at[i].node == node)
			break;
	}
	for (i++; i < all->count; i++)
		all->at[kept++] = all->at[i];
	all->count = kept;
}

bool turns_make(const struct threads *t, const doings *way, const struct further *further, size_t count, struct schedule *out)
{
	uint64_t nth[MAX_THREADS] = { 0 };
	waits stores[MAX_THREADS] = { 0 };
	bool fits = true;
	schedule_init(out);
	out->fixed_addresses = true;
	for (uint32_t i = 1; i < t->paths.count; i++)
		schedule_thread_add(out, names_text(&t->paths, i), "");
	for (size_t i = 0; i < way->count; i++) {
		const struct node *n = &t->nodes.at[way->at[i].node];
		const struct done *d = &way->at[i], *next = i + 1 < way->count ? d + 1 : NULL;
		if (d->choice == DONE_STORE) {
			store_leaves(t, &stores[n->thread], d->node, out);
			continue;
		}
		nth[n->thread] += d->points;
		if ((n->deed == DEED_WRITE || n->deed == DEED_UNLOCK) && n->waits)
			fits &= store_waits(t, &stores[n->thread], d->node, nth[n->thread]);
		else if (d->drains)
			vec_clear(&stores[n->thread]);
		if (d->late)
			schedule_step_add(out, STEP_ANSWER, n->thread, nth[n->thread])->answer = ANSWER_TIMEOUT;
		if (d->choice != NOBODY)
			schedule_step_add(out, STEP_CHOICE, n->thread, nth[n->thread])->answer = d->choice;
		bool stays = next && t->nodes.at[next->node].thread == n->thread && next->choice == NOBODY && !next->late;
		if (nth[n->thread] && !stays)
			schedule_step_add(out, STEP_RUN, n->thread, nth[n->thread]);
	}
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		vec_release(&stores[i]);
	for (size_t i = 0; i < count; i++) {
		const struct node *n = &t->nodes.at[further[i].node];
		uint64_t there = nth[n->thread] + (n->deed == DEED_UNKNOWN || !n->points ? 1 : n->points);
		if (further[i].late)
			schedule_step_add(out, STEP_ANSWER, n->thread, there)->answer = ANSWER_TIMEOUT;
		if (n->deed == DEED_CHOOSE)
			schedule_step_add(out, STEP_CHOICE, n->thread, there)->answer = further[i].chosen;
		schedule_step_add(out, STEP_RUN, n->thread, there);
	}
	return fits;
}
