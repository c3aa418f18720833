/* trace/codec.c -- which coding a block gets, and the two simple ones: as it is, and zstd.
 * The foretelling coder is tried first; what it does not understand goes to zstd, what zstd cannot shrink is stored plain. */
#include "trace/codec.h"

#include <string.h>
#include <zstd.h>

#include "base/unpack.h"
#include "base/vec.h"
#include "trace/steered.h"
#include "wire/ring.h"

#define ZSTD_LEVEL 1
#define MORE 16u                                /* room for a block is made that part larger */
#define SLACK 64                                /* readable bytes behind the records */

struct codec {
	ZSTD_CCtx *press;
	ZSTD_DCtx *unpress;
	uint8_t *buffer;
	size_t room;
	struct foretell *foretell;
};

struct codec *codec_new(enum trace_order order)
{
	struct codec *c = mem_take(sizeof *c);
	c->press = ZSTD_createCCtx();
	c->unpress = ZSTD_createDCtx();
	c->foretell = foretell_new(order);
	check(c->press && c->unpress);
	return c;
}

void codec_free(struct codec *c)
{
	if (!c)
		return;
	ZSTD_freeCCtx(c->press);
	ZSTD_freeDCtx(c->unpress);
	foretell_free(c->foretell);
	mem_free(c->buffer);
	mem_free(c);
}

uint64_t control_events(struct sites *s, const uint8_t *record)
{
	uint64_t w[5];
	memcpy(w, record, sizeof w);
	unsigned flags = w[0] >> 56 & 127;
	if (!(flags & RECORD_PAYLOAD))
		return 1;
	return kind_is_plain(w[0] >> 48 & 127) ? plain_events(s, w) : !(flags & RECORD_MORE);   /* of many pieces the last counts */
}

static uint64_t count_events(struct sites *s, const uint8_t *records, size_t count)
{
	uint64_t events = 0;
	struct site *site;
	for (size_t at = 0, bytes; (bytes = record_bytes(s, records + at, count - at, &site)) != 0; at += bytes)
		events += site ? site->event_count : control_events(s, records + at);
	return events;
}

static struct coded encode_zstd(struct codec *c, const uint8_t *records, size_t count)
{
	size_t need = ZSTD_compressBound(count);
	if (c->room < need) {
		c->buffer = mem_resize(c->buffer, need);
		c->room = need;
	}
	size_t bytes = ZSTD_compressCCtx(c->press, c->buffer, c->room, records, count, ZSTD_LEVEL);
	if (ZSTD_isError(bytes))
		return (struct coded){ .coding = CODING_ZSTD };
	bytes = unpack_pad(c->buffer, bytes, c->room, count);
	return (struct coded){ .coding = CODING_ZSTD, .bytes = c->buffer, .count = bytes };
}

struct coded codec_encode_as(struct codec *c, struct sites *s, enum block_coding coding, const uint8_t *records, size_t count)
{
	struct coded out = { .coding = coding, .bytes = records, .count = count };
	if (coding == CODING_PREDICT) {
		out.count = foretell_encode(c->foretell, s, records, count, &out.bytes, &out.events);
		return out;
	}
	if (coding == CODING_ZSTD)
		out = encode_zstd(c, records, count);
	out.events = count_events(s, records, count);
	return out;
}

struct coded codec_encode(struct codec *c, struct sites *s, const uint8_t *records, size_t count)
{
	struct coded out = codec_encode_as(c, s, CODING_PREDICT, records, count);
	if (out.count && out.count < count && unpack_ratio_fits(out.count, count))
		return out;
	out = codec_encode_as(c, s, CODING_ZSTD, records, count);
	if (out.count && out.count < count)
		return out;
	return codec_encode_as(c, s, CODING_PLAIN, records, count);
}

void codec_each_code(const struct codec *c, void (*met)(void *with, uint64_t address), void *with)
{
	foretell_each_code(c->foretell, met, with);
}

void decoded_release(struct decoded *d)
{
	mem_free(d->bytes);
	mem_free(d->records);
	unpack_give(d->taken);
	*d = (struct decoded){ 0 };
}

/* Its share of what may be unpacked at a time: the records, and where each is. */
static int decoded_take(struct decoded *d, size_t count, struct err *why)
{
	size_t need = 2 * (count + count / MORE);
	if (need <= d->taken)
		return 0;
	if (unpack_take(need - d->taken, "the trace", why))
		return -1;
	d->taken = need;
	return 0;
}

/* Room for this many bytes of records. */
static void decoded_reserve(struct decoded *d, size_t count)
{
	if (d->room < count + SLACK) {
		mem_free(d->bytes);
		d->room = count + count / MORE + SLACK; /* the next one may be a little longer */
		d->bytes = mem_take_ready(d->room);
	}
	if (d->record_room < count / 8 + 1) {           /* no record is shorter than its header word */
		mem_free(d->records);
		d->record_room = count / 8 + count / 8 / MORE + 1;
		d->records = mem_resize(NULL, d->record_room * sizeof *d->records);
	}
	memset(d->bytes + count, 0, SLACK);
	d->count = count;
	d->record_count = 0;
}

/* Finds the records: after this every one is known to lie inside the block. */
static int find_records(struct sites *s, struct decoded *d, struct err *why)
{
	size_t at = 0;
	while (at < d->count) {
		struct site *site;
		size_t bytes = record_bytes(s, d->bytes + at, d->count - at, &site);
		if (bytes == 0) {
			d->count = at;
			return err_set(why, "record byte %zu begins no record of this trace", at);
		}
		d->records[d->record_count++] = (struct record_ref){ (uint32_t)at, site ? site->number : RECORD_IS_CONTROL };
		at += bytes;
	}
	return 0;
}

int codec_decode(struct codec *c, struct sites *s, uint32_t coding, const uint8_t *stored, size_t stored_count, size_t count,
	struct decoded *out, struct err *why)
{
	if (count > BLOCK_MAX)
		return err_set(why, "it claims %zu bytes of records", count);
	if (!unpack_ratio_fits(stored_count + sizeof(struct block_head), count))
		return err_set(why, "it claims to hold more than 1,000 times its size");
	if (decoded_take(out, count, why))
		return -1;
	decoded_reserve(out, count);
	switch (coding) {
	case CODING_PLAIN:
		if (stored_count != count)
			return err_set(why, "it stores %zu bytes for %zu", stored_count, count);
		if (count)
			memcpy(out->bytes, stored, count);
		break;
	case CODING_ZSTD:
		if (ZSTD_decompressDCtx(c->unpress, out->bytes, count, stored, stored_count) != count)
			return err_set(why, "its zstd data does not decode to %zu bytes", count);
		break;
	case CODING_PREDICT:
		return foretell_decode(c->foretell, s, stored, stored_count, count, out, why);
	default:
		return err_set(why, "its coding %u is not known", coding);
	}
	return find_records(s, out, why);
}
