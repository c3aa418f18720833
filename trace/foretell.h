/* trace/foretell.h -- the state both halves of the foretelling coder keep: foretell.c holds it, foretell_encode.c and
 * foretell_decode.c walk it side by side.  Nobody else includes this; the door is in codec.h. */
#ifndef RADDLE_TRACE_PREDICT_H
#define RADDLE_TRACE_PREDICT_H

#include <string.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "trace/codec.h"
#include "trace/plan.h"
#include "trace/steered.h"
#include "trace/stripes.h"

#define ALWAYS       inline __attribute__((always_inline))
#define MASK48       RECORD_ADDRESS_MASK

enum { CODES, ADDRESSES, VALUES, REST, HEADS, STREAMS };

enum { HEAD_ALL, HEAD_NEXT, HEAD_ID8, HEAD_ID16, HEAD_ID32, HEAD_NEW, HEAD_RAW };

/* nibbles of slots: 0 foretold, 1..8 that many bytes; the others by kind of slot */
enum { ADDRESS_BY8 = 9 /* 9,10,11: 1..3 bytes of residual/8 */, ADDRESS_RECENT = 12 /* ..15 */ };
enum { VALUE_STRIDE = 9, VALUE_LAST = 10 /* 10..13: 1..4 bytes */, VALUE_TOP2 = 14, VALUE_TOP4 = 15 };
enum { WAY_BYTE = 15 };
enum { VERSION_NONE = 9, VERSION_STRIPE = 10, WRITTEN_DELTA = 9 };

struct foretell_head { struct { uint32_t raw, stored; } streams[STREAMS]; };

struct shape {
	uint64_t key;
	const struct plan *plan;                /* NULL: a control record */
	struct shape *next[2];                  /* what followed, per way of its branch */
	bool told;                              /* encoder: the decoder knows it */
	bool atomic;                            /* control records: its words are those of an atomic operation */
	bool alone;                             /* control records: neither that nor a payload, and it has a time */
	uint32_t id, bytes;                     /* bytes of a group record, header word included */
	uint32_t events;
	uint16_t step_count, coded, gap_count;  /* as in the plan */
	/* control records */
	uint64_t object, object_stride, object_delta, arg, arg_stride, time_delta, top;
	uint64_t *version;                      /* the last one of its stripe; NULL: not met, atomic, with payload, or order total */
	/* plain accesses of a steered run: steps[0] is the address, steps[1] the value */
	bool plain, by_place;                   /* by_place: counting from the access before was right last time */
	uint64_t near;                          /* its distance from the access before */
	struct step steps[];
};

/* Plain accesses of a steered run have shapes of their own, one per access of a group: bits 48..54 of the key are
 * PLAIN_READ or PLAIN_WRITE, which are no kinds, 55 and 56 log2 of the size, 57..62 the nth. */
enum { PLAIN_READ = 112, PLAIN_WRITE = 113, PLAIN_NTH = 64 };
static inline bool key_is_plain(uint64_t key)
{
	return (key >> 48 & 126) == PLAIN_READ;
}

struct stream { uint8_t *bytes, *at, *end; size_t room, used; };           /* used: all behind it is zero */

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
	bool total;                             /* records have numbers */
	uint64_t time;                          /* the last one; total: the last number */
	uint64_t place;                         /* total: the last address of a plain access */
	uint64_t versions[STRIPES];
	uint64_t registers[PLAN_STEPS + 2];
};

struct foretell {
	struct state state;
	struct stream streams[STREAMS];
	uint64_t nibbles;                       /* not yet in CODES */
	unsigned nibble_shift;
	uint8_t trust[STREAMS];                 /* encoder: has it been worth compressing?  foretell_encode.c */
	uint8_t *stored;
	size_t stored_room;
	ZSTD_CCtx *press;
	ZSTD_DCtx *unpress;
};

void foretell_reset(struct state *s, size_t count);              /* for a block of this many bytes */
struct shape *shape_find(const struct state *s, uint64_t key);  /* NULL: not met yet */
struct shape *shape_new(struct state *s, uint64_t key, const struct plan *plan);
void stream_begin(struct stream *s, size_t room);               /* what is in it may be anything */
void stream_begin_zero(struct stream *s, size_t room, size_t used);     /* zero behind these bytes, which are to be filled */
const struct plan *known_plan(struct sites *s, uint64_t key);   /* of a group; NULL: not a record we know */

/* Words of a control record as they are foretold; w has what stands before them. */
static inline uint64_t version_foretold(const struct state *t, uint64_t last_of_stripe)
{
	return (t->total ? t->time : last_of_stripe) + 2;
}

static inline uint64_t third_foretold(const struct state *t, const struct shape *x, const uint64_t w[3])
{
	uint64_t next = t->time + 2;
	if (x->atomic)
		return w[1];
	if (!t->total)
		return t->time;
	if (number_word(x->key >> 48 & 127) == 2)       /* a plain access with payload: which one it is */
		return 0;
	return w[2] == next ? next + 2 : next;
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

/* ---- control records ---- */

/* The version last seen on the stripe. */
static inline uint64_t *version_of(struct state *t, uint64_t key, uint64_t object, uint64_t arg)
{
	return &t->versions[stripe_counting(key >> 48 & 127, object, arg)];
}

static inline void object_moved(struct shape *x, uint64_t object)
{
	uint64_t d = object - x->object;
	if (d == x->object_delta)
		x->object_stride = d;
	x->object_delta = d;
	x->object = object;
}

/* What is remembered of a record; version is its stripe's. */
static inline void note_control(struct state *t, struct shape *x, const uint64_t w[5], uint64_t *version)
{
	uint64_t object = w[0] & MASK48;
	if (w[2])
		*version = w[2];
	object_moved(x, object);
	x->arg_stride = w[1] - x->arg;
	x->arg = w[1];
	x->time_delta = w[3] - third_foretold(t, x, w);
	x->top = w[4] >> 48;
	x->version = x->alone ? version : NULL;
	if (x->atomic)
		*shadow_at(t, object, 3) = w[3];
	else if (!t->total)
		t->time = w[3];
	if (t->total && record_number(w))
		t->time = record_number(w);
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

/* A plain access of a steered run: its address goes on as it did, or lies as far from the access before it as last time. */
static inline uint64_t place_foretold(const struct state *t, const struct shape *x)
{
	return x->by_place ? t->place + x->near : x->steps[0].last + x->steps[0].stride;
}

static inline void placed(struct state *t, struct shape *x, uint64_t address)
{
	struct step *s = &x->steps[0];
	bool own = address == s->last + s->stride, near = address == t->place + x->near;
	if (own != near)
		x->by_place = near;
	x->near = address - t->place;
	t->place = address;
	moved(s, address);
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

#endif
