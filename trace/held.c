/* trace/held.c -- see held.h.  pieces[] of a thread stand in program order; none of them has an empty mask. */
#include "trace/held.h"

#include <string.h>

#include "base/vec.h"

#define STORE_MOST 4096u                /* bytes; what is longer does not wait (rt/buffer.c) */

typedef VEC(struct held_piece) piece_list;
struct held { VEC(piece_list) threads; };

struct held *held_new(void)
{
	return mem_take(sizeof(struct held));
}

void held_clear(struct held *h)
{
	for (size_t i = 0; i < h->threads.count; i++)
		vec_clear(&h->threads.at[i]);
}

void held_free(struct held *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->threads.count; i++)
		vec_release(&h->threads.at[i]);
	vec_release(&h->threads);
	mem_free(h);
}

static piece_list *pieces_of(const struct held *h, uint32_t thread)
{
	return thread < h->threads.count ? &h->threads.at[thread] : NULL;
}

uint8_t held_mask(uint64_t address, uint64_t bytes)
{
	unsigned low = address % 8, high = bytes < 8 - low ? low + (unsigned)bytes : 8;
	return (uint8_t)((1u << high) - (1u << low));
}

/* ---- stores ---- */

struct contents { uint64_t bytes, known; const uint8_t *at; uint8_t value[16]; };

static void contents_of(const struct event *ev, struct contents *c)
{
	bool library = ev->kind == EV_LIBWRITE || ev->kind == EV_COPY;
	uint32_t skip = ev->kind == EV_COPY ? 8 : 0;
	memcpy(c->value, &ev->arg, 8);
	memcpy(c->value + 8, &ev->arg_high, 8);
	c->bytes = library ? ev->arg : ev->size;
	c->at = !library ? c->value : ev->bytes ? ev->bytes + skip : NULL;
	c->known = !library ? (ev->has_value && ev->size <= 16 ? ev->size : 0) : ev->bytes && ev->byte_count > skip ? ev->byte_count - skip : 0;
}

uint32_t held_store(struct held *h, const struct event *ev, uint32_t tag, uint8_t flags)
{
	struct contents c;
	uint32_t made = 0;
	contents_of(ev, &c);
	if (c.bytes > STORE_MOST || ev->object + c.bytes < ev->object)
		return 0;
	while (h->threads.count <= ev->thread.i)
		vec_add(&h->threads);
	for (uint64_t done = 0; done < c.bytes; made++) {
		uint64_t at = ev->object + done;
		unsigned shift = at % 8, count = c.bytes - done < 8 - shift ? (unsigned)(c.bytes - done) : 8 - shift;
		struct held_piece p = { .word = at - shift, .mask = held_mask(at, count), .tag = tag, .flags = flags };
		for (unsigned i = 0; i < count; i++, done++)
			if (done < c.known)
				p.value |= (uint64_t)c.at[done] << 8 * (shift + i);
			else
				p.unknown |= (uint8_t)(1u << (shift + i));
		vec_push(pieces_of(h, ev->thread.i), p);
	}
	return made;
}

/* ---- questions ---- */

static uint64_t spread_over(uint8_t mask)
{
	uint64_t out = 0;
	for (unsigned i = 0; i < 8; i++)
		out |= mask >> i & 1 ? 0xffull << 8 * i : 0;
	return out;
}

bool held_own(const struct held *h, uint32_t thread, uint64_t word, struct held_piece *out)
{
	const piece_list *list = pieces_of(h, thread);
	*out = (struct held_piece){ .word = word };
	for (size_t i = 0; list && i < list->count; i++) {
		const struct held_piece *p = &list->at[i];
		if (p->word != word)
			continue;
		uint64_t bytes = spread_over(p->mask);
		out->value = (out->value & ~bytes) | (p->value & bytes);
		out->unknown = (uint8_t)((out->unknown & ~p->mask) | p->unknown);
		out->mask |= p->mask;
		out->tag = p->tag;
		out->flags = p->flags;
	}
	return out->mask;
}

static void take_out(piece_list *list, size_t at)
{
	memmove(&list->at[at], &list->at[at + 1], (list->count - at - 1) * sizeof *list->at);
	list->count--;
}

bool held_leave(struct held *h, uint32_t thread, uint64_t word, uint8_t mask, struct held_piece *out)
{
	piece_list *list = pieces_of(h, thread);
	size_t at = 0;
	while (list && at < list->count && (list->at[at].word != word || !(list->at[at].mask & mask)))
		at++;
	if (!list || at == list->count)
		return false;
	*out = list->at[at];
	out->mask &= mask;
	out->unknown &= mask;
	list->at[at].mask &= (uint8_t)~mask;
	list->at[at].unknown &= (uint8_t)~mask;
	if (!list->at[at].mask)
		take_out(list, at);
	return true;
}

bool held_surplus(struct held *h, uint32_t thread, struct held_piece *out)
{
	piece_list *list = pieces_of(h, thread);
	if (!list || list->count <= HELD_PIECES)
		return false;
	*out = list->at[0];
	take_out(list, 0);
	return true;
}
