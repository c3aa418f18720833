/* trace/predict.c -- the predicting coder: what can be foretold from the same block is not stored.
 *
 * Encoder and decoder walk the records side by side and keep the same state, empty at the start of a block:
 *   shapes   every descriptor, and every (kind, flags, code address) of control records, met so far; each remembers which
 *            shape followed it, per way of its branch, and for each slot what it held last and by how much it moved;
 *   shadow   what this thread last saw at an address: a table without tags, indexed by a hash of the address;
 *   recent   the last four 8-byte values, because an address is often a pointer just loaded.
 * Each record gives one nibble (HEAD_*) and, unless everything was foretold, one nibble per slot; what was not foretold
 * goes as a residual of the length the nibble says into one of the streams:
 *   CODES nibbles   ADDRESSES residuals of addresses   VALUES of values   HEADS shapes not foretold
 *   REST residuals of control records, their payload, raw records
 * Each stream is stored as it is or by zstd, whichever is clearly smaller.  docs/trace-format.md lists the nibbles.
 *   (1) the decoder never reads outside a stream: each has PAD zero bytes behind it, more than one record can take, and is
 *       checked after every record;
 *   (2) a record with anything in the gaps of its plan is stored raw; records without a plan make encode give up. */
#include <string.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "trace/codec.h"
#include "trace/plan.h"
#include "wire/kinds.h"

#define PAD          (PLAN_STEPS * 8u + 66000u) /* a raw control record has up to 64 KB */
#define SHADOW_MOST  16u                        /* log2 */
#define ZSTD_LEVEL   1
#define SAMPLE       16384u
#define ALWAYS       inline __attribute__((always_inline))
#define MASK48       RECORD_ADDRESS_MASK

enum { CODES, ADDRESSES, VALUES, REST, HEADS, STREAMS };

enum { HEAD_ALL, HEAD_NEXT, HEAD_ID8, HEAD_ID16, HEAD_ID32, HEAD_NEW, HEAD_RAW };

/* nibbles of slots: 0 foretold, 1..8 that many bytes; the others by kind of slot */
enum { ADDRESS_BY8 = 9 /* 9,10,11: 1..3 bytes of residual/8 */, ADDRESS_RECENT = 12 /* ..15 */ };
enum { VALUE_STRIDE = 9, VALUE_LAST = 10 /* 10..13: 1..4 bytes */, VALUE_TOP2 = 14, VALUE_TOP4 = 15 };
enum { WAY_BYTE = 15 };
enum { VERSION_NONE = 9, WRITTEN_DELTA = 9 };

struct predict_head { struct { uint32_t raw, stored; } streams[STREAMS]; };

struct shape {
	uint64_t key;
	const struct plan *plan;                /* NULL: a control record */
	struct shape *next[2];                  /* what followed, per way of its branch */
	bool told;                              /* encoder: the decoder knows it */
	uint32_t id, bytes;                     /* bytes of a group record, header word included */
	uint32_t events;
	uint16_t step_count, coded, gap_count;  /* as in the plan */
	/* control records */
	uint64_t object, object_stride, object_delta, arg, arg_stride, time_delta, top;
	struct step steps[];
};

struct stream { uint8_t *bytes, *at, *end; size_t room; };

struct state {
	struct arena arena;
	struct shape *start;                    /* stands before the first record */
	struct shape **next;                    /* where the last record keeps what follows it */
	VEC(struct shape *) shapes;
	struct { uint64_t key; struct shape *shape; } *table;
	size_t table_room, table_count;
	uint32_t told;                          /* encoder: shapes the decoder knows */
	uint64_t *shadow, shadow_mask;
	uint64_t recent[4];
	unsigned recent_at;
	uint64_t time;
	uint64_t versions[VERSION_STRIPES + 1];
	uint64_t registers[PLAN_STEPS + 2];
};

struct predict {
	struct state state;
	struct stream streams[STREAMS];
	uint64_t nibbles;                       /* not yet in CODES */
	unsigned nibble_shift;
	uint8_t *stored;
	size_t stored_room;
	ZSTD_CCtx *press;
	ZSTD_DCtx *unpress;
};

/* ---- state ---- */

struct predict *predict_new(void)
{
	return mem_take(sizeof(struct predict));
}

void predict_free(struct predict *p)
{
	if (!p)
		return;
	arena_release(&p->state.arena);
	vec_release(&p->state.shapes);
	mem_free(p->state.table);
	mem_free(p->state.shadow);
	for (int i = 0; i < STREAMS; i++)
		mem_free(p->streams[i].bytes);
	mem_free(p->stored);
	ZSTD_freeCCtx(p->press);
	ZSTD_freeDCtx(p->unpress);
	mem_free(p);
}

static void state_reset(struct state *s, size_t count)
{
	unsigned bits = 8;
	while (bits < SHADOW_MOST && (8ull << bits) < count)
		bits++;
	if (!s->shadow)
		s->shadow = mem_take(8ull << SHADOW_MOST);
	memset(s->shadow, 0, 8ull << bits);
	s->shadow_mask = (1ull << bits) - 1;
	if (!s->table_room) {
		s->table_room = 512;
		s->table = mem_take(s->table_room * sizeof *s->table);
	}
	memset(s->table, 0, s->table_room * sizeof *s->table);
	s->table_count = 0;
	arena_release(&s->arena);
	vec_clear(&s->shapes);
	memset(s->recent, 0, sizeof s->recent);
	memset(s->versions, 0, sizeof s->versions);
	memset(s->registers, 0, sizeof s->registers);
	s->recent_at = s->told = 0;
	s->time = 0;
	s->start = arena_take(&s->arena, sizeof *s->start);
	s->next = &s->start->next[0];
}

static struct shape **table_cell(const struct state *s, uint64_t key)
{
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 40) & (s->table_room - 1);
	while (s->table[at].shape && s->table[at].key != key)
		at = (at + 1) & (s->table_room - 1);
	s->table[at].key = key;
	return &s->table[at].shape;
}

static void table_grow(struct state *s)
{
	mem_free(s->table);
	s->table_room *= 2;
	s->table = mem_take(s->table_room * sizeof *s->table);
	for (size_t i = 0; i < s->shapes.count; i++)
		*table_cell(s, s->shapes.at[i]->key) = s->shapes.at[i];
}

static struct shape *shape_new(struct state *s, uint64_t key, const struct plan *plan)
{
	size_t steps = plan ? plan->step_count : 0;
	struct shape *x = arena_take(&s->arena, sizeof *x + steps * sizeof *x->steps);
	x->key = key;
	x->plan = plan;
	x->id = (uint32_t)s->shapes.count;
	x->bytes = plan ? 8u + plan->site->payload : RECORD_WORDS * 8;
	x->events = plan ? plan->site->event_count : 1;
	x->step_count = (uint16_t)steps;
	x->coded = plan ? plan->coded : 5;
	x->gap_count = plan ? plan->gap_count : 0;
	if (steps)
		memcpy(x->steps, plan->steps, steps * sizeof *x->steps);
	vec_push(&s->shapes, x);
	if (++s->table_count * 2 > s->table_room)
		table_grow(s);
	*table_cell(s, key) = x;
	return x;
}

static inline uint64_t *shadow_at(struct state *s, uint64_t address, unsigned shift)
{
	uint64_t mixed = (address >> 16) * 0x9e3779b97f4a7c15ull >> 48;
	return &s->shadow[(address >> shift ^ mixed) & s->shadow_mask];
}

/* x is the record after the last one; a branch in it will choose between its two memories (branched). */
static inline void follow(struct state *s, struct shape *x)
{
	*s->next = x;
	s->next = &x->next[0];
}

static inline void branched(struct state *s, struct shape *x, uint64_t way)
{
	s->next = &x->next[way & 1];
}

/* ---- numbers ---- */

static inline uint64_t load(const uint8_t *at, unsigned size)
{
	uint64_t word;
	memcpy(&word, at, 8);
	return size == 8 ? word : word & ((1ull << 8 * size) - 1);
}

static inline uint64_t narrow(uint64_t v, unsigned size)
{
	return size == 8 ? v : v & ((1ull << 8 * size) - 1);
}

/* The difference of two numbers of `size` bytes as a small positive one, and back. */
static inline uint64_t fold(uint64_t difference, unsigned size)
{
	unsigned up = 64 - 8 * size;
	int64_t d = (int64_t)(difference << up) >> up;
	return (uint64_t)d << 1 ^ (uint64_t)(d >> 63);
}

static inline uint64_t unfold(uint64_t folded)
{
	return folded >> 1 ^ -(folded & 1);
}

static inline unsigned length(uint64_t v)               /* bytes, 1..8; 1 for 0 */
{
	return (71u - (unsigned)__builtin_clzll(v | 1)) >> 3;
}

/* What the slot holds now, for the next time: the stride changes when a movement is seen twice. */
static inline void moved(struct step *s, uint64_t v)
{
	uint64_t d = v - s->last;
	if (d == s->delta)
		s->stride = d;
	s->delta = d;
	s->last = v;
}

/* ---- streams out ---- */

static void stream_begin(struct stream *s, size_t room)
{
	if (s->room < room) {
		mem_free(s->bytes);
		s->room = room;
		s->bytes = mem_take(room);
	}
	s->at = s->bytes;
	s->end = s->bytes + room;
}

static inline void put(struct stream *s, uint64_t v, unsigned bytes)
{
	memcpy(s->at, &v, 8);
	s->at += bytes;
}

static inline void put_nibbles(struct predict *p, uint64_t nibbles, unsigned count)     /* count 1..16 */
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

static unsigned missed_address(struct predict *p, uint64_t a, uint64_t residual)
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
	if (!(residual & 7) && small < bytes && small <= 3) {
		put(out, eighth, small);
		return ADDRESS_BY8 + small - 1;
	}
	put(out, whole, bytes);
	return bytes;
}

static inline unsigned encode_address(struct predict *p, struct step *s, uint64_t a)
{
	uint64_t residual = a - (s->last + s->stride);
	unsigned code = 0;
	if (__builtin_expect(residual != 0, 0))
		code = missed_address(p, a, residual);
	moved(s, a);
	return code;
}

static ALWAYS unsigned missed_value(struct predict *p, struct step *s, uint64_t v, uint64_t shadow, unsigned size)
{
	struct stream *out = &p->streams[VALUES];
	unsigned code;
	if (v == narrow(s->last + s->stride, size)) {
		moved(s, v);
		return VALUE_STRIDE;
	}
	uint64_t by_shadow = fold(v - shadow, size), by_last = fold(v - s->last, size);
	unsigned bytes = length(by_shadow), other = length(by_last);
	if (size == 8 && bytes > 2 && other > 2 && !(v & 0xffffffffffffull)) {
		put(out, v >> 48, 2);
		code = VALUE_TOP2;
	} else if (other < bytes && other <= 4) {
		put(out, by_last, other);
		code = VALUE_LAST + other - 1;
	} else if (size == 8 && bytes > 4 && !(v & 0xffffffff)) {
		put(out, v >> 32, 4);
		code = VALUE_TOP4;
	} else if (bytes == 8) {
		put(out, v, 8);
		code = 8;
	} else {
		put(out, by_shadow, bytes);
		code = bytes;
	}
	moved(s, v);
	return code;
}

static ALWAYS unsigned encode_value(struct predict *p, struct step *s, uint64_t v, unsigned size)
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

/* Ways of a branch: last holds the latest ways, one bit each; stride is what followed each pattern of four of them. */
static inline bool way_foretold(const struct step *s)
{
	return s->stride >> (s->last & 15) & 1;
}

static inline void way_taken(struct step *s, unsigned way)
{
	uint64_t bit = 1ull << (s->last & 15);
	s->stride = way & 1 ? s->stride | bit : s->stride & ~bit;
	s->last = s->last << 1 | (way & 1);
}

static inline unsigned encode_way(struct predict *p, struct step *s, struct shape *x, uint64_t v)
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
static inline uint64_t encode_steps(struct predict *p, struct shape *x, const uint8_t *payload, uint64_t *codes)
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

static void put_head(struct predict *p, const struct shape *x, enum named named)
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

static inline void put_record(struct predict *p, const struct shape *x, enum named named, const uint64_t *codes, unsigned count,
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

static void put_raw(struct predict *p, const uint8_t *record, size_t bytes)
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

/* How to code a group met for the first time; NULL: not a record we know. */
static const struct plan *known_plan(struct sites *s, uint64_t key)
{
	struct site *site = sites_find(s, key);
	return site ? plan_of(s, site) : NULL;
}

/* Bytes of the record; 0: not a record we know. */
static inline size_t encode_group(struct predict *p, struct sites *s, const uint8_t *record, size_t room, uint64_t key,
	uint64_t *events)
{
	struct state *t = &p->state;
	struct shape *x = *t->next;
	enum named named = BY_CONTEXT;
	if (!x || x->key != key) {
		x = *table_cell(t, key);
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

static bool is_atomic(uint64_t key)
{
	uint64_t kind = key >> 48 & 127;
	return kind >= EV_ALOAD && kind <= EV_FENCE;
}

static uint64_t *version_of(struct state *t, uint64_t key, uint64_t object, uint64_t arg)
{
	uint64_t kind = key >> 48 & 127;
	if (kind >= EV_ALLOC && kind <= EV_TLS)
		return &t->versions[VERSION_STRIPES];
	return &t->versions[stripe_of(kind == EV_CWAIT || kind == EV_CWAKE ? arg & MASK48 : object)];
}

static unsigned put_folded(struct stream *out, uint64_t difference)
{
	uint64_t folded = fold(difference, 8);
	unsigned bytes = length(folded);
	put(out, folded, bytes);
	return bytes;
}

static void object_moved(struct shape *x, uint64_t object)
{
	uint64_t d = object - x->object;
	if (d == x->object_delta)
		x->object_stride = d;
	x->object_delta = d;
	x->object = object;
}

/* The five nibbles of a control record: object, arg, version, time or value written, upper part of the last word. */
static uint64_t encode_control(struct predict *p, struct shape *x, const uint64_t w[5])
{
	struct state *t = &p->state;
	struct stream *out = &p->streams[REST];
	bool atomic = is_atomic(x->key);
	uint64_t object = w[0] & MASK48, codes = 0, top = w[4] >> 48;
	uint64_t foretold = (x->object + x->object_stride) & MASK48;
	if (object != foretold)
		codes |= put_folded(out, object - foretold);
	uint64_t *shadow = shadow_at(t, object, 3);
	uint64_t arg = atomic ? *shadow : x->arg + x->arg_stride;
	if (w[1] != arg)
		codes |= (uint64_t)put_folded(out, w[1] - arg) << 4;
	uint64_t *version = version_of(t, x->key, object, w[1]);
	if (w[2] == 0)
		codes |= VERSION_NONE << 8;
	else if (w[2] != *version + 2)
		codes |= (uint64_t)put_folded(out, w[2] - *version - 2) << 8;
	uint64_t base = atomic ? w[1] : t->time;
	if (w[3] == base + x->time_delta)
		codes |= WRITTEN_DELTA << 12;
	else if (w[3] != base)
		codes |= (uint64_t)put_folded(out, w[3] - base) << 12;
	if (top != x->top)
		codes |= (uint64_t)put_folded(out, top - x->top) << 16;
	return codes;
}

/* What both sides remember of a control record. */
static void note_control(struct state *t, struct shape *x, const uint64_t w[5])
{
	bool atomic = is_atomic(x->key);
	uint64_t object = w[0] & MASK48;
	if (w[2])
		*version_of(t, x->key, object, w[1]) = w[2];
	object_moved(x, object);
	x->arg_stride = w[1] - x->arg;
	x->arg = w[1];
	x->time_delta = w[3] - (atomic ? w[1] : t->time);
	x->top = w[4] >> 48;
	if (atomic)
		*shadow_at(t, object, 3) = w[3];
	else
		t->time = w[3];
}

static size_t encode_control_record(struct predict *p, const uint8_t *record, size_t room, uint64_t first)
{
	struct state *t = &p->state;
	uint64_t w[5];
	if (room < sizeof w)
		return 0;
	memcpy(w, record, sizeof w);
	size_t payload = first >> 56 & RECORD_PAYLOAD ? w[4] >> 48 : 0, padded = (payload + 7) / 8 * 8;
	if (padded > room - sizeof w)
		return 0;
	for (size_t i = payload; i < padded; i++)
		if (record[sizeof w + i]) {
			put_raw(p, record, sizeof w + padded);
			return sizeof w + padded;
		}
	uint64_t key = (first & ~MASK48) | (w[4] & MASK48);
	struct shape *x = *table_cell(t, key);
	enum named named = x == *t->next ? BY_CONTEXT : BY_ID;
	if (!x) {
		x = shape_new(t, key, NULL);
		named = tell(t, x);
	}
	follow(t, x);
	uint64_t codes = encode_control(p, x, w);
	put_record(p, x, named, &codes, 5, codes != 0);
	note_control(t, x, w);
	memcpy(p->streams[REST].at, record + sizeof w, payload);
	p->streams[REST].at += payload;
	return sizeof w + padded;
}

/* ---- streams into the block ---- */

/* Is a piece of it worth compressing? */
static bool worth_it(struct predict *p, const struct stream *s, size_t count, uint8_t *scratch, size_t room)
{
	if (count < 64)
		return false;
	size_t piece = count < SAMPLE ? count : SAMPLE;
	const uint8_t *from = s->bytes + (count - piece) / 2;
	size_t bytes = ZSTD_compressCCtx(p->press, scratch, room, from, piece, ZSTD_LEVEL);
	return !ZSTD_isError(bytes) && bytes + piece / 8 < piece;
}

static size_t store_streams(struct predict *p, const uint8_t **stored)
{
	struct predict_head head;
	size_t need = sizeof head, at = sizeof head;
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
		if (worth_it(p, s, raw, into, p->stored_room - at))
			bytes = ZSTD_compressCCtx(p->press, into, p->stored_room - at, s->bytes, raw, ZSTD_LEVEL);
		if (ZSTD_isError(bytes) || bytes >= raw) {
			memcpy(into, s->bytes, raw);
			bytes = raw;
		}
		head.streams[i].raw = (uint32_t)raw;
		head.streams[i].stored = (uint32_t)bytes;
		at += bytes;
	}
	memcpy(p->stored, &head, sizeof head);
	*stored = p->stored;
	return at;
}

size_t predict_encode(struct predict *p, struct sites *s, const uint8_t *records, size_t count, const uint8_t **stored,
	uint64_t *events)
{
	if (count > BLOCK_MAX)
		return 0;
	state_reset(&p->state, count);
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
			++*events;
		} else {
			bytes = encode_group(p, s, records + at, count - at, first, events);
		}
		if (bytes == 0)
			return 0;
		at += bytes;
	}
	if (p->nibble_shift)
		put(&p->streams[CODES], p->nibbles, (p->nibble_shift + 7) / 8);
	return store_streams(p, stored);
}

/* ---- decoding ---- */

struct reading {
	struct predict *p;
	const uint8_t *codes;
	size_t nibble, nibble_count;
	const uint8_t *at[STREAMS];
};

static inline unsigned nibble(struct reading *r)
{
	unsigned v = r->codes[r->nibble >> 1] >> (r->nibble & 1) * 4 & 15;
	r->nibble++;
	return v;
}

static inline uint64_t take(struct reading *r, int stream, unsigned bytes)
{
	uint64_t v = load(r->at[stream], bytes);
	r->at[stream] += bytes;
	return v;
}

static inline uint64_t decode_address(struct reading *r, struct step *s, unsigned code)
{
	uint64_t a = s->last + s->stride;
	if (code >= ADDRESS_RECENT)
		a = r->p->state.recent[code - ADDRESS_RECENT] + take(r, ADDRESSES, 1) - 128;
	else if (code >= ADDRESS_BY8)
		a += unfold(take(r, ADDRESSES, code - ADDRESS_BY8 + 1)) << 3;
	else if (code)
		a += unfold(take(r, ADDRESSES, code));
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

static inline void store(uint8_t *at, uint64_t v, unsigned size)
{
	switch (size) {
	case 8: memcpy(at, &v, 8); break;
	case 4: memcpy(at, &v, 4); break;
	case 2: memcpy(at, &v, 2); break;
	default: *at = (uint8_t)v;
	}
}

static void decode_group(struct reading *r, struct shape *x, bool foretold, uint8_t *record)
{
	struct state *t = &r->p->state;
	uint8_t *payload = record + 8;
	struct step *s = x->steps;
	follow(t, x);
	memcpy(record, &x->key, 8);
	for (unsigned i = 0; i < x->gap_count; i++)
		memset(payload + x->plan->gaps[i].word * 8u, 0, 8);
	for (unsigned i = 1; i <= x->step_count; i++, s++) {
		uint64_t v;
		if (s->kind == STEP_NOTE) {
			*shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift) = narrow(t->registers[s->from], s->size);
			continue;
		}
		if (s->kind == STEP_NOTE_CONST) {
			*shadow_at(t, t->registers[s->base] + (uint64_t)s->distance, s->shift) = s->bits;
			continue;
		}
		unsigned code = foretold ? 0 : nibble(r);
		switch (s->kind) {
		case STEP_ADDRESS: v = decode_address(r, s, code); break;
		case STEP_VALUE8:  v = decode_value(r, s, code, 8); break;
		case STEP_VALUE4:  v = decode_value(r, s, code, 4); break;
		case STEP_VALUE:   v = decode_value(r, s, code, s->size); break;
		case STEP_PLAIN:   v = decode_plain(r, s, code); branched(t, x, v); break;
		default:           v = decode_way(r, s, x, code); break;
		}
		t->registers[i] = v;
		store(payload + s->at, v, s->size);
	}
}

static inline uint64_t take_folded(struct reading *r, unsigned code)
{
	return code ? unfold(take(r, REST, code > 8 ? 8 : code)) : 0;
}

static void decode_words(struct reading *r, struct shape *x, bool foretold, uint64_t w[5])
{
	struct state *t = &r->p->state;
	bool atomic = is_atomic(x->key);
	unsigned code[5] = { 0 };
	follow(t, x);
	for (int i = 0; i < 5 && !foretold; i++)
		code[i] = nibble(r);
	uint64_t object = (x->object + x->object_stride + take_folded(r, code[0])) & MASK48;
	uint64_t arg = atomic ? *shadow_at(t, object, 3) : x->arg + x->arg_stride;
	w[0] = (x->key & ~MASK48) | object;
	w[1] = arg + take_folded(r, code[1]);
	w[2] = *version_of(t, x->key, object, w[1]) + 2;
	if (code[2] == VERSION_NONE)
		w[2] = 0;
	else
		w[2] += take_folded(r, code[2]);
	w[3] = atomic ? w[1] : t->time;
	if (code[3] == WRITTEN_DELTA)
		w[3] += x->time_delta;
	else
		w[3] += take_folded(r, code[3]);
	w[4] = (x->top + take_folded(r, code[4])) << 48 | (x->key & MASK48);
	note_control(t, x, w);
}

/* Bytes of the record; 0: no room for it. */
static size_t decode_control(struct reading *r, struct shape *x, bool foretold, uint8_t *record, size_t room)
{
	uint64_t w[5];
	decode_words(r, x, foretold, w);
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
	if (*table_cell(t, key))
		return NULL;
	if (key & RECORD_CONTROL)
		return shape_new(t, key, NULL);
	struct site *site = sites_find(s, key);
	const struct plan *plan = site ? plan_of(s, site) : NULL;
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
	unsigned head = nibble(r);
	struct site *site;
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
		return decode_control(r, x, head == HEAD_ALL, record, room);
	if (x->bytes > room)
		return 0;
	*number = x->plan->site->number;
	decode_group(r, x, head == HEAD_ALL, record);
	return x->bytes;
}

static const char *open_streams(struct predict *p, struct reading *r, const uint8_t *stored, size_t stored_count)
{
	struct predict_head head;
	size_t at = sizeof head;
	if (stored_count < sizeof head)
		return "is too short";
	memcpy(&head, stored, sizeof head);
	if (!p->unpress)
		p->unpress = ZSTD_createDCtx();
	check(p->unpress);
	for (int i = 0; i < STREAMS; i++) {
		size_t raw = head.streams[i].raw, bytes = head.streams[i].stored;
		if (raw > 2ull * BLOCK_MAX || bytes > raw || bytes > stored_count - at)
			return "names an impossible stream";
		stream_begin(&p->streams[i], raw + PAD);
		uint8_t *into = p->streams[i].bytes;
		if (bytes == raw)
			memcpy(into, stored + at, raw);
		else if (ZSTD_decompressDCtx(p->unpress, into, raw, stored + at, bytes) != raw)
			return "has a stream that does not decode";
		memset(into + raw, 0, PAD);
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

int predict_decode(struct predict *p, struct sites *s, const uint8_t *stored, size_t stored_count, size_t count,
	struct decoded *out, struct err *why)
{
	struct reading r = { .p = p };
	const char *fault = open_streams(p, &r, stored, stored_count);
	if (fault)
		return err_set(why, "its coded data %s", fault);
	state_reset(&p->state, count);
	for (size_t at = 0; at < count;) {
		uint32_t number;
		size_t bytes = decode_record(&r, s, out->bytes + at, count - at, &number);
		if (bytes == 0 || ran_over(&r))
			return err_set(why, "its coded data makes no sense at record byte %zu", at);
		out->records[out->record_count++] = (struct record_ref){ (uint32_t)at, number };
		at += bytes;
	}
	return 0;
}
