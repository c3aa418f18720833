/* trace/foretell_decode.c -- the foretelling coder, reading: foretell.c says how it works.  The stored bytes may be anything:
 * a stream may run into the zeros behind it within one record, never past them, and is checked after each. */
#include "trace/foretell.h"

#define PAD (PLAN_STEPS * 8u + 66000u)          /* more than one record takes of any stream: a raw one has up to 64 KB */

struct reading {
	struct foretell *p;
	const uint8_t *codes;
	size_t nibble, nibble_count;
	const uint8_t *at[STREAMS];
};

static inline uint64_t take(struct reading *r, int stream, unsigned bytes)
{
	uint64_t v = load(r->at[stream], bytes);
	r->at[stream] += bytes;
	return v;
}

static inline uint64_t address_from(struct reading *r, uint64_t a, unsigned code)
{
	if (code >= ADDRESS_RECENT)
		a = r->p->state.recent[code - ADDRESS_RECENT] + take(r, ADDRESSES, 1) - 128;
	else if (code >= ADDRESS_BY8)
		a += unfold(take(r, ADDRESSES, code - ADDRESS_BY8 + 1)) << 3;
	else if (code)
		a += unfold(take(r, ADDRESSES, code));
	return a;
}

static inline uint64_t decode_address(struct reading *r, struct step *s, unsigned code)
{
	uint64_t a = address_from(r, s->last + s->stride, code);
	moved(s, a);
	return a;
}

static ALWAYS uint64_t decode_missed_value(struct reading *r, struct step *s, unsigned code, uint64_t shadow, unsigned size)
{
	uint64_t v;
	if (code == VALUE_STRIDE)
		v = s->last + s->stride;
	else if (code == VALUE_TOP2)
		v = take(r, VALUES, 2) << 48;
	else if (code == VALUE_TOP4)
		v = take(r, VALUES, 4) << 32;
	else if (code >= VALUE_LAST)
		v = s->last + unfold(take(r, VALUES, code - VALUE_LAST + 1));
	else if (code == 8)
		v = take(r, VALUES, 8);
	else
		v = shadow + unfold(take(r, VALUES, code));
	v = narrow(v, size);
	moved(s, v);
	return v;
}

static ALWAYS uint64_t decode_value(struct reading *r, struct step *s, unsigned code, unsigned size)
{
	struct state *t = &r->p->state;
	uint64_t *slot = shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift);
	uint64_t v = narrow(*slot, size);
	if (code)
		v = decode_missed_value(r, s, code, v, size);
	*slot = v;
	if (size == 8)
		t->recent[t->recent_at++ & 3] = v;
	return v;
}

static uint64_t decode_plain(struct reading *r, struct step *s, unsigned code)
{
	uint64_t v = code ? s->last + unfold(take(r, VALUES, code > 8 ? 8 : code)) : s->last + s->stride;
	v = narrow(v, s->size);
	moved(s, v);
	return v;
}

static uint64_t decode_way(struct reading *r, struct step *s, struct shape *x, unsigned code)
{
	uint64_t v = code == WAY_BYTE ? take(r, REST, 1) : code ^ way_foretold(s);
	way_taken(s, (unsigned)v);
	branched(&r->p->state, x, v);
	return v;
}

/* Up to 15 nibbles from here on, the next one lowest; what lies behind the stream is zero. */
static inline uint64_t nibbles(const struct reading *r)
{
	return load(r->codes + (r->nibble >> 1), 8) >> (r->nibble & 1) * 4;
}

/* One slot: its value, also stored where it belongs. */
static ALWAYS uint64_t decode_slot(struct reading *r, struct shape *x, struct step *s, unsigned code, uint8_t *at)
{
	uint64_t v;
	switch (s->kind) {
	case STEP_ADDRESS:
		v = decode_address(r, s, code);
		memcpy(at, &v, 8);
		break;
	case STEP_VALUE8:
		v = decode_value(r, s, code, 8);
		memcpy(at, &v, 8);
		break;
	case STEP_VALUE4:
		v = decode_value(r, s, code, 4);
		memcpy(at, &v, 4);
		break;
	case STEP_VALUE:                        /* 1 or 2 bytes */
		v = decode_value(r, s, code, s->size);
		memcpy(at, &v, s->size == 2 ? 2 : 1);
		break;
	case STEP_PLAIN:
		v = decode_plain(r, s, code);
		branched(&r->p->state, x, v);
		memcpy(at, &v, s->size);
		break;
	default:
		v = decode_way(r, s, x, code);
		*at = (uint8_t)v;
		break;
	}
	return v;
}

/* Nibbles behind the one of its head: up to 14 of them in `codes`; 0: all are foretold, and none is there. */
static void decode_group(struct reading *r, struct shape *x, bool foretold, uint64_t codes, uint8_t *record)
{
	struct state *t = &r->p->state;
	uint8_t *payload = record + 8;
	struct step *s = x->steps;
	unsigned had = 14, left = had;
	follow(t, x);
	memcpy(record, &x->key, 8);
	for (unsigned i = 0; i < x->gap_count; i++)
		memset(payload + x->plan->gaps[i].word * 8u, 0, 8);
	for (unsigned i = 1; i <= x->step_count; i++, s++) {
		if (s->kind == STEP_NOTE) {
			*shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift) = narrow(t->registers[s->from], s->size);
			continue;
		}
		if (s->kind == STEP_NOTE_CONST) {
			*shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift) = s->bits;
			continue;
		}
		if (__builtin_expect(left == 0, 0)) {
			r->nibble += foretold ? 0 : had;
			codes = foretold ? 0 : nibbles(r);
			had = left = 15;
		}
		t->registers[i] = decode_slot(r, x, s, codes & 15, payload + s->at);
		codes >>= 4;
		left--;
	}
	r->nibble += foretold ? 0 : had - left;
}

static inline uint64_t take_folded(struct reading *r, unsigned code)
{
	return code ? unfold(take(r, REST, code > 8 ? 8 : code)) : 0;
}

static void decode_words(struct reading *r, struct shape *x, bool foretold, uint64_t codes, uint64_t w[5])
{
	struct state *t = &r->p->state;
	bool atomic = x->atomic;
	unsigned code[5] = { codes & 15, codes >> 4 & 15, codes >> 8 & 15, codes >> 12 & 15, codes >> 16 & 15 };
	follow(t, x);
	r->nibble += foretold ? 0 : 5;
	uint64_t object = (x->object + x->object_stride + take_folded(r, code[0])) & MASK48;
	uint64_t arg = atomic ? *shadow_at(t, object, 3) : x->arg + x->arg_stride;
	w[0] = (x->key & ~MASK48) | object;
	w[1] = arg + take_folded(r, code[1]);
	uint64_t *version = version_of(t, x->key, object, w[1]), last = *version;
	w[2] = version_foretold(t, last);
	if (code[2] == VERSION_NONE)
		w[2] = 0;
	else if (code[2] == VERSION_STRIPE && t->total)
		w[2] = last + 2;
	else
		w[2] += take_folded(r, code[2]);
	w[3] = third_foretold(t, x, w);
	if (code[3] == WRITTEN_DELTA)
		w[3] += x->time_delta;
	else
		w[3] += take_folded(r, code[3]);
	w[4] = (x->top + take_folded(r, code[4])) << 48 | (x->key & MASK48);
	note_control(t, x, w, version);
}

/* Word by word: gathered first and copied whole, they are waited for. */
static inline void word_is(uint8_t *record, unsigned i, uint64_t word)
{
	memcpy(record + 8 * i, &word, 8);
}

/* A plain access of a steered run. */
static size_t decode_plain_access(struct reading *r, struct shape *x, bool foretold, uint64_t codes, uint8_t *record, size_t room)
{
	struct state *t = &r->p->state;
	struct step *value = &x->steps[1];
	if (room < RECORD_WORDS * 8)
		return 0;
	follow(t, x);
	r->nibble += foretold ? 0 : 3;
	uint64_t address = address_from(r, place_foretold(t, x), codes & 15) & MASK48;
	placed(t, x, address);
	t->registers[1] = address;
	word_is(record, 0, RECORD_CONTROL | (uint64_t)(EV_READ | (x->key >> 48 & 1)) << 48 | address);
	word_is(record, 1, value->size == 8 ? decode_value(r, value, codes >> 4 & 15, 8) : decode_value(r, value, codes >> 4 & 15, value->size));
	uint64_t number = t->time + 2 + take_folded(r, codes >> 8 & 15);
	word_is(record, 2, number);
	word_is(record, 3, value->shift | (x->key >> 57 & (PLAIN_NTH - 1)) << 8);
	word_is(record, 4, x->key & MASK48);
	t->time = RECORD_NUMBER(number);
	return RECORD_WORDS * 8;
}

/* Bytes of the record; 0: no room for it. */
static size_t decode_control(struct reading *r, struct shape *x, bool foretold, uint64_t codes, uint8_t *record, size_t room)
{
	uint64_t w[5];
	if (x->plain)
		return decode_plain_access(r, x, foretold, codes, record, room);
	decode_words(r, x, foretold, codes, w);
	size_t payload = x->key >> 56 & RECORD_PAYLOAD ? w[4] >> 48 : 0, padded = (payload + 7) / 8 * 8;
	if (room < sizeof w || padded > room - sizeof w)
		return 0;
	memcpy(record, w, sizeof w);
	memcpy(record + sizeof w, r->at[REST], payload);
	memset(record + sizeof w + payload, 0, padded - payload);
	r->at[REST] += payload;
	return sizeof w + padded;
}

/* A shape named for the first time; NULL: its key names nothing. */
static struct shape *decode_new(struct reading *r, struct sites *s)
{
	struct state *t = &r->p->state;
	uint64_t key = take(r, HEADS, 8);
	if (shape_find(t, key))
		return NULL;
	if (key & RECORD_CONTROL)
		return shape_new(t, key, NULL);
	const struct plan *plan = known_plan(s, key);
	return plan ? shape_new(t, key, plan) : NULL;
}

static struct shape *decode_head(struct reading *r, struct sites *s, unsigned head)
{
	struct state *t = &r->p->state;
	if (head <= HEAD_NEXT)
		return *t->next;
	if (head == HEAD_NEW)
		return decode_new(r, s);
	if (head > HEAD_ID32)
		return NULL;
	uint64_t id = take(r, HEADS, 1u << (head - HEAD_ID8));
	return id < t->shapes.count ? t->shapes.at[id] : NULL;
}

static size_t decode_raw(struct reading *r, struct sites *s, uint8_t *record, size_t room, struct site **site)
{
	size_t have = (size_t)(r->p->streams[REST].end - r->at[REST]);
	size_t bytes = record_bytes(s, r->at[REST], have < room ? have : room, site);
	memcpy(record, r->at[REST], bytes);
	r->at[REST] += bytes;
	return bytes;
}

/* Bytes of the next record; 0: damaged. */
static inline size_t decode_record(struct reading *r, struct sites *s, uint8_t *record, size_t room, uint32_t *number)
{
	uint64_t codes = nibbles(r);
	unsigned head = codes & 15;
	struct site *site;
	r->nibble++;
	codes = head == HEAD_ALL ? 0 : codes >> 4;
	*number = RECORD_IS_CONTROL;
	if (head == HEAD_RAW) {
		size_t bytes = decode_raw(r, s, record, room, &site);
		if (site)
			*number = site->number;
		return bytes;
	}
	struct shape *x = decode_head(r, s, head);
	if (!x)
		return 0;
	if (!x->plan)
		return decode_control(r, x, head == HEAD_ALL, codes, record, room);
	if (x->bytes > room)
		return 0;
	*number = x->plan->site->number;
	decode_group(r, x, head == HEAD_ALL, codes, record);
	return x->bytes;
}

static const char *open_streams(struct foretell *p, struct reading *r, const uint8_t *stored, size_t stored_count, size_t count)
{
	struct foretell_head head;
	size_t at = sizeof head;
	if (stored_count < sizeof head)
		return "is too short";
	memcpy(&head, stored, sizeof head);
	if (!p->unpress)
		p->unpress = ZSTD_createDCtx();
	check(p->unpress);
	for (int i = 0; i < STREAMS; i++) {
		size_t raw = head.streams[i].raw, bytes = head.streams[i].stored;
		if (raw > 2 * count + 256 || bytes > raw || bytes > stored_count - at)
			return "names an impossible stream";
		stream_begin_zero(&p->streams[i], raw + PAD, raw);
		uint8_t *into = p->streams[i].bytes;
		if (bytes == raw)
			memcpy(into, stored + at, raw);
		else if (ZSTD_decompressDCtx(p->unpress, into, raw, stored + at, bytes) != raw)
			return "has a stream that does not decode";
		p->streams[i].end = into + raw;
		r->at[i] = into;
		at += bytes;
	}
	r->codes = p->streams[CODES].bytes;
	r->nibble_count = 2ull * (size_t)(p->streams[CODES].end - r->codes);
	return at == stored_count ? NULL : "has bytes behind its streams";
}

static inline bool ran_over(const struct reading *r)
{
	const struct stream *s = r->p->streams;
	return r->nibble > r->nibble_count || r->at[ADDRESSES] > s[ADDRESSES].end || r->at[VALUES] > s[VALUES].end ||
		r->at[REST] > s[REST].end || r->at[HEADS] > s[HEADS].end;
}

int foretell_decode(struct foretell *p, struct sites *s, const uint8_t *stored, size_t stored_count, size_t count,
	struct decoded *out, struct err *why)
{
	struct reading r = { .p = p };
	const char *fault = open_streams(p, &r, stored, stored_count, count);
	if (fault)
		return err_set(why, "its coded data %s", fault);
	foretell_reset(&p->state, count);
	for (size_t at = 0; at < count;) {
		uint32_t number;
		size_t bytes = decode_record(&r, s, out->bytes + at, count - at, &number);
		if (bytes == 0 || ran_over(&r)) {
			out->count = at;
			return err_set(why, "its coded data makes no sense at record byte %zu", at);
		}
		out->records[out->record_count++] = (struct record_ref){ (uint32_t)at, number };
		at += bytes;
	}
	return 0;
}
