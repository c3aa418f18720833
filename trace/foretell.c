/* trace/foretell.c -- the foretelling coder: what can be foretold from the same block is not stored.
 *
 * Encoder and decoder walk the records side by side and keep the same state, empty at the start of a block:
 *   shapes   every descriptor, and every (kind, flags, code address) of control records, met so far; each remembers which
 *            shape followed it, per way of its branch, and for each slot what it held last and by how much it moved;
 *   shadow   what this thread last saw at an address: a table without tags, indexed by a hash of the address;
 *   recent   the last four 8-byte values, because an address is often a pointer just loaded.
 * In a trace of total order records carry numbers, which mostly go up by 2, and plain accesses are control records with shapes
 * of their own: one per access of a group.
 * Each record gives one nibble (HEAD_*) and, unless everything was foretold, one nibble per slot; what was not foretold
 * goes as a residual of the length the nibble says into one of the streams:
 *   CODES nibbles   ADDRESSES residuals of addresses   VALUES of values   HEADS shapes not foretold
 *   REST residuals of control records, their payload, raw records
 * Each stream is stored as it is or by zstd, whichever is clearly smaller.  docs/trace-format.md lists the nibbles.
 *   (1) the decoder never reads outside a stream: each has PAD zero bytes behind it, more than one record can take, and is
 *       checked after every record;
 *   (2) a record with anything in the gaps of its plan is stored raw; records without a plan make encode give up. */
#include "trace/foretell.h"

#define SHADOW_MOST  16u                        /* log2 */

struct foretell *foretell_new(enum trace_order order)
{
	struct foretell *p = mem_take(sizeof *p);
	p->state.total = order == ORDER_TOTAL;
	return p;
}

void foretell_free(struct foretell *p)
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

void foretell_reset(struct state *s, size_t count)
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
	s->time = s->place = 0;
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

struct shape *shape_find(const struct state *s, uint64_t key)
{
	return *table_cell(s, key);
}

static void plain_steps(struct shape *x)
{
	uint8_t shift = x->key >> 55 & 3;
	x->steps[0] = (struct step){ .kind = STEP_ADDRESS, .size = 8, .shift = 3 };
	x->steps[1] = (struct step){ .kind = shift == 3 ? STEP_VALUE8 : shift == 2 ? STEP_VALUE4 : STEP_VALUE, .base = 1,
		.size = (uint8_t)(1u << shift), .shift = shift };
}

static bool is_atomic(uint64_t key)
{
	uint64_t kind = key >> 48 & 127;
	return kind >= EV_ALOAD && kind <= EV_FENCE;
}

struct shape *shape_new(struct state *s, uint64_t key, const struct plan *plan)
{
	bool plain = s->total && key & RECORD_CONTROL && key_is_plain(key);
	size_t steps = plan ? plan->step_count : plain ? 2 : 0;
	struct shape *x = arena_take(&s->arena, sizeof *x + steps * sizeof *x->steps);
	x->key = key;
	x->plan = plan;
	x->id = (uint32_t)s->shapes.count;
	x->bytes = plan ? 8u + plan->site->payload : RECORD_WORDS * 8;
	x->events = plan ? plan->site->event_count : 1;
	x->step_count = (uint16_t)steps;
	x->coded = plan ? plan->coded : plain ? 3 : 5;
	x->gap_count = plan ? plan->gap_count : 0;
	x->plain = plain;
	x->atomic = !plan && !plain && is_atomic(key);
	x->alone = !plan && !s->total && !x->atomic && !(key >> 56 & RECORD_PAYLOAD);
	if (plain)
		plain_steps(x);
	else if (steps)
		memcpy(x->steps, plan->steps, steps * sizeof *x->steps);
	vec_push(&s->shapes, x);
	if (++s->table_count * 2 > s->table_room)
		table_grow(s);
	*table_cell(s, key) = x;
	return x;
}

void foretell_each_code(const struct foretell *p, void (*met)(void *with, uint64_t address), void *with)
{
	for (size_t i = 0; i < p->state.shapes.count; i++) {
		const struct shape *x = p->state.shapes.at[i];
		if (x->key & RECORD_CONTROL && !x->plain && !x->atomic)
			met(with, x->key & MASK48);
	}
}

static void stream_reserve(struct stream *s, size_t room)
{
	if (s->room < room) {
		mem_free(s->bytes);
		s->room = room;
		s->bytes = mem_take(room);
		s->used = 0;
	}
	s->at = s->bytes;
	s->end = s->bytes + room;
}

void stream_begin(struct stream *s, size_t room)
{
	stream_reserve(s, room);
	s->used = s->room;
}

void stream_begin_zero(struct stream *s, size_t room, size_t used)
{
	stream_reserve(s, room);
	if (s->used > used)
		memset(s->bytes + used, 0, s->used - used);
	s->used = used;
}

const struct plan *known_plan(struct sites *s, uint64_t key)
{
	struct site *site = sites_find(s, key);
	return site ? plan_of(s, site) : NULL;
}
