/* trace/control.c -- a control record (wire/ring.h) as an event. */
#include <string.h>

#include "trace/inside.h"

static uint64_t word_at(const uint8_t *at)
{
	uint64_t word;
	memcpy(&word, at, 8);
	return word;
}

static void fill_atomic(struct trace *t, struct event *ev, const uint64_t w[5])
{
	ev->has_value = !(t->flags & TRACE_NO_VALUES) && ev->kind != EV_FENCE;
	ev->arg = ev->kind == EV_ASTORE ? w[3] : w[1];
	bool changes = ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed);
	if (changes)
		ev->written = w[3];
	if (ev->byte_count == 16) {             /* upper halves of what was read and written */
		ev->arg_high = word_at(ev->bytes + (ev->kind == EV_ASTORE ? 8 : 0));
		ev->written_high = changes ? word_at(ev->bytes + 8) : 0;
	}
	ev->bytes = NULL;
	ev->byte_count = 0;
	if (ev->kind == EV_FENCE)
		ev->order = (uint8_t)w[1];
}

/* A line table says where a call is, not what it was inlined into; the site of the call knows. */
static void note_inlined(struct place *at, const struct place *call)
{
	const char *a = strrchr(at->file, '/'), *b = strrchr(call->file, '/');
	if (!at->inlined_at && call->inlined_at && at->line == call->line && !strcmp(a ? a : at->file, b ? b : call->file))
		at->inlined_at = call->inlined_at;
}

static void find_place(struct trace *t, struct sites *s, const struct place *last_call, struct event *ev, uint64_t code)
{
	struct site *site = code ? sites_find(s, code) : NULL;
	const struct event *known = site ? view_other(t, s, site) : NULL;
	const struct place *place = NULL;
	if (known) {
		place = known->place;
		ev->name = known->name;
		if (event_class(ev->kind) == CLASS_ATOMIC) {
			ev->size = known->size;
			ev->order = known->order;
			ev->order2 = known->order2;
			ev->op = known->op;
		}
	} else if (code) {
		ev->code = code;
		place = code_place(t, code);
		if (place && last_call)
			note_inlined((struct place *)place, last_call);
	}
	if (!place)
		place = code && last_call ? last_call : &place_unknown;
	ev->place = place;
}

void control_event(struct trace *t, struct sites *s, const struct place *last_call, const uint64_t w[5], const uint8_t *payload,
	struct event *ev)
{
	unsigned kind = w[0] >> 48 & 127, flags = w[0] >> 56 & 127;
	*ev = event_none;
	ev->kind = (uint8_t)kind;
	ev->object = w[0] & RECORD_ADDRESS_MASK;
	ev->arg = w[1];
	ev->version = number_word(kind) == 2 ? RECORD_NUMBER(w[2]) : w[2];
	ev->failed = flags & RECORD_FAILED;
	ev->cut = flags & RECORD_CUT;
	ev->waits = flags & RECORD_WAITS;
	find_place(t, s, last_call, ev, w[4] & RECORD_ADDRESS_MASK);
	if (flags & RECORD_PAYLOAD) {
		ev->bytes = payload;
		ev->byte_count = (uint32_t)(w[4] >> 48);
	} else {
		ev->result = (int16_t)(w[4] >> 48);
	}
	if (event_class(kind) == CLASS_ATOMIC)
		fill_atomic(t, ev, w);
	if (kind == EV_FLUSH) {
		ev->arg = trace_thread_of_uid(t, ev->arg).i;
		ev->size = ev->result > 0 && ev->result <= 8 ? (uint8_t)ev->result : 0;
		ev->result = 0;
	}
	if (kind == EV_FORK || kind == EV_JOIN || kind == EV_DETACH || kind == EV_CANCEL || (kind == EV_BLOCK && ev->arg == EV_JOIN))
		ev->object = trace_thread_of_uid(t, ev->object).i;
}
