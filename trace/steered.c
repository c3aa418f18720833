/* trace/steered.c -- see steered.h.  The descriptor says what the access is: place, name, elements of a vector.  A record whose
 * descriptor says something else is believed for what it says itself: kind, address, bytes. */
#include "trace/steered.h"

#include <string.h>

#include "trace/inside.h"

struct extent { uint32_t total, element; };     /* bytes; total 0: none */

static const struct access *access_of(const struct site *site, uint64_t what)
{
	uint64_t nth = what >> 8;
	return site && nth < site->access_count ? &site->accesses[nth] : NULL;
}

static bool is_touch(const uint64_t w[5])
{
	return w[0] >> 56 & RECORD_PAYLOAD;
}

static struct extent extent_of(const struct site *site, const uint64_t w[5])
{
	const struct access *a = access_of(site, w[3]);
	uint32_t total = (uint32_t)w[1];
	if (!is_touch(w)) {
		uint32_t size = (w[3] & 255) <= 3 ? 1u << (w[3] & 255) : 0;
		return (struct extent){ size, size };
	}
	if (w[1] == 0 || w[1] > TOUCH_MAX)
		return (struct extent){ 0, 0 };
	if (a && a->size && total % a->size == 0)
		return (struct extent){ total, a->size };
	return (struct extent){ total, total <= 16 ? total : 8 };
}

uint32_t plain_events(struct sites *s, const uint64_t w[5])
{
	struct extent e = extent_of(sites_find(s, w[4] & RECORD_ADDRESS_MASK), w);
	return e.total ? (e.total + e.element - 1) / e.element : 0;
}

/* What the descriptor says of an access: the event it would be in a view, or NULL. */
static const struct event *known_of(struct trace *t, struct sites *s, struct site *site, const struct access *a)
{
	if (!site)
		return NULL;
	const struct view *v = a ? site->view ? site->view : view_of(t, s, site) : NULL;
	return v ? &v->events[v->first[a - site->accesses]].event : view_other(t, s, site);
}

struct plain_known plain_known(struct trace *t, struct sites *s, const uint64_t w[5])
{
	struct site *site = sites_find(s, w[4] & RECORD_ADDRESS_MASK);
	const struct access *a = access_of(site, w[3]);
	const struct event *known = known_of(t, s, site, a);
	return (struct plain_known){ known ? known->place : &place_unknown, a ? known->name : NULL, a && a->is_volatile };
}

bool plain_single(struct event *ev, struct trace *t, struct sites *s, const uint64_t w[5])
{
	if (!plain_is_single(w))
		return false;
	struct plain_known known = plain_known(t, s, w);
	plain_fill(ev, &known, w, !(t->flags & TRACE_NO_VALUES));
	return true;
}

int plain_open(struct plain *p, struct trace *t, struct sites *s, const uint64_t w[5], const uint8_t *payload)
{
	unsigned kind = w[0] >> 48 & 127, flags = w[0] >> 56 & 127;
	struct site *site = sites_find(s, w[4] & RECORD_ADDRESS_MASK);
	const struct access *a = access_of(site, w[3]);
	const struct event *known = known_of(t, s, site, a);
	struct extent e = extent_of(site, w);
	if (!e.total)
		return -1;
	p->like = (struct event){ .kind = (uint8_t)kind, .size = (uint8_t)e.element, .is_volatile = a && a->is_volatile,
		.place = known ? known->place : &place_unknown, .name = a ? known->name : NULL };
	p->address = w[0] & RECORD_ADDRESS_MASK;
	p->total = e.total;
	p->at = 0;
	memcpy(p->value, &w[1], 8);
	p->bytes = is_touch(w) ? payload : p->value;
	p->known = is_touch(w) ? (uint32_t)(w[4] >> 48) : e.total;
	if (trace_flags(t) & TRACE_NO_VALUES)
		p->known = 0;
	p->like.in_flight = flags & RECORD_FAILED;
	p->like.waits = kind == EV_WRITE && flags & RECORD_WAITS;
	return 0;
}

void plain_next(struct plain *p, struct event *ev)
{
	uint32_t left = p->total - p->at;
	*ev = p->like;
	if (ev->size > left)
		ev->size = (uint8_t)left;
	ev->object = p->address + p->at;
	ev->has_value = p->at + ev->size <= p->known && !(ev->in_flight && ev->kind == EV_READ);
	if (p->at + ev->size <= p->known) {
		memcpy(&ev->arg, p->bytes + p->at, ev->size < 8 ? ev->size : 8);
		if (ev->size > 8)
			memcpy(&ev->arg_high, p->bytes + p->at + 8, ev->size - 8u);
	}
	p->at += ev->size;
}
