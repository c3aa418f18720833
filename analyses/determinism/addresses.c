/* analyses/determinism/addresses.c -- where blocks of the heap lie may depend on who allocates first, and what a program does on where they lie.
 * Two threads that give out and back memory side by side are no dependent pair: most programs ask of an address only whether it is the same, and do the same
 * wherever blocks lie.  One that asks more (which is lower, a hash of it), or writes an address out, may do otherwise: that is not known.
 * Where the stack of a new thread lies, and what pthread_create() calls it, depends on which threads were created and joined before: where two threads create
 * others side by side, the same is asked of these. */
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

/* Do these bytes name such a block, as %p does (stacks: a place on a stack, a thread-local variable)? */
static bool names_block(const struct walk *w, const uint8_t *bytes, size_t count, bool stacks)
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
		if (in && (stacks ? in->kind == OBJECT_STACK || in->kind == OBJECT_TLS : in->kind == OBJECT_HEAP || (in->kind == OBJECT_MAP && *in->place->file)))
			return true;
	}
	return false;
}

/* To join a thread orders what follows: its place is after itself. */
void addresses_of_stacks(struct walk *w, const struct event *ev, struct spot spot)
{
	spot.at += ev->kind == EV_JOIN;
	if (w->stacks_kind && w->stacks_last.thread != spot.thread && (ev->kind == EV_FORK || w->stacks_kind == EV_FORK))
		*vec_add(&w->stacks) = (struct hand_over){ w->stacks_last, spot, ev->place };
	w->stacks_last = spot;
	w->stacks_kind = ev->kind;
}

void addresses_note(struct walk *w, const struct event *ev, struct spot spot)
{
	if (ev->kind == EV_OUTPUT && ev->bytes && !w->shows_address && names_block(w, ev->bytes, ev->byte_count, false))
		w->shows_address = ev->place;
	if (ev->kind == EV_OUTPUT && ev->bytes && !w->shows_stack && names_block(w, ev->bytes, ev->byte_count, true))
		w->shows_stack = ev->place;
	if (!is_of_heap(w, ev))
		return;
	if (w->heap_used && w->heap_last.thread != spot.thread)
		*vec_add(&w->heap) = (struct hand_over){ w->heap_last, spot, ev->place };
	w->heap_last = spot;
	w->heap_used = true;
}

/* Could two threads have come to it the other way round?  If each had to wait for the one before it, no. */
static const struct place *side_by_side(const struct walk *w, const struct hand_over *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!order_before(w->order, all[i].from, all[i].to))
			return all[i].place;
	return NULL;
}

/* By code of one of the objects. */
static bool is_asked(const struct walk *w, bool (*counted)(const char *, char *, size_t), char *where, size_t room)
{
	for (uint32_t i = 0; i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		if (m->instrumented && counted(m->path, where, room))
			return true;
	}
	return false;
}

static void ask_of_stacks(struct walk *w)
{
	char text[300], where[128];
	const struct place *place = side_by_side(w, w->stacks.at, w->stacks.count);
	if (place && w->shows_stack)
		walk_doubt(w, "an address of a stack is written out, and which thread creates others first may decide it", w->shows_stack, 1);
	if (!place || !is_asked(w, stacks_counted, where, sizeof where))
		return;
	snprintf(text, sizeof text, "two threads create others side by side, and %s asks more of where stacks lie, or of what threads are called, than it is told", where);
	walk_doubt(w, text, place, 1);
}

void addresses_ask(struct walk *w)
{
	char text[300], where[128];
	ask_of_stacks(w);
	const struct place *place = side_by_side(w, w->heap.at, w->heap.count);
	if (place && w->shows_address)
		walk_doubt(w, "an address is written out, and which thread allocates first may decide it", w->shows_address, 1);
	if (!place || !is_asked(w, addresses_counted, where, sizeof where))
		return;
	snprintf(text, sizeof text, "two threads allocate side by side, and %s asks more of an address than whether it is the same", where);
	walk_doubt(w, text, place, 1);
}
