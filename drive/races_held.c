/* drive/races_held.c -- see races_inside.h: stores that wait, in a run under a weak memory model (trace/held.h).
 *
 * Whether two accesses race is decided where they are made.  Who learns what from whom is decided by memory: what a store carries, and
 * that it ends release sequences, becomes so when it gets there, with what its thread knew when it made it.  A load that
 * takes a byte from a store of its own that waits learns nothing from it.
 *   (1) the tag of a piece is the number of its store; a store is kept while it has pieces. */
#include "drive/races_inside.h"

enum { HELD_NOTHING, HELD_PLAIN, HELD_ATOMIC };         /* what it does to what was released there */

static void reaches_memory(struct races *r, uint32_t thread, const struct held_piece *p)
{
	struct held_back *s = &r->held_back.at[p->tag];
	if (p->flags == HELD_PLAIN)
		sync_plain_write(r, p->word, p->mask);
	else if (p->flags == HELD_ATOMIC)
		sync_store(r, thread, p->word, p->mask, s->carried);
	s->bytes -= (uint32_t)__builtin_popcount(p->mask);
	if (s->bytes)
		return;
	clock_drop(&r->clocks, s->carried);
	vec_push(&r->held_spare, p->tag);
}

static bool hold(struct races *r, const struct event *ev, uint64_t bytes, uint8_t does, uint32_t carried)
{
	struct held_piece p;
	if (!ev->waits || !bytes)
		return false;
	uint32_t tag = r->held_spare.count ? r->held_spare.at[r->held_spare.count - 1] : (uint32_t)r->held_back.count;
	if (!held_store(r->held, ev, tag, does))
		return false;
	if (tag == r->held_back.count)
		(void)vec_add(&r->held_back);
	else
		r->held_spare.count--;
	r->held_back.at[tag] = (struct held_back){ .bytes = (uint32_t)bytes, .carried = carried == NONE ? NONE : clock_take(&r->clocks) };
	if (carried != NONE)
		clock_copy(&r->clocks, r->held_back.at[tag].carried, carried);
	while (held_surplus(r->held, ev->thread.i, &p))
		reaches_memory(r, ev->thread.i, &p);
	return true;
}

bool held_plain(struct races *r, const struct event *ev, uint64_t bytes)
{
	return hold(r, ev, bytes, racer(r, ev->thread.i)->ignores ? HELD_NOTHING : HELD_PLAIN, NONE);
}

bool held_atomic(struct races *r, const struct event *ev, uint32_t carried)
{
	return hold(r, ev, ev->size, HELD_ATOMIC, carried);
}

uint8_t held_forwards(const struct races *r, uint32_t thread, uint64_t word)
{
	struct held_piece own;
	held_own(r->held, thread, word, &own);
	return own.mask;
}

void held_note(struct races *r, const struct event *ev)
{
	struct held_piece p;
	uint64_t end = ev->object + ev->size;
	for (uint64_t at = ev->object; at < end; at = at / 8 * 8 + 8)
		for (uint8_t mask = held_mask(at, end - at); mask && held_leave(r->held, (uint32_t)ev->arg, at / 8 * 8, mask, &p);) {
			mask &= (uint8_t)~p.mask;
			reaches_memory(r, (uint32_t)ev->arg, &p);
		}
}
