/* trace/moved.c -- see moved.h.
 *   (1) ranges are sorted by `low` and do not overlap;
 *   (2) whatever a word of a record means, it is changed only if it lies in a range: numbers, sizes and kinds are too small. */
#include "trace/moved.h"

#include <string.h>

#include "base/vec.h"
#include "trace/format.h"
#include "trace/steered.h"
#include "wire/ring.h"

#define SYMBOL_BYTES 24u
#define SYMBOL_TLS   3u                          /* its address is an offset */

struct moved { VEC(struct moved_range) ranges; };

struct moved *moved_new(void)
{
	return mem_take(sizeof(struct moved));
}

void moved_free(struct moved *m)
{
	if (!m)
		return;
	vec_release(&m->ranges);
	mem_free(m);
}

/* The first range that ends above the address. */
static size_t find(const struct moved *m, uint64_t address)
{
	size_t low = 0, high = m->ranges.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct moved_range *r = &m->ranges.at[middle];
		if (r->low + r->bytes <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- the table ---- */

static void insert(struct moved *m, size_t at, struct moved_range r)
{
	(void)vec_add(&m->ranges);
	memmove(m->ranges.at + at + 1, m->ranges.at + at, (m->ranges.count - 1 - at) * sizeof r);
	m->ranges.at[at] = r;
}

static void take_out(struct moved *m, size_t at)
{
	memmove(m->ranges.at + at, m->ranges.at + at + 1, (m->ranges.count - 1 - at) * sizeof *m->ranges.at);
	m->ranges.count--;
}

/* What is there of older ranges between low and high gives way. */
static void clear(struct moved *m, uint64_t low, uint64_t high)
{
	size_t at = find(m, low);
	while (at < m->ranges.count && m->ranges.at[at].low < high) {
		struct moved_range old = m->ranges.at[at];
		take_out(m, at);
		if (old.low < low)
			insert(m, at++, (struct moved_range){ old.low, low - old.low, old.said });
		if (old.low + old.bytes > high)
			insert(m, at++, (struct moved_range){ high, old.low + old.bytes - high, old.said + (high - old.low) });
	}
}

void moved_add(struct moved *m, const struct moved_range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct moved_range *r = &ranges[i];
		if (r->bytes == 0 || r->low + r->bytes < r->low)
			continue;
		clear(m, r->low, r->low + r->bytes);
		insert(m, find(m, r->low), *r);
	}
}

uint64_t moved_address(const struct moved *m, uint64_t address)
{
	size_t at = find(m, address);
	if (at == m->ranges.count || address < m->ranges.at[at].low)
		return address;
	return m->ranges.at[at].said + (address - m->ranges.at[at].low);
}

/* ---- records ---- */

static void move_word(const struct moved *m, uint8_t *at)
{
	uint64_t word;
	memcpy(&word, at, 8);
	word = moved_address(m, word);
	memcpy(at, &word, 8);
}

static uint64_t move_low48(const struct moved *m, uint64_t word)
{
	return (word & ~RECORD_ADDRESS_MASK) | (moved_address(m, word & RECORD_ADDRESS_MASK) & RECORD_ADDRESS_MASK);
}

/* Words that lie on a multiple of 8 in the memory the bytes were taken from. */
static void move_memory(const struct moved *m, uint64_t address, uint8_t *bytes, size_t count)
{
	for (size_t at = -address & 7; at + 8 <= count; at += 8)
		move_word(m, bytes + at);
}

static void move_payload(const struct moved *m, unsigned kind, uint64_t address, uint8_t *bytes, size_t count)
{
	switch (kind) {
	case EV_READ: case EV_WRITE: case EV_LIBREAD: case EV_LIBWRITE:
		move_memory(m, address, bytes, count);
		break;
	case EV_COPY:                                           /* the source first */
		if (count >= 8) {
			move_word(m, bytes);
			move_memory(m, address, bytes + 8, count - 8);
		}
		break;
	case EV_REALLOC: case EV_KEYFRAME: case EV_FRAMES: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		move_memory(m, 0, bytes, count);
		break;
	}
}

/* Is the argument of this kind a number of bytes, or of a thread?  It is no address, however much it looks like one. */
static bool counts_bytes(unsigned kind)
{
	switch (kind) {
	case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: case EV_ALLOC: case EV_REALLOC: case EV_MAP: case EV_UNMAP: case EV_STACK:
	case EV_TLS: case EV_INPUT: case EV_OUTPUT: case EV_YIELD: case EV_FLUSH: case EV_LEFT: case EV_LOCAL:
		return true;
	default:
		return false;
	}
}

static void move_control(const struct moved *m, uint8_t *record)
{
	uint64_t w[5];
	memcpy(w, record, sizeof w);
	unsigned kind = w[0] >> 48 & 127;
	bool payload = w[0] >> 56 & RECORD_PAYLOAD, narrow = kind_is_plain(kind) && (payload || (w[3] & 255) != 3);
	if (payload)
		move_payload(m, kind, w[0] & RECORD_ADDRESS_MASK, record + sizeof w, w[4] >> 48);
	w[0] = move_low48(m, w[0]);
	w[4] = move_low48(m, w[4]);
	if (!narrow && !counts_bytes(kind))
		w[1] = moved_address(m, w[1]);
	if (kind >= EV_ALOAD && kind <= EV_CAS)
		w[3] = moved_address(m, w[3]);
	memcpy(record, w, sizeof w);
}

static void move_group(const struct moved *m, const struct site *d, uint8_t *record)
{
	for (unsigned i = 0; i < d->access_count; i++) {
		const struct access *a = &d->accesses[i];
		if (a->address_mode == A_SLOT)
			move_word(m, record + 8 + a->address_at);
		for (unsigned k = 0; a->value_mode == V_SLOT && a->size == 8 && k < a->elements; k++)
			move_word(m, record + 8 + a->value_at + 8 * k);
	}
	move_word(m, record);
}

void moved_records(const struct moved *m, struct sites *s, uint8_t *records, size_t count)
{
	struct site *site;
	for (size_t at = 0, bytes; (bytes = record_bytes(s, records + at, count - at, &site)) != 0; at += bytes) {
		if (site)
			move_group(m, site, records + at);
		else
			move_control(m, records + at);
	}
}

/* ---- modules ---- */

void moved_module(const struct moved *m, uint8_t *bytes, size_t count)
{
	struct module_block b;
	if (count < sizeof b)
		return;
	memcpy(&b, bytes, sizeof b);
	uint64_t shift = moved_address(m, b.low) - b.low, skip = sizeof b + (uint64_t)b.path_bytes + b.build_id_bytes + b.sites_bytes;
	b.base += shift;
	b.low += shift;
	b.high += shift;
	b.sites_address += b.sites_address ? shift : 0;
	memcpy(bytes, &b, sizeof b);
	for (uint32_t i = 0; i < b.symbol_count && skip + SYMBOL_BYTES <= count; i++, skip += SYMBOL_BYTES) {
		uint64_t address;
		uint32_t type;
		memcpy(&address, bytes + skip, 8);
		memcpy(&type, bytes + skip + 20, 4);
		address += type == SYMBOL_TLS ? 0 : shift;
		memcpy(bytes + skip, &address, 8);
	}
}
