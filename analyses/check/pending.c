/* analyses/check/pending.c -- see pending.h.
 *   (1) a fence stands between two stores at most once, and never first: equal buffers, equal bytes;
 *   (2) what empties the buffer is only what is certain to: where that is not known stores may be later, and runs will tell. */
#include "analyses/check/pending.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint32_t *counts_of(const struct space *s, const struct state *at)
{
	return (uint32_t *)((char *)at + s->bytes) - s->thread_count;
}

/* Where the thread's begin; all that stand behind them end at *end. */
static uint32_t *of_thread(const struct space *s, const struct state *at, uint32_t thread, uint32_t **end)
{
	uint32_t *counts = counts_of(s, at), *first = counts + s->thread_count, *last = first;
	for (uint32_t i = 0; i < s->thread_count; i++) {
		first += i < thread ? counts[i] : 0;
		last += counts[i];
	}
	if (end)
		*end = last;
	return first;
}

size_t space_bytes(const struct space *s, const struct state *at)
{
	uint32_t *end;
	if (s->model == MODEL_SC)
		return s->bytes;
	of_thread(s, at, 0, &end);
	return (size_t)((char *)end - (const char *)at);
}

uint32_t pending_count(const struct space *s, const struct state *at, uint32_t thread)
{
	return s->model == MODEL_SC ? 0 : counts_of(s, at)[thread];
}

uint32_t pending_node(const struct space *s, const struct state *at, uint32_t thread, uint32_t i)
{
	return of_thread(s, at, thread, NULL)[i];
}

void pending_add(const struct space *s, struct state *at, uint32_t thread, uint32_t node)
{
	uint32_t *end, *place = of_thread(s, at, thread, &end) + counts_of(s, at)[thread];
	if (space_bytes(s, at) >= s->most_bytes) {
		if (!*s->threads->trouble)
			snprintf(s->threads->trouble, sizeof s->threads->trouble, "more stores wait to reach memory than are kept");
		return;
	}
	memmove(place + 1, place, (size_t)((char *)end - (char *)place));
	*place = node;
	counts_of(s, at)[thread]++;
}

static void remove_at(const struct space *s, struct state *at, uint32_t thread, uint32_t i)
{
	uint32_t *end, *place = of_thread(s, at, thread, &end) + i;
	memmove(place, place + 1, (size_t)((char *)end - (char *)(place + 1)));
	counts_of(s, at)[thread]--;
	end[-1] = 0;
}

void pending_fence(const struct space *s, struct state *at, uint32_t thread)
{
	uint32_t count = pending_count(s, at, thread);
	if (s->model == MODEL_PSO && count && pending_node(s, at, thread, count - 1) != PENDING_FENCE)
		pending_add(s, at, thread, PENDING_FENCE);
}

static bool overlap(const struct node *a, const struct node *b)
{
	return a->cell < b->cell + b->size && b->cell < a->cell + a->size;
}

bool pending_may_leave(const struct space *s, const struct state *at, uint32_t thread, uint32_t i)
{
	const uint32_t *all = of_thread(s, at, thread, NULL);
	const struct node *nodes = s->threads->nodes.at;
	if (all[i] == PENDING_FENCE || (i && (s->model == MODEL_TSO || nodes[all[i]].release)))
		return false;
	for (uint32_t k = 0; k < i; k++)
		if (all[k] == PENDING_FENCE || overlap(&nodes[all[k]], &nodes[all[i]]))
			return false;
	return true;
}

uint32_t pending_leave(const struct space *s, struct state *at, uint32_t thread, uint32_t i)
{
	uint32_t node = pending_node(s, at, thread, i);
	remove_at(s, at, thread, i);
	if (pending_count(s, at, thread) && pending_node(s, at, thread, 0) == PENDING_FENCE)
		remove_at(s, at, thread, 0);
	return node;
}

uint32_t pending_byte(const struct space *s, const struct state *at, uint32_t thread, uint32_t cell)
{
	const uint32_t *all = of_thread(s, at, thread, NULL);
	for (uint32_t i = pending_count(s, at, thread); i-- > 0;) {
		const struct node *n = all[i] == PENDING_FENCE ? NULL : &s->threads->nodes.at[all[i]];
		if (n && cell - n->cell < n->size)
			return (uint32_t)(n->value >> 8 * (cell - n->cell) & 0xff) + 1;
	}
	return 0;
}

bool pending_drains(const struct node *n)
{
	switch (n->deed) {
	case DEED_WRITE: return !n->waits;
	case DEED_FENCE: return !n->release;
	case DEED_UPDATE: case DEED_LOCK: case DEED_UNLOCK: case DEED_WAIT: case DEED_WAKE: case DEED_SIGNAL: case DEED_BROADCAST:
	case DEED_DOWN: case DEED_UP: case DEED_ARRIVE: case DEED_LEAVE: case DEED_ONCE: case DEED_ONCE_DONE: case DEED_INIT:
	case DEED_CREATE: case DEED_JOIN: case DEED_RESULT: case DEED_ATOMIC: case DEED_END: case DEED_EXIT:
		return true;
	default:
		return false;
	}
}

bool pending_drained(const struct node *n, uint64_t told)
{
	switch (n->deed) {
	case DEED_EXIT: case DEED_SIGNAL: case DEED_BROADCAST: return false;
	case DEED_LOCK: return !n->recursive && (!told || !n->waits);
	case DEED_UNLOCK: return !n->recursive && !n->waits;
	case DEED_DOWN: return told != EAGAIN;
	case DEED_ONCE: return told;
	default: return pending_drains(n);
	}
}
