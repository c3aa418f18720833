/* drive/races_bytes.c -- who touched which byte: for each 8-byte word a list of accesses, newest first.
 *   (1) of one thread, source place and kind of access, each byte of a word stands in one entry at most: the last;
 *   (2) an access to all 512 bytes of a chunk is one entry of the chunk; it counts for each of its words;
 *   (3) a chunk without entries and without sync objects is given back, so memory follows what the program has in use;
 *   (4) of a word touched by many, entries that cannot race without the access of the moment racing too are forgotten; others are
 *       only for want of room, and that is counted.
 * Whoever comes to the word he touched last, with nothing learnt by others since, is done at once. */
#include <string.h>

#include "drive/races_inside.h"

#define UNCOVERED 8u                    /* times limits.a_word: the longest a list gets */

/* ---------------------------------------------------------------- entries */

static uint32_t seen_take(struct races *r)
{
	uint32_t id = r->seen_spare;
	r->seen_live++;
	if (id != NONE) {
		r->seen_spare = r->seen.at[id].next;
		return id;
	}
	vec_add(&r->seen);
	return (uint32_t)r->seen.count - 1;
}

static void seen_drop(struct races *r, uint32_t id)
{
	r->seen.at[id].next = r->seen_spare;
	r->seen_spare = id;
	r->seen_live--;
}

static uint32_t list_drop(struct races *r, uint32_t *head)
{
	uint32_t count = 0;
	while (*head != NONE) {
		uint32_t id = *head;
		*head = r->seen.at[id].next;
		seen_drop(r, id);
		count++;
	}
	return count;
}

/* ---------------------------------------------------------------- chunks */

static struct chunk *chunk_find(struct races *r, uint64_t number)
{
	if (r->last_chunk != NONE && r->chunks.at[r->last_chunk].number == number)
		return &r->chunks.at[r->last_chunk];
	uint32_t *at = slots_get(&r->chunk_index, number);
	if (!at)
		return NULL;
	r->last_chunk = *at;
	return &r->chunks.at[*at];
}

static uint32_t chunk_empty(struct races *r, struct chunk *c)
{
	uint32_t count = list_drop(r, &c->whole);
	for (uint64_t left = c->words; left; left &= left - 1)
		count += list_drop(r, &c->head[__builtin_ctzll(left)]);
	c->words = 0;
	return count;
}

static void chunk_drop_if_empty(struct races *r, struct chunk *c)
{
	if (c->words || c->sync || c->whole != NONE)
		return;
	slots_drop(&r->chunk_index, c->number);
	c->number = UINT64_MAX;
	vec_push(&r->chunk_spare, (uint32_t)(c - r->chunks.at));
}

/* Forgets what one chunk remembers, each in its turn, until there is room again. */
static void forget_some(struct races *r)
{
	uint32_t goal = r->seen_live - r->seen_live / 16;
	for (uint32_t looked = 0; looked < r->chunks.count; looked++) {
		struct chunk *c = &r->chunks.at[r->hand++ % r->chunks.count];
		if (c->number == UINT64_MAX || (!c->words && c->whole == NONE))
			continue;
		r->unseen += chunk_empty(r, c);
		chunk_drop_if_empty(r, c);
		if (r->seen_live <= goal && (r->chunk_spare.count || r->chunks.count < r->limits.chunks))
			return;
	}
}

static struct chunk *chunk_made(struct races *r, uint64_t number)
{
	struct chunk *c = chunk_find(r, number);
	if (c)
		return c;
	if (!r->chunk_spare.count && r->chunks.count >= r->limits.chunks)
		forget_some(r);
	uint32_t id = (uint32_t)r->chunks.count;
	if (r->chunk_spare.count)
		id = r->chunk_spare.at[--r->chunk_spare.count];
	else
		vec_add(&r->chunks);            /* beyond the limit only for sync objects, which have one of their own */
	c = &r->chunks.at[id];
	c->number = number;
	c->words = c->sync = 0;
	c->whole = NONE;
	memset(c->head, 255, sizeof c->head);
	*slots_put(&r->chunk_index, number) = id;
	r->last_chunk = id;
	return c;
}

void bytes_note_sync(struct races *r, uint64_t address)
{
	chunk_made(r, address / CHUNK_BYTES)->sync |= 1ull << (address / 8 % CHUNK_WORDS);
}

/* ---------------------------------------------------------------- one word */

static bool conflict(uint8_t a, uint8_t b)
{
	return ((a | b) & TOUCH_WRITES) && !(a & b & TOUCH_ATOMIC);
}

static bool races_with(const struct races *r, const struct seen *s, const struct touch *t)
{
	return s->thread != t->thread && conflict(s->how, t->how) && s->clock > clock_at(&r->clocks, t->now, s->thread);
}

/* Holds the list against the access; its own earlier ones from the same place make way.  How many are left. */
static uint32_t look(struct races *r, uint32_t *head, uint64_t word, uint8_t mask, const struct touch *t)
{
	uint32_t count = 0;
	for (uint32_t *link = head; *link != NONE;) {
		uint32_t id = *link;
		struct seen *s = &r->seen.at[id];
		if (s->mask & mask) {
			if (s->thread == t->thread) {
				if (s->place == t->place && s->how == t->how)
					s->mask &= (uint8_t)~mask;
				if (!s->mask) {
					*link = s->next;
					seen_drop(r, id);
					continue;
				}
			} else if (races_with(r, s, t)) {
				found_race(r, s, word + (uint64_t)__builtin_ctz(s->mask & mask), t);
			}
		}
		count++;
		link = &s->next;
	}
	return count;
}

/* Would whoever races with s race with this access too?  It comes after s and touches at least as much. */
static bool covers(const struct races *r, const struct touch *t, uint8_t mask, const struct seen *s)
{
	bool after = s->thread == t->thread || s->clock <= clock_at(&r->clocks, t->now, s->thread);
	bool stronger = (t->how & TOUCH_WRITES || !(s->how & TOUCH_WRITES)) && (!(t->how & TOUCH_ATOMIC) || s->how & TOUCH_ATOMIC);
	return after && stronger && !(s->mask & ~mask);
}

/* Of a list that is too long: all that are covered; if that does not help, the oldest. */
static void forget_covered(struct races *r, uint32_t *head, uint32_t count, uint8_t mask, const struct touch *t)
{
	uint32_t *oldest = NULL;
	for (uint32_t *link = head; *link != NONE;) {
		uint32_t id = *link;
		if (covers(r, t, mask, &r->seen.at[id])) {
			*link = r->seen.at[id].next;
			seen_drop(r, id);
			count--;
			continue;
		}
		oldest = link;
		link = &r->seen.at[id].next;
	}
	if (count < UNCOVERED * r->limits.a_word)
		return;
	uint32_t id = *oldest;
	*oldest = NONE;
	seen_drop(r, id);
	r->unseen++;
}

static void push(struct races *r, uint32_t *head, uint8_t mask, const struct touch *t)
{
	uint32_t id = seen_take(r);
	r->seen.at[id] = (struct seen){ .next = *head, .clock = t->clock, .thread = t->thread,
		.bytes = t->bytes < UINT32_MAX ? (uint32_t)t->bytes : UINT32_MAX, .stack = t->stack, .held = t->held, .place = t->place,
		.mask = mask, .how = t->how, .kind = t->kind, .nth = t->nth };
	*head = id;
}

static bool is_again(const struct seen *s, uint8_t mask, const struct touch *t)
{
	return s->thread == t->thread && s->clock == t->clock && s->place == t->place && s->mask == mask && s->how == t->how;
}

static void touch_word(struct races *r, struct chunk *c, uint32_t w, uint8_t mask, const struct touch *t)
{
	uint32_t *head = &c->head[w];
	uint64_t word = c->number * CHUNK_BYTES + w * 8;
	if (c->sync >> w & 1 && t->how == TOUCH_WRITES && !t->waits)
		sync_plain_write(r, word, mask);
	if (*head != NONE && c->whole == NONE && is_again(&r->seen.at[*head], mask, t)) {
		r->seen.at[*head].stack = t->stack;
		r->seen.at[*head].held = t->held;
		r->seen.at[*head].nth = t->nth;
		return;
	}
	for (uint32_t id = c->whole; id != NONE; id = r->seen.at[id].next)
		if (races_with(r, &r->seen.at[id], t))
			found_race(r, &r->seen.at[id], word + (uint64_t)__builtin_ctz(mask), t);
	uint32_t count = look(r, head, word, mask, t);
	if (count >= r->limits.a_word)
		forget_covered(r, head, count, mask, t);
	push(r, head, mask, t);
	c->words |= 1ull << w;
}

static void touch_whole(struct races *r, struct chunk *c, const struct touch *t)
{
	uint64_t start = c->number * CHUNK_BYTES;
	for (uint64_t left = c->words; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);
		look(r, &c->head[w], start + w * 8, 255, t);
		if (c->head[w] == NONE)
			c->words &= ~(1ull << w);
	}
	for (uint64_t left = t->how == TOUCH_WRITES && !t->waits ? c->sync : 0; left; left &= left - 1)
		sync_plain_write(r, start + 8 * (uint64_t)__builtin_ctzll(left), 255);
	uint32_t count = look(r, &c->whole, start, 255, t);
	if (count >= r->limits.a_word)
		forget_covered(r, &c->whole, count, 255, t);
	push(r, &c->whole, 255, t);
}

/* The bytes of word `at` that lie in [from, to). */
static uint8_t mask_of(uint64_t at, uint64_t from, uint64_t to)
{
	unsigned low = from > at ? (unsigned)(from - at) : 0, high = to < at + 8 ? (unsigned)(to - at) : 8;
	return (uint8_t)((1u << high) - (1u << low));
}

void bytes_touch(struct races *r, const struct touch *t)
{
	uint64_t at = t->address & ~7ull, end = t->address + t->bytes;
	if (end < t->address)
		return;
	while (at < end) {
		struct chunk *c = chunk_made(r, at / CHUNK_BYTES);
		if (at % CHUNK_BYTES == 0 && at >= t->address && end - at >= CHUNK_BYTES) {
			touch_whole(r, c, t);
			at += CHUNK_BYTES;
		} else {
			touch_word(r, c, (uint32_t)(at / 8 % CHUNK_WORDS), mask_of(at, t->address, end), t);
			at += 8;
		}
		if (r->seen_live >= r->limits.accesses)
			forget_some(r);
	}
}

/* ---------------------------------------------------------------- ranges */

/* What is known of the whole becomes known of each word. */
static void spread(struct races *r, struct chunk *c)
{
	while (c->whole != NONE) {
		uint32_t id = c->whole;
		struct seen s = r->seen.at[id];
		c->whole = s.next;
		seen_drop(r, id);
		for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
			uint32_t copy = seen_take(r);
			r->seen.at[copy] = s;
			r->seen.at[copy].next = c->head[w];
			c->head[w] = copy;
		}
		c->words = UINT64_MAX;
	}
}

static void forget_bytes(struct races *r, uint32_t *head, uint8_t mask)
{
	for (uint32_t *link = head; *link != NONE;) {
		uint32_t id = *link;
		r->seen.at[id].mask &= (uint8_t)~mask;
		if (r->seen.at[id].mask) {
			link = &r->seen.at[id].next;
			continue;
		}
		*link = r->seen.at[id].next;
		seen_drop(r, id);
	}
}

static void forget_part(struct races *r, struct chunk *c, uint64_t from, uint64_t to)
{
	uint64_t start = c->number * CHUNK_BYTES;
	if (c->whole != NONE && (from > start || to < start + CHUNK_BYTES))
		spread(r, c);
	else
		list_drop(r, &c->whole);
	for (uint64_t left = c->words | c->sync; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);
		uint64_t at = start + w * 8;
		if (at + 8 <= from || at >= to)
			continue;
		uint8_t mask = mask_of(at, from, to);
		forget_bytes(r, &c->head[w], mask);
		if (c->head[w] == NONE)
			c->words &= ~(1ull << w);
		if (c->sync >> w & 1 && mask == 255) {
			sync_forget_word(r, at);
			c->sync &= ~(1ull << w);
		}
	}
	chunk_drop_if_empty(r, c);
}

static void over_part(struct races *r, struct chunk *c, const struct touch *t)
{
	uint64_t start = c->number * CHUNK_BYTES, end = t->address + t->bytes;
	if (c->whole != NONE)
		spread(r, c);
	for (uint64_t left = c->words; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);
		uint64_t at = start + w * 8;
		if (at + 8 > t->address && at < end)
			touch_word(r, c, w, mask_of(at, t->address, end), t);
	}
}

/* Every chunk there is between the two, each once: by number, or, if there are fewer of them, one after the other. */
static void each_chunk(struct races *r, uint64_t from, uint64_t to, const struct touch *t)
{
	uint64_t first = from / CHUNK_BYTES, last = (to - 1) / CHUNK_BYTES;
	bool all = last - first >= r->chunks.count;
	uint64_t count = all ? r->chunks.count : last - first + 1;
	for (uint64_t i = 0; i < count; i++) {
		struct chunk *c = all ? &r->chunks.at[i] : chunk_find(r, first + i);
		if (!c || c->number < first || c->number > last)        /* spare ones have the highest number */
			continue;
		if (t)
			over_part(r, c, t);
		else
			forget_part(r, c, from, to);
	}
}

void bytes_over_known(struct races *r, const struct touch *t)
{
	if (t->bytes && t->address + t->bytes > t->address)
		each_chunk(r, t->address, t->address + t->bytes, t);
}

void bytes_forget(struct races *r, uint64_t address, uint64_t bytes)
{
	if (bytes && address + bytes > address)
		each_chunk(r, address, address + bytes, NULL);
}
