/* analyses/check/keys.c -- see keys.h.
 * Open addressing in the order of the keys: a key's home is its share of the table, it stands there or behind keys that are smaller, nothing free in
 * between.  So a table grows in place, by little: all keys to its end, then each to its new home, from the first on.
 *   (1) keys are in order; (2) none stands before its home; (3) what is all zero is free, and no key is;
 *   (4) behind the last home there is room for keys that do not fit before. */
#include "analyses/check/keys.h"

#include <string.h>

#include "base/err.h"
#include "base/vec.h"

#define SPARE 256u                      /* (4) */

static size_t homes(const struct keys *k) { return k->room - SPARE; }
static size_t home_of(const struct keys *k, struct key key) { return (size_t)((unsigned __int128)key.high * homes(k) >> 64); }
static bool is_free(const struct key *k) { return !k->high && !k->low; }
static struct key plain(struct key key) { return (struct key){ key.high, (key.low & ~(uint64_t)KEY_MARKS) | (key.high ? 0 : 4) }; }

/* Where it is, or would be. */
static size_t find(const struct keys *k, struct key key, bool *there)
{
	size_t at = home_of(k, key);
	for (; at < k->room && !is_free(&k->at[at]) && k->at[at].high <= key.high; at++)
		if (k->at[at].high == key.high && (k->at[at].low & ~(uint64_t)KEY_MARKS) == key.low) {
			*there = true;
			return at;
		}
	*there = false;
	return at;
}

/* Each key to its home, or the first place behind those before it; they all stand at the end of the table. */
static bool spread(struct keys *k)
{
	size_t from = k->room - k->count, to = 0;
	for (; from < k->room; from++, to++) {
		struct key key = k->at[from];
		size_t home = home_of(k, key);
		to = home > to ? home : to;
		if (to > from)
			return false;
		k->at[from] = (struct key){ 0 };
		k->at[to] = key;
	}
	return true;
}

static void gather(struct keys *k, size_t old)
{
	size_t to = k->room;
	for (size_t i = old; i-- > 0;) {
		struct key key = k->at[i];
		if (is_free(&key))
			continue;
		k->at[i] = (struct key){ 0 };
		k->at[--to] = key;
	}
}

static void grow(struct keys *k)
{
	do {
		size_t old = k->room, more = old ? old / 4 : 4 * SPARE;
		k->at = mem_resize(k->at, (old + more) * sizeof *k->at);
		memset(k->at + old, 0, more * sizeof *k->at);
		k->room = old + more;
		gather(k, old);
	} while (!spread(k));
}

struct key *keys_put(struct keys *k, struct key key, bool *fresh)
{
	bool there = false;
	key = plain(key);
	if (k->count >= homes(k) / 8 * 7 || !k->room)
		grow(k);
	for (;;) {
		size_t at = find(k, key, &there), free = at;
		*fresh = !there;
		if (there)
			return &k->at[at];
		while (free < k->room && !is_free(&k->at[free]))
			free++;
		if (free < k->room) {
			memmove(&k->at[at + 1], &k->at[at], (free - at) * sizeof *k->at);
			k->at[at] = key;
			k->count++;
			return &k->at[at];
		}
		grow(k);
	}
}

struct key *keys_get(const struct keys *k, struct key key)
{
	bool there = false;
	size_t at = k->room ? find(k, plain(key), &there) : 0;
	return there ? &k->at[at] : NULL;
}

struct key *keys_next(const struct keys *k, size_t *place)
{
	while (*place < k->room && is_free(&k->at[*place]))
		++*place;
	return *place < k->room ? &k->at[(*place)++] : NULL;
}

void keys_release(struct keys *k)
{
	mem_free(k->at);
	*k = (struct keys){ 0 };
}
