/* trace/foretell_encode.c -- the foretelling coder, writing: foretell.c says how it works. */
#include "trace/foretell.h"

#include "base/unpack.h"

#define ZSTD_LEVEL   (-5)         /* foretold streams hold little: a better level takes twice the time for a tenth of the bytes */
#define SAMPLE       16384u                     /* bytes tried before a whole stream is compressed */
#define RETRY        8u                         /* blocks before a stream that does not shrink is tried again */
#define TRUST_SHRINKS 255u

/* ---- streams ---- */

static inline void put(struct stream *s, uint64_t v, unsigned bytes)
{
	memcpy(s->at, &v, 8);
	s->at += bytes;
}

static inline void put_nibbles(struct foretell *p, uint64_t nibbles, unsigned count)     /* count 1..16 */
{
	p->nibbles |= nibbles << p->nibble_shift;
	unsigned shift = p->nibble_shift + 4 * count;
	if (shift >= 64) {
		put(&p->streams[CODES], p->nibbles, 8);
		p->nibbles = p->nibble_shift ? nibbles >> (64 - p->nibble_shift) : 0;
		shift -= 64;
	}
	p->nibble_shift = shift;
}

/* ---- encoding slots: each gives its nibble ---- */

static unsigned missed_address(struct foretell *p, uint64_t a, uint64_t residual)
{
	struct state *t = &p->state;
	struct stream *out = &p->streams[ADDRESSES];
	for (unsigned k = 0; k < 4; k++) {
		uint64_t d = a - t->recent[k] + 128;
		if (d < 256) {
			put(out, d, 1);
			return ADDRESS_RECENT + k;
		}
	}
	uint64_t whole = fold(residual, 8), eighth = fold((uint64_t)((int64_t)residual >> 3), 8);
	unsigned bytes = length(whole), small = length(eighth);
	bool by8 = !(residual & 7) & (small < bytes) & (small <= 3);    /* no branch: nobody could foretell it */
	put(out, by8 ? eighth : whole, by8 ? small : bytes);
	return by8 ? ADDRESS_BY8 + small - 1 : bytes;
}

static inline unsigned encode_address(struct foretell *p, struct step *s, uint64_t a)
{
	uint64_t residual = a - (s->last + s->stride);
	unsigned code = 0;
	if (__builtin_expect(residual != 0, 0))
		code = missed_address(p, a, residual);
	moved(s, a);
	return code;
}

static ALWAYS unsigned missed_value(struct foretell *p, struct step *s, uint64_t v, uint64_t shadow, unsigned size)
{
	struct stream *out = &p->streams[VALUES];
	unsigned code;
	if (v == narrow(s->last + s->stride, size)) {
		moved(s, v);
		return VALUE_STRIDE;
	}
	uint64_t by_shadow = fold(v - shadow, size), by_last = fold(v - s->last, size);
	unsigned bytes = length(by_shadow), other = length(by_last);
	bool last = (other < bytes) & (other <= 4);             /* no branch: nobody could foretell it */
	unsigned best = last ? other : bytes;
	if (size == 8 && best > 2 && !(v & 0xffffffffffffull)) {
		put(out, v >> 48, 2);
		code = VALUE_TOP2;
	} else if (size == 8 && best > 4 && !(v & 0xffffffff)) {
		put(out, v >> 32, 4);
		code = VALUE_TOP4;
	} else if (size == 8 && best == 8) {
		put(out, v, 8);
		code = 8;
	} else {
		put(out, last ? by_last : by_shadow, best);
		code = last ? VALUE_LAST + best - 1 : best;
	}
	moved(s, v);
	return code;
}

static ALWAYS unsigned encode_value(struct foretell *p, struct step *s, uint64_t v, unsigned size)
{
	struct state *t = &p->state;
	uint64_t *slot = shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift);
	uint64_t shadow = narrow(*slot, size);
	*slot = v;
	if (size == 8)
		t->recent[t->recent_at++ & 3] = v;
	return v == shadow ? 0 : missed_value(p, s, v, shadow, size);
}

static unsigned encode_plain(struct stream *out, struct step *s, uint64_t v)
{
	unsigned code = 0;
	if (v != narrow(s->last + s->stride, s->size)) {
		uint64_t residual = fold(v - s->last, s->size);
		code = length(residual);
		put(out, residual, code);
	}
	moved(s, v);
	return code;
}

static inline unsigned encode_way(struct foretell *p, struct step *s, struct shape *x, uint64_t v)
{
	unsigned code = (unsigned)v ^ way_foretold(s);
	if (code >= WAY_BYTE) {
		put(&p->streams[REST], v, 1);
		code = WAY_BYTE;
	}
	way_taken(s, (unsigned)v);
	branched(&p->state, x, v);
	return code;
}

/* ---- encoding records ---- */

/* Nibbles of a group into codes[]; they are all 0 when everything was foretold. */
static inline uint64_t encode_steps(struct foretell *p, struct shape *x, const uint8_t *payload, uint64_t *codes)
{
	struct state *t = &p->state;
	unsigned shift = 0;
	uint64_t any = 0, word = 0;
	struct step *s = x->steps;
	for (unsigned i = 1; i <= x->step_count; i++, s++) {
		uint64_t code, v;
		switch (s->kind) {
		case STEP_ADDRESS:
			v = load(payload + s->at, 8);
			code = encode_address(p, s, v);
			break;
		case STEP_VALUE8:
			v = load(payload + s->at, 8);
			code = encode_value(p, s, v, 8);
			break;
		case STEP_VALUE4:
			v = load(payload + s->at, 4);
			code = encode_value(p, s, v, 4);
			break;
		case STEP_VALUE:
			v = load(payload + s->at, s->size);
			code = encode_value(p, s, v, s->size);
			break;
		case STEP_PLAIN:
			v = load(payload + s->at, s->size);
			code = encode_plain(&p->streams[VALUES], s, v);
			branched(t, x, v);
			break;
		case STEP_WAY:
			v = payload[s->at];
			code = encode_way(p, s, x, v);
			break;
		case STEP_NOTE:
			*shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift) = narrow(t->registers[s->from], s->size);
			continue;
		default:
			*shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift) = s->bits;
			continue;
		}
		t->registers[i] = v;
		word |= code << shift;
		shift += 4;
		if (__builtin_expect(shift == 64, 0)) {
			*codes++ = word;
			any |= word;
			word = shift = 0;
		}
	}
	*codes = word;
	return any | word;
}

enum named { BY_CONTEXT, BY_ID, BY_KEY };       /* how the decoder is told the shape */

static void put_head(struct foretell *p, const struct shape *x, enum named named)
{
	struct stream *heads = &p->streams[HEADS];
	unsigned head = x->id < 256 ? HEAD_ID8 : x->id < 65536 ? HEAD_ID16 : HEAD_ID32;
	if (named == BY_CONTEXT) {
		head = HEAD_NEXT;
	} else if (named == BY_KEY) {
		head = HEAD_NEW;
		put(heads, x->key, 8);
	} else {
		put(heads, x->id, 1u << (head - HEAD_ID8));
	}
	put_nibbles(p, head, 1);
}

static inline void put_record(struct foretell *p, const struct shape *x, enum named named, const uint64_t *codes, unsigned count,
	bool any)
{
	if (__builtin_expect(named == BY_CONTEXT && count < 16, 1)) {
		if (any)
			put_nibbles(p, *codes << 4 | HEAD_NEXT, count + 1);
		else
			put_nibbles(p, HEAD_ALL, 1);
		return;
	}
	if (named == BY_CONTEXT && !any) {
		put_nibbles(p, HEAD_ALL, 1);
		return;
	}
	put_head(p, x, named);
	for (; count; codes++) {
		unsigned some = count < 16 ? count : 16;
		put_nibbles(p, *codes, some);
		count -= some;
	}
}

static void put_raw(struct foretell *p, const uint8_t *record, size_t bytes)
{
	put_nibbles(p, HEAD_RAW, 1);
	memcpy(p->streams[REST].at, record, bytes);
	p->streams[REST].at += bytes;
}

static bool gaps_are_zero(const struct plan *plan, const uint8_t *payload)
{
	for (unsigned i = 0; i < plan->gap_count; i++)
		if (load(payload + plan->gaps[i].word * 8u, 8) & plan->gaps[i].mask)
			return false;
	return true;
}

/* The decoder numbers shapes as it hears of them; one met only in raw records it never does. */
static enum named tell(struct state *t, struct shape *x)
{
	x->told = true;
	x->id = t->told++;
	return BY_KEY;
}

/* Bytes of the record; 0: not a record we know. */
static inline size_t encode_group(struct foretell *p, struct sites *s, const uint8_t *record, size_t room, uint64_t key,
	uint64_t *events)
{
	struct state *t = &p->state;
	struct shape *x = *t->next;
	enum named named = BY_CONTEXT;
	if (!x || x->key != key) {
		x = shape_find(t, key);
		named = BY_ID;
	}
	if (!x) {
		const struct plan *plan = known_plan(s, key);
		if (!plan)
			return 0;
		x = shape_new(t, key, plan);
	}
	if (x->bytes > room)
		return 0;
	uint8_t copy[GROUP_MAX + 8];
	if (__builtin_expect(room - x->bytes < 8, 0))   /* slots are read 8 bytes at a time */
		record = memcpy(copy, record, x->bytes);
	*events += x->events;
	if (x->gap_count && !gaps_are_zero(x->plan, record + 8)) {
		put_raw(p, record, x->bytes);
		return x->bytes;
	}
	follow(t, x);
	uint64_t codes[PLAN_STEPS / 16 + 1];
	uint64_t any = encode_steps(p, x, record + 8, codes);
	if (!x->told)
		named = tell(t, x);
	put_record(p, x, named, codes, x->coded, any != 0);
	return x->bytes;
}

static unsigned put_folded(struct stream *out, uint64_t difference)
{
	uint64_t folded = fold(difference, 8);
	unsigned bytes = length(folded);
	put(out, folded, bytes);
	return bytes;
}

/* The five nibbles of a control record: object, arg, version, time or value written, upper part of the last word. */
static ALWAYS uint64_t encode_control(struct foretell *p, struct shape *x, const uint64_t w[5])
{
	struct state *t = &p->state;
	struct stream *out = &p->streams[REST];
	bool atomic = x->atomic;
	uint64_t object = w[0] & MASK48, codes = 0, top = w[4] >> 48;
	uint64_t foretold = (x->object + x->object_stride) & MASK48;
	if (object != foretold)
		codes |= put_folded(out, object - foretold);
	uint64_t arg = atomic ? *shadow_at(t, object, 3) : x->arg + x->arg_stride;
	if (w[1] != arg)
		codes |= (uint64_t)put_folded(out, w[1] - arg) << 4;
	uint64_t *version = version_of(t, x->key, object, w[1]);
	if (w[2] == 0)
		codes |= VERSION_NONE << 8;
	else if (t->total && w[2] != t->time + 2 && w[2] == *version + 2)
		codes |= VERSION_STRIPE << 8;
	else if (w[2] != version_foretold(t, *version))
		codes |= (uint64_t)put_folded(out, w[2] - version_foretold(t, *version)) << 8;
	uint64_t base = third_foretold(t, x, w);
	if (w[3] != base)
		codes |= (w[3] == base + x->time_delta ? WRITTEN_DELTA : (uint64_t)put_folded(out, w[3] - base)) << 12;
	if (top != x->top)
		codes |= (uint64_t)put_folded(out, top - x->top) << 16;
	note_control(t, x, w, version);
	return codes;
}

/* The key of a plain access; 0: a record that is stored raw, for it has what no runtime writes. */
static inline uint64_t plain_key(const uint64_t w[5])
{
	uint64_t shift = w[3] & 255, nth = w[3] >> 8;
	bool odd = shift > 3 || nth >= PLAIN_NTH || w[4] >> 48 || w[0] >> 55 & 1 || w[1] != narrow(w[1], 1u << (shift & 3));
	return odd ? 0 : RECORD_CONTROL | nth << 57 | shift << 55 | (PLAIN_READ | (w[0] >> 48 & 1)) << 48 | w[4];
}

/* Three nibbles: address, value, number. */
static inline uint64_t encode_plain_access(struct foretell *p, struct shape *x, const uint64_t w[5])
{
	struct state *t = &p->state;
	struct step *value = &x->steps[1];
	uint64_t address = w[0] & MASK48, codes = 0, residual = address - place_foretold(t, x);
	if (residual)
		codes = missed_address(p, address, residual);
	placed(t, x, address);
	t->registers[1] = address;
	switch (value->kind) {
	case STEP_VALUE8: codes |= (uint64_t)encode_value(p, value, w[1], 8) << 4; break;
	case STEP_VALUE4: codes |= (uint64_t)encode_value(p, value, w[1], 4) << 4; break;
	default:          codes |= (uint64_t)encode_value(p, value, w[1], value->size) << 4; break;
	}
	if (w[2] != t->time + 2)
		codes |= (uint64_t)put_folded(&p->streams[REST], w[2] - t->time - 2) << 8;
	t->time = RECORD_NUMBER(w[2]);
	return codes;
}

/* The shape of the next record, as expected, known or new, and how it is named. */
static struct shape *shape_named(struct state *t, uint64_t key, enum named *named)
{
	struct shape *x = shape_find(t, key);
	*named = BY_ID;
	if (!x) {
		x = shape_new(t, key, NULL);
		*named = tell(t, x);
	}
	return x;
}

static ALWAYS struct shape *shape_for(struct state *t, uint64_t key, enum named *named)
{
	struct shape *x = *t->next;
	*named = BY_CONTEXT;
	if (!x || x->key != key)
		x = shape_named(t, key, named);
	follow(t, x);
	return x;
}

static size_t encode_plain_record(struct foretell *p, const uint8_t *record, const uint64_t w[5])
{
	struct state *t = &p->state;
	enum named named;
	uint64_t key = plain_key(w);
	if (!key) {
		put_raw(p, record, RECORD_WORDS * 8);
		return RECORD_WORDS * 8;
	}
	struct shape *x = shape_for(t, key, &named);
	uint64_t codes = encode_plain_access(p, x, w);
	put_record(p, x, named, &codes, 3, codes != 0);
	return RECORD_WORDS * 8;
}

/* A lock taken again as it was, and the like: the same object, the version after the last, the time of the record before. */
static ALWAYS bool encode_repeated(struct foretell *p, const uint64_t w[5])
{
	struct state *t = &p->state;
	struct shape *x = *t->next;
	if (!x || x->key != ((w[0] & ~MASK48) | (w[4] & MASK48)) || !x->version)
		return false;
	uint64_t other = (x->object ^ (w[0] & MASK48)) | x->object_stride | (x->arg ^ w[1]) | x->arg_stride;
	if (other | (*x->version + 2 - w[2]) | (t->time ^ w[3]) | (x->top ^ w[4] >> 48))
		return false;
	*x->version = w[2];
	x->object_delta = x->time_delta = 0;
	follow(t, x);
	put_nibbles(p, HEAD_ALL, 1);
	return true;
}

static size_t encode_control_record(struct foretell *p, const uint8_t *record, size_t room, uint64_t first)
{
	struct state *t = &p->state;
	uint64_t w[5];
	if (room < sizeof w)
		return 0;
	memcpy(w, record, sizeof w);
	if (encode_repeated(p, w))
		return sizeof w;
	if (t->total && kind_is_access(first >> 48 & 127) && !(first >> 56 & 127))
		return encode_plain_record(p, record, w);
	size_t payload = first >> 56 & RECORD_PAYLOAD ? w[4] >> 48 : 0, padded = (payload + 7) / 8 * 8;
	if (padded > room - sizeof w)
		return 0;
	bool odd = t->total && key_is_plain(first);
	for (size_t i = payload; i < padded; i++)
		odd |= record[sizeof w + i] != 0;
	if (odd) {
		put_raw(p, record, sizeof w + padded);
		return sizeof w + padded;
	}
	uint64_t key = (first & ~MASK48) | (w[4] & MASK48);
	enum named named;
	struct shape *x = shape_for(t, key, &named);
	uint64_t codes = encode_control(p, x, w);
	put_record(p, x, named, &codes, 5, codes != 0);
	if (payload) {
		memcpy(p->streams[REST].at, record + sizeof w, payload);
		p->streams[REST].at += payload;
	}
	return sizeof w + padded;
}

/* ---- streams into the block ---- */

/* Is it worth compressing?  What it came to in the block before is believed, what did not shrink is tried again after
 * RETRY blocks.  In a total order a block depends on nothing but what is in it (writer.h). */
static bool worth_it(struct foretell *p, int stream, size_t count, uint8_t *scratch, size_t room)
{
	const struct stream *s = &p->streams[stream];
	uint8_t *trust = &p->trust[stream];
	if (count < 64)
		return false;
	if (p->state.total)
		*trust = 0;
	if (*trust == TRUST_SHRINKS)
		return true;
	if (*trust > 0 && --*trust)
		return false;
	size_t piece = count < SAMPLE ? count : SAMPLE;
	const uint8_t *from = s->bytes + (count - piece) / 2;
	size_t bytes = ZSTD_compressCCtx(p->press, scratch, room, from, piece, ZSTD_LEVEL);
	bool shrinks = !ZSTD_isError(bytes) && bytes + piece / 8 < piece;
	*trust = shrinks ? TRUST_SHRINKS : RETRY;
	return shrinks;
}

/* `count`: bytes of the records. */
static size_t store_streams(struct foretell *p, size_t count, const uint8_t **stored)
{
	struct foretell_head head;
	size_t need = sizeof head, at = sizeof head;
	bool padded = false;                            /* one stream may make the block large enough (base/unpack.h) */
	for (int i = 0; i < STREAMS; i++)
		need += ZSTD_compressBound((size_t)(p->streams[i].at - p->streams[i].bytes));
	if (p->stored_room < need) {
		mem_free(p->stored);
		p->stored_room = need;
		p->stored = mem_take(need);
	}
	if (!p->press)
		p->press = ZSTD_createCCtx();
	check(p->press);
	for (int i = 0; i < STREAMS; i++) {
		const struct stream *s = &p->streams[i];
		size_t raw = (size_t)(s->at - s->bytes), bytes = raw;
		uint8_t *into = p->stored + at;
		if (worth_it(p, i, raw, into, p->stored_room - at))
			bytes = ZSTD_compressCCtx(p->press, into, p->stored_room - at, s->bytes, raw, ZSTD_LEVEL);
		if (p->trust[i] == TRUST_SHRINKS && bytes + raw / 8 >= raw)
			p->trust[i] = 0;
		if (ZSTD_isError(bytes) || bytes >= raw) {
			memcpy(into, s->bytes, raw);
			bytes = raw;
		} else if (!padded && raw > count / UNPACK_RATIO + 64) {
			bytes = unpack_pad(into, bytes, raw, count);
			padded = true;
		}
		head.streams[i].raw = (uint32_t)raw;
		head.streams[i].stored = (uint32_t)bytes;
		at += bytes;
	}
	memcpy(p->stored, &head, sizeof head);
	*stored = p->stored;
	return at;
}

size_t foretell_encode(struct foretell *p, struct sites *s, const uint8_t *records, size_t count, const uint8_t **stored,
	uint64_t *events)
{
	if (count > BLOCK_MAX)
		return 0;
	foretell_reset(&p->state, count);
	for (int i = 0; i < STREAMS; i++)
		stream_begin(&p->streams[i], count * 2 + 256);
	p->nibbles = 0;
	p->nibble_shift = 0;
	*events = 0;
	for (size_t at = 0; at < count;) {
		uint64_t first;
		if (count - at < 8)
			return 0;
		memcpy(&first, records + at, 8);
		size_t bytes;
		if (first & RECORD_CONTROL) {
			bytes = encode_control_record(p, records + at, count - at, first);
			*events += bytes == 0 ? 0 : bytes == RECORD_WORDS * 8 && !(first >> 56 & RECORD_PAYLOAD) ? 1 : control_events(s, records + at);
		} else {
			bytes = encode_group(p, s, records + at, count - at, first, events);
		}
		if (bytes == 0)
			return 0;
		at += bytes;
	}
	if (p->nibble_shift)
		put(&p->streams[CODES], p->nibbles, (p->nibble_shift + 7) / 8);
	return store_streams(p, count, stored);
}
