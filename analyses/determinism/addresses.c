/* analyses/determinism/addresses.c -- where blocks of the heap lie may depend on who allocates first, and what a program does on where they lie.
 * Two threads that give out and back memory side by side are no dependent pair: most programs ask of an address only whether it is the same, and do the same
 * wherever blocks lie.  One that asks more (which is lower, a hash of it), or writes an address out, may do otherwise: that is not known. */
#include <stdio.h>
#include <string.h>

#include "analyses/determinism/inside.h"
#include "model/addresses.h"

#define HEX_MOST 16u
#define HEX_LEAST 6u                    /* digits of an address */

/* What libc takes for a new thread it has before that begins. */
static bool is_of_new_thread(const struct walk *w, const struct event *ev)
{
	const struct place *a = w->forks_at, *b = ev->place;
	return a && w->forks.i == ev->thread.i && a->line == b->line && !strcmp(a->function, b->function);
}

/* The heap, or what the kernel maps where there is room: either lies where it does because of what came before. */
static bool is_of_heap(const struct walk *w, const struct event *ev)
{
	bool blocks = ev->kind == EV_ALLOC || ev->kind == EV_REALLOC || ev->kind == EV_FREE, mappings = ev->kind == EV_MAP || ev->kind == EV_UNMAP;
	return (blocks || mappings) && *ev->place->file && !is_of_new_thread(w, ev);
}

/* Do these bytes name such a block, as %p does? */
static bool names_block(const struct walk *w, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i + 2 + HEX_LEAST <= count; i++) {
		uint64_t value = 0;
		size_t digits = 0;
		if (bytes[i] != '0' || bytes[i + 1] != 'x')
			continue;
		for (const uint8_t *at = bytes + i + 2; digits < HEX_MOST && at < bytes + count; at++, digits++) {
			const char *digit = *at ? strchr("0123456789abcdef", *at) : NULL;
			if (!digit)
				break;
			value = value << 4 | (uint64_t)(digit - "0123456789abcdef");
		}
		const struct object *in = digits >= HEX_LEAST ? objects_at(w->objects, value) : NULL;
		if (in && (in->kind == OBJECT_HEAP || (in->kind == OBJECT_MAP && *in->place->file)))
			return true;
	}
	return false;
}

void addresses_note(struct walk *w, const struct event *ev, struct spot spot)
{
	if (ev->kind == EV_OUTPUT && ev->bytes && !w->shows_address && names_block(w, ev->bytes, ev->byte_count))
		w->shows_address = ev->place;
	if (!is_of_heap(w, ev))
		return;
	if (w->heap_used && w->heap_last.thread != spot.thread)
		*vec_add(&w->heap) = (struct hand_over){ w->heap_last, spot, ev->place };
	w->heap_last = spot;
	w->heap_used = true;
}

/* Could two threads have come to the heap the other way round?  If each had to wait for the one before it, no. */
static const struct place *side_by_side(const struct walk *w)
{
	for (size_t i = 0; i < w->heap.count; i++)
		if (!order_before(w->order, w->heap.at[i].from, w->heap.at[i].to))
			return w->heap.at[i].place;
	return NULL;
}

void addresses_ask(struct walk *w)
{
	char text[300], where[128];
	const struct place *place = side_by_side(w);
	if (!place)
		return;
	if (w->shows_address)
		walk_doubt(w, "an address is written out, and which thread allocates first may decide it", w->shows_address, 1);
	for (uint32_t i = 0; i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		if (!m->instrumented || !addresses_counted(m->path, where, sizeof where))
			continue;
		snprintf(text, sizeof text, "two threads allocate side by side, and %s asks more of an address than whether it is the same", where);
		walk_doubt(w, text, place, 1);
		return;
	}
}
