/* trace/verify_held.c -- a run under a weak memory model: stores wait, their thread sees them, and a FLUSH takes them to memory.
 * Memory (verify_memory.c) is what all threads see; what a thread sees beside it is in `held`, made with the first store that waits.
 * A store in memory counts as its thread's, and as made when it was. */
#include "trace/verify_inside.h"

static void to_memory(struct verifier *v, uint32_t thread, const struct held_piece *p)
{
	uint32_t now = v->now, seq = v->seq;
	v->now = thread;
	v->seq = p->tag;
	for (unsigned i = 0; i < 8; i++) {
		uint8_t byte = (uint8_t)(p->value >> 8 * i);
		if (p->mask >> i & 1)
			memory_write(v, p->word + i, 1, &byte, p->flags | (p->unknown >> i & 1 ? ENTRY_UNKNOWN : 0));
	}
	v->now = now;
	v->seq = seq;
}

bool held_back(struct verifier *v, const struct event *ev, unsigned flags)
{
	struct held_piece p;
	if (!ev->waits || ev->in_flight)
		return false;
	if (!v->held)
		v->held = held_new();
	if (!held_store(v->held, ev, v->seq, (uint8_t)flags))
		return false;
	while (held_surplus(v->held, ev->thread.i, &p))
		to_memory(v, ev->thread.i, &p);
	return true;
}

void held_flushed(struct verifier *v, const struct event *ev)
{
	struct held_piece p;
	uint64_t end = ev->object + ev->size;
	bool all = true;
	for (uint64_t at = ev->object; at < end; at = at / 8 * 8 + 8) {
		uint8_t mask = held_mask(at, end - at);
		while (mask && v->held && held_leave(v->held, (uint32_t)ev->arg, at / 8 * 8, mask, &p)) {
			mask &= (uint8_t)~p.mask;
			if (v->values)
				to_memory(v, (uint32_t)ev->arg, &p);
		}
		all = all && !mask;
	}
	if (ev->arg >= v->thread_count || !ev->size || !all)
		problem(v, RULE_FLUSH, ev, "bytes reach memory that no store of %s waits with", path_of(v, (uint32_t)ev->arg));
}
