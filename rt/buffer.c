/* rt/buffer.c -- store buffers: under TSO and PSO a store waits in its strand's buffer until a step of the schedule, or an operation that
 * has to see it in memory, takes it out (docs/memory-models.md).
 *
 * Memory always shows what the running strand sees: its stores are made at once, and the buffer keeps what they replaced.  When
 * another strand comes to run, the buffered stores of the one that leaves are taken back, newest first, and those of the one that comes
 * are made again, oldest first.  So loads of any size, by whatever code, forward from the buffer without being looked at, and a
 * buffer that is empty costs nothing.
 *   (1) `shown` is the strand whose stores are made in memory; all other buffers are not;
 *   (2) memory without the stores of `shown` is what every strand sees in the end: the model's memory;
 *   (3) stores in a buffer stand in program order.  TSO: the oldest leaves first.  PSO: one may overtake older ones it shares no byte
 *       with, but none from before a release fence, and a release store overtakes nothing.  So what leaves lies under what stays, and
 *       for the strand itself nothing changes: a flush of `shown` is only forgotten;
 *   (4) a byte that is not what the buffer put there was written by code nobody watches: that is in memory already, and is left alone.
 *       So it is with stack frames that were left and are used again;
 *   (5) where records are kept, a store that leaves is in `left` until it is one (EV_FLUSH, wire/ring.h): written by whoever runs
 *       next, before anything else it does.  A store's own record says that it waits (buffer_took). */
#include "rt/buffer.h"

#include <sys/mman.h>

#include "rt/segment.h"
#include "rt/strands.h"
#include "rt/sys.h"

#define MOST       256u                 /* stores a buffer holds; then the oldest leaves */
#define UNSET      0xa5                 /* what fresh memory holds for who comes too early */
#define UNSURE     1024u                /* bytes of stack the runtime may itself use below a point, when nobody said where it began */

struct entry {
	uint64_t at, nth, place, priority;
	uint8_t new[8], old[8];
	uint8_t size, kind, live;       /* live: bit k, byte k is still this store's, see (4) */
	bool release, is_lock;          /* is_lock: not the program's own bytes, readers of records know it by UNLOCK */
	uint16_t part;
	uint32_t era;                   /* release fences before it */
	uint32_t uid;                   /* of the thread, as records name it */
};

struct left { uint64_t at; uint32_t uid, size; };

struct buffer { uint32_t count, era; struct entry entry[MOST]; };

bool buffers_on;
static struct buffer *buffers;          /* by number of the strand */
static const struct strand *shown;
static struct left *left;
static uint32_t left_count;
static bool took;                       /* a store was put into a buffer and has no record yet */
static struct { uint64_t at, bytes; uint8_t old[8 * MOST - 16]; } before;       /* so that it fits wherever it begins */

static struct buffer *of(const struct strand *s)
{
	return &buffers[s->number];
}

static void *room(uint64_t bytes)
{
	long at = sys6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((unsigned long)at >= -4095ul)
		rt_fatal("cannot make store buffers; is there a limit on address space?");
	return (void *)at;
}

void buffers_start(void)
{
	if (steer->model == MODEL_SC)
		return;
	buffers = room(STEER_STRANDS * sizeof *buffers);
	left = room(STEER_STRANDS * MOST * sizeof *left);
	buffers_on = true;
}

/* ---- records ---- */

/* A store is about to leave its buffer; what code nobody watches wrote over it meanwhile counts as written after it. */
static void leaves(const struct entry *e)
{
	if (ring && ring->keep && !e->is_lock && left_count < STEER_STRANDS * MOST)
		left[left_count++] = (struct left){ .at = e->at, .uid = e->uid, .size = e->size };
}

void buffers_tell(void)
{
	if (!left_count || !raddle_tls.area || raddle_tls.mode != MODE_STEER)
		return;
	for (uint32_t i = 0; i < left_count; i++)
		rt_event(EV_FLUSH, left[i].at, left[i].uid, 0, (int)left[i].size, 0);
	left_count = 0;
}

bool buffer_took(void)
{
	bool was = took;
	took = false;
	return was;
}

/* ---- memory ---- */

static void remove_entry(struct buffer *b, uint32_t which)
{
	for (uint32_t i = which + 1; i < b->count; i++)
		b->entry[i - 1] = b->entry[i];
	b->count--;
}

static void take_back(struct buffer *b)
{
	for (uint32_t i = b->count; i-- > 0;) {
		struct entry *e = &b->entry[i];
		volatile uint8_t *at = (volatile uint8_t *)e->at;
		for (unsigned k = 0; k < e->size; k++)
			if (at[k] != e->new[k])
				e->live &= (uint8_t)~(1u << k);
			else if (e->live >> k & 1)
				at[k] = e->old[k];
		if (!e->live) {
			leaves(e);
			remove_entry(b, i);
		}
	}
}

static void make(struct entry *e)
{
	volatile uint8_t *at = (volatile uint8_t *)e->at;
	for (unsigned k = 0; k < e->size; k++)
		if (e->live >> k & 1) {
			e->old[k] = at[k];
			at[k] = e->new[k];
		}
}

void buffers_show(const struct strand *s)
{
	if (!buffers_on || s == shown)
		return;
	if (shown)
		take_back(of(shown));
	shown = s;
	for (uint32_t i = 0; s && i < of(s)->count; i++)
		make(&of(s)->entry[i]);
}

/* ---- leaving the buffer ---- */

static bool overlap(const struct entry *a, const struct entry *b)
{
	return a->at < b->at + b->size && b->at < a->at + a->size;
}

uint32_t buffer_count(const struct strand *s)
{
	return buffers_on ? of(s)->count : 0;
}

/* Must the older one leave first? */
static bool goes_first(const struct entry *older, const struct entry *e)
{
	return steer->model == MODEL_TSO || e->release || older->era != e->era || overlap(older, e);
}

bool buffer_can_flush(const struct strand *s, uint32_t which)
{
	const struct buffer *b = of(s);
	for (uint32_t i = 0; i < which; i++)
		if (goes_first(&b->entry[i], &b->entry[which]))
			return false;
	return true;
}

uint32_t buffer_find(const struct strand *s, uint64_t nth, uint32_t part)
{
	uint32_t i = 0, count = buffer_count(s);
	while (i < count && (of(s)->entry[i].nth != nth || of(s)->entry[i].part != part))
		i++;
	return i;
}

struct buffered buffer_about(const struct strand *s, uint32_t which)
{
	const struct entry *e = &of(s)->entry[which];
	return (struct buffered){ .nth = e->nth, .place = e->place, .priority = e->priority, .part = e->part, .kind = e->kind };
}

void buffer_flush(struct strand *s, uint32_t which)
{
	const struct strand *was = shown;
	if (shown != s) {
		buffers_show(NULL);
		make(&of(s)->entry[which]);
	}
	leaves(&of(s)->entry[which]);
	remove_entry(of(s), which);
	buffers_show(was);
}

static bool is_late(const struct strand *s, const struct entry *e)
{
	return e->nth == steer->late_nth && s->number == steer->late_strand;
}

/* Does the event look at what this store is to put there?  Of what is no access of a few bytes nobody knows where it looks. */
static bool looks_at(const struct steer_ask *ask, const struct entry *e)
{
	uint64_t bytes = 1ull << (ask->log2size & 63);
	switch (ask->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		return ask->object < e->at + e->size && e->at < ask->object + bytes;
	default:
		return true;
	}
}

/* The oldest of those that are looked at, are not late nor behind one that is, and of what has to go before them; its count: none. */
static uint32_t first_due(const struct strand *s, const struct steer_ask *ask)
{
	const struct buffer *b = of(s);
	bool stays[MOST] = { false }, due[MOST] = { false };
	uint32_t first = b->count;
	for (uint32_t k = 0; k < b->count; k++) {
		stays[k] = is_late(s, &b->entry[k]);
		for (uint32_t i = 0; i < k && !stays[k]; i++)
			stays[k] = stays[i] && goes_first(&b->entry[i], &b->entry[k]);
		due[k] = !stays[k] && looks_at(ask, &b->entry[k]);
	}
	for (uint32_t k = b->count; k-- > 0;) {
		if (!due[k])
			continue;
		first = k;
		for (uint32_t i = 0; i < k; i++)
			due[i] = due[i] || goes_first(&b->entry[i], &b->entry[k]);
	}
	return first;
}

bool buffer_due(const struct strand *by, struct strand **whose, uint32_t *which)
{
	for (uint32_t i = 0; i < strand_count; i++) {
		struct strand *s = &strands[i];
		if (s == by || !buffer_count(s))
			continue;
		*whose = s;
		*which = first_due(s, &by->ask);
		if (*which < buffer_count(s))
			return true;
	}
	return false;
}

static void drain(struct strand *s)
{
	for (uint32_t i = 0; s == shown && i < of(s)->count; i++)
		leaves(&of(s)->entry[i]);
	if (s == shown)
		of(s)->count = 0;
	while (of(s)->count)
		buffer_flush(s, 0);
}

void buffer_drain(void)
{
	before.bytes = 0;
	if (!buffers_on || !own_strand || !of(own_strand)->count)
		return;
	drain(own_strand);
	buffers_tell();
	steer_changed();
}

static bool stores_into(const struct strand *s, uint64_t low, uint64_t bytes)
{
	for (uint32_t i = 0; i < of(s)->count; i++) {
		const struct entry *e = &of(s)->entry[i];
		if (e->at + e->size > low && (e->at < low || e->at - low < bytes))
			return true;
	}
	return false;
}

void buffer_drain_into(uint64_t low, uint64_t bytes)
{
	bool any = false;
	for (uint32_t i = 0; buffers_on && i < strand_count; i++)
		if (stores_into(&strands[i], low, bytes)) {
			drain(&strands[i]);
			any = true;
		}
	if (any) {
		buffers_tell();
		steer_changed();
	}
}

/* Is there anybody who might have seen the stores later? */
static bool is_alone(void)
{
	for (uint32_t i = 0; i < strand_count; i++)
		if (&strands[i] != own_strand && strands[i].seen->state != STRAND_NONE && strands[i].seen->state != STRAND_ENDED)
			return false;
	return true;
}

void buffer_leave(uint64_t place)
{
	uint32_t known = 0;
	if (!buffers_on || !own_strand || !of(own_strand)->count)
		return;
	buffer_drain();
	if (is_alone())
		return;
	while (known < steer->early_count && known < STEER_EARLY && steer->early[known] != place)
		known++;
	if (known == steer->early_count && known < STEER_EARLY)
		steer->early[steer->early_count++] = place;
}

static void first_leaves(struct buffer *b)
{
	leaves(&b->entry[0]);
	remove_entry(b, 0);
}

void buffer_rests(struct strand *s)
{
	struct buffer *b = of(s);
	uint64_t sp = s->sp, low = sp ? sp : (uint64_t)__builtin_frame_address(0) + UNSURE;
	uint32_t i = 0;
	before.bytes = s->sp = 0;
	took = false;
	while (i < b->count) {
		if (b->entry[i].at >= low || !rt_in_own_stack(b->entry[i].at)) {
			i++;
			continue;
		}
		for (; !sp && i; i--)           /* it may be alive: with all that is older it goes to memory */
			first_leaves(b);
		leaves(&b->entry[i]);
		remove_entry(b, i);
	}
	buffers_tell();
}

/* ---- stores ---- */

/* Which store it is of the event it is made in. */
static uint16_t next_part(struct strand *s)
{
	s->part = s->part_of == s->seen->done ? s->part + 1 : 0;
	s->part_of = s->seen->done;
	return (uint16_t)s->part;
}

static void put(uint64_t at, unsigned size, const uint8_t *old, enum store_waits waits)
{
	struct strand *s = own_strand;
	struct buffer *b = of(s);
	if (b->count == MOST) {
		first_leaves(b);
		buffers_tell();
		steer_changed();
	}
	if (!b->count)
		b->era = 0;
	struct entry *e = &b->entry[b->count++];
	*e = (struct entry){ .at = at, .nth = s->seen->done, .place = s->last_place, .priority = policy_store(), .size = (uint8_t)size,
		.kind = s->last_kind, .live = (uint8_t)((1u << size) - 1), .release = waits == STORE_RELEASE, .part = next_part(s), .era = b->era,
		.uid = rt_uid() };
	took = true;
	for (unsigned k = 0; k < size; k++) {
		e->old[k] = old[k];
		e->new[k] = ((const volatile uint8_t *)at)[k];
	}
}

void buffer_store(void *at, uint64_t bits, unsigned size, enum store_waits waits)
{
	uint8_t old[8];
	copy_bytes(old, at, size);
	copy_bytes(at, &bits, size);
	put((uint64_t)at, size, old, waits);
}

void buffer_store_lock(void *at, uint64_t bits, unsigned size)
{
	buffer_store(at, bits, size, STORE_RELEASE);
	of(own_strand)->entry[of(own_strand)->count - 1].is_lock = true;
	took = false;
}

void buffer_before(const void *at, uint64_t most)
{
	before.at = (uint64_t)at;
	before.bytes = most <= sizeof before.old ? most : 0;
	if (before.bytes)
		copy_bytes(before.old, at, most);
	else if (most)                          /* more than a buffer holds */
		buffer_drain();
}

/* In words as memory has them. */
void buffer_after(const void *at, uint64_t bytes)
{
	uint64_t from = (uint64_t)at, end = from + bytes;
	if (rt_likely(!before.bytes) || from < before.at || end > before.at + before.bytes)
		return;
	while (from < end) {
		uint64_t next = (from | 7) + 1 < end ? (from | 7) + 1 : end;
		put(from, (unsigned)(next - from), before.old + (from - before.at), STORE_PLAIN);
		from = next;
	}
}

void buffer_filled(const void *at, uint64_t bytes)
{
	if (rt_likely(!buffers_on) || !own_strand || !at || bytes > sizeof before.old)
		return;
	before.at = (uint64_t)at;
	before.bytes = bytes;
	for (uint64_t i = 0; i < bytes; i++)
		before.old[i] = UNSET;
	buffer_after(at, bytes);
	before.bytes = 0;
}

void buffer_fence(enum mem_order order)
{
	if (!buffers_on || !own_strand)
		return;
	if (order == ORDER_SEQ_CST)
		buffer_drain();
	else if (order == ORDER_RELEASE || order == ORDER_ACQ_REL)
		of(own_strand)->era++;
}
