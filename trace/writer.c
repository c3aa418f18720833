/* trace/writer.c -- appends blocks to a trace file.
 *
 * Records are held back per lane (thread, depth of signal handler) until a block's worth is there, so that the coder has
 * something to learn from; all of them are written before an END block.
 *   (1) the file always ends with a whole block: a block that could not be written whole is cut off again;
 *   (2) a block holds consecutive segments of one lane, and of one signal handler;
 *   (3) no more than HELD_MAX bytes are held back in all.
 * In a trace of total order nothing may depend on when records come:
 *   (4) a lane's blocks are cut at the first record boundary past a target that grows with each block, and only when more
 *       follows; what is held back is at most a target per lane, and (3) does not hold;
 *   (5) before the END block the blocks are sorted. */
#include "trace/writer.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/unpack.h"
#include "base/vec.h"
#include "trace/codec.h"
#include "trace/shelf.h"
#include "trace/sorted.h"
#include "trace/steered.h"
#include "wire/ring.h"
#include "wire/version.h"

#define BLOCK_TARGET (1u << 20)
#define BLOCK_FIRST  (1u << 16)                 /* total order: of the first block of a lane; then twice as much each time */
#define HELD_MAX     (64u << 20)
#define TEXT_LEVEL   3                          /* zstd level of blocks that are not records */
#define TEXT_SMALL   256u                       /* not worth compressing */

struct held {                                   /* what is held back of one lane */
	struct segment_note first;
	uint32_t next_seq;
	uint64_t end_time;
	uint8_t *bytes;
	size_t count, room;
	int slot;                               /* of the shelf, where `bytes` lie; -1: they are memory of our own */
	VEC(struct segment_entry) segments;
	/* total order */
	uint32_t thread, nest, blocks;          /* blocks: written so far */
	uint64_t low, high;                     /* first and last number in it */
	bool died;
};

struct writer {
	int file;
	char *path;
	uint64_t bytes, events;
	uint64_t raw, coded;                    /* of the blocks of records: before and after */
	uint32_t flags;
	bool failed;
	XXH64_state_t *hash;
	struct codec *codec;
	struct sites *sites;
	bool total;
	struct sorted sorted;                   /* total order: the blocks in the file */
	struct moved *moved;                    /* or NULL */
	struct sites *real;                     /* moved: site tables where they really lay */
	struct map lanes;                       /* thread<<32|nest -> index into held + 1 */
	VEC(struct held) held;
	size_t held_bytes;
	struct shelf *shelf;                    /* or NULL */
	uint32_t file_number;                   /* there */
	struct map code_met;                    /* not in a total order: where control records came from, */
	VEC(uint64_t) code;                     /* and the same in a row */
};

/* ---- bytes to the file ---- */

static int write_failed(struct writer *w, struct err *why)
{
	int reason = errno;
	w->failed = true;
	if (ftruncate(w->file, (off_t)w->bytes) == 0)
		lseek(w->file, (off_t)w->bytes, SEEK_SET);
	return err_set(why, "cannot write '%s': %s", w->path, str_error(reason));
}

static int put(struct writer *w, struct iovec *parts, int count, struct err *why)
{
	size_t total = 0;
	for (int i = 0; i < count; i++)
		total += parts[i].iov_len;
	size_t left = total;
	while (left) {
		ssize_t done = writev(w->file, parts, count);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return write_failed(w, why);
		left -= (size_t)done;
		while (count && (size_t)done >= parts->iov_len) {
			done -= (ssize_t)parts->iov_len;
			parts++;
			count--;
		}
		if (count) {
			parts->iov_base = (char *)parts->iov_base + done;
			parts->iov_len -= (size_t)done;
		}
	}
	w->bytes += total;
	return 0;
}

/* `table` is what stands uncoded before the payload, or empty. */
static int put_block(struct writer *w, struct block_head *head, const void *table, size_t table_bytes, const void *payload,
	size_t bytes, struct err *why)
{
	static const char zeros[8];
	if (w->failed)
		return err_set(why, "cannot write '%s': an earlier write failed", w->path);
	if (bytes + table_bytes > BLOCK_MAX || head->decoded > BLOCK_MAX)
		return err_set(why, "cannot write '%s': a block of %zu bytes is too large", w->path, bytes);
	head->magic = BLOCK_MAGIC;
	head->stored = (uint32_t)(table_bytes + bytes);
	head->check = 0;
	XXH64_reset(w->hash, 0);
	XXH64_update(w->hash, head, sizeof *head);
	if (table_bytes)
		XXH64_update(w->hash, table, table_bytes);
	if (bytes)
		XXH64_update(w->hash, payload, bytes);
	head->check = XXH64_digest(w->hash);
	struct iovec parts[] = { { head, sizeof *head }, { (void *)table, table_bytes }, { (void *)payload, bytes },
		{ (void *)zeros, -head->stored & 7u } };
	if (w->total)
		sorted_note(&w->sorted, head, w->bytes);
	return put(w, parts, 4, why);
}

/* ---- open and close ---- */

int writer_open(struct writer **out, const char *path, const struct trace_head *head, struct err *why)
{
	struct trace_head mine = *head;
	*out = NULL;
	int file = file_create(path, FILE_OURS, why);
	if (file < 0)
		return -1;
	struct writer *w = mem_take(sizeof *w);
	w->file = file;
	w->path = mem_take(strlen(path) + 1);
	strcpy(w->path, path);
	w->flags = head->flags;
	w->total = head->order == ORDER_TOTAL;
	w->hash = XXH64_createState();
	check(w->hash);
	w->codec = codec_new(head->order);
	w->sites = sites_new();
	memcpy(mine.magic, TRACE_MAGIC, sizeof mine.magic);
	mine.version = WIRE_TRACE_VERSION;
	mine.endian = LITTLE_ENDIAN_MARK;
	if (w->total) {
		mine.pid = 0;
		mine.start_realtime = mine.start_ticks = mine.ticks_per_second = 0;
	}
	mine.check = XXH64(&mine, sizeof mine - sizeof mine.check, 0);
	struct iovec part = { &mine, sizeof mine };
	if (put(w, &part, 1, why)) {
		struct err ignored;
		writer_close(w, &ignored);
		return -1;
	}
	*out = w;
	return 0;
}

static void held_release(struct writer *w, struct held *h)
{
	if (h->slot >= 0)
		shelf_give(w->shelf, h->slot);
	else
		mem_free(h->bytes);
	vec_release(&h->segments);
}

/* ---- records ---- */

static void note_code(void *writer, uint64_t address)
{
	struct writer *w = writer;
	bool fresh;
	map_put(&w->code_met, address, &fresh);
	if (fresh)
		vec_push(&w->code, address);
}

static int flush(struct writer *w, struct held *h, struct err *why)
{
	if (h->segments.count == 0)
		return 0;
	struct coded coded = codec_encode(w->codec, w->sites, h->bytes, h->count);
	if (!w->total)
		codec_each_code(w->codec, note_code, w);
	struct block_head head = { .type = BLOCK_DATA, .coding = (uint16_t)coded.coding, .decoded = (uint32_t)h->count,
		.thread = h->first.thread, .nest = h->first.nest, .seq = h->first.seq, .count = (uint32_t)h->segments.count,
		.at_seq = h->first.at_seq, .at_offset = h->first.at_offset, .start_time = h->first.start_time,
		.end_time = h->end_time };
	int failed = put_block(w, &head, h->segments.at, h->segments.count * sizeof *h->segments.at, coded.bytes, coded.count, why);
	if (!failed) {
		w->events += coded.events;
		w->raw += h->count;
		w->coded += coded.count;
	}
	w->held_bytes -= h->count;
	h->count = 0;
	vec_clear(&h->segments);
	if (h->slot >= 0)
		shelf_empty(w->shelf, h->slot);
	return failed;
}

/* Total order: the records held back as one segment, whose times are numbers. */
static int flush_numbered(struct writer *w, struct held *h, bool last, struct err *why)
{
	if (h->count == 0)
		return 0;
	uint64_t end = last && h->died ? 0 : h->high ? h->high : 1;
	struct segment_entry entry = { (uint32_t)h->count, 0, h->low, end };
	vec_clear(&h->segments);
	vec_push(&h->segments, entry);
	h->first = (struct segment_note){ .thread = h->thread, .nest = h->nest, .seq = h->blocks++, .start_time = h->low };
	h->end_time = end;
	h->low = h->high = 0;
	return flush(w, h, why);
}

static int flush_all_numbered(struct writer *w, struct err *why)
{
	int failed = 0;
	for (size_t i = 0; i < w->held.count && !failed; i++)
		failed = flush_numbered(w, &w->held.at[i], true, why);
	return failed;
}

/* Writes out and forgets every lane. */
static int flush_all(struct writer *w, struct err *why)
{
	int failed = 0;
	if (w->total)
		return flush_all_numbered(w, why);
	for (size_t i = 0; i < w->held.count; i++) {
		if (!failed)
			failed = flush(w, &w->held.at[i], why);
		held_release(w, &w->held.at[i]);
	}
	w->held_bytes = 0;
	vec_clear(&w->held);
	map_release(&w->lanes);
	return failed;
}

static struct held *lane_of(struct writer *w, uint32_t thread, uint32_t nest)
{
	bool fresh;
	uint64_t *index = map_put(&w->lanes, (uint64_t)thread << 32 | nest, &fresh);
	if (fresh) {
		struct held *h = vec_add(&w->held);
		*index = w->held.count;
		h->slot = w->shelf ? shelf_take(w->shelf, w->file_number, thread, nest) : -1;
		if (h->slot >= 0) {
			h->bytes = shelf_records(w->shelf, h->slot);
			h->room = SHELF_RECORDS;
		}
	}
	return &w->held.at[*index - 1];
}

/* The disk has no room for more of the shelf: the lane, of which nothing is held back now, gets memory of our own. */
static void leave_shelf(struct writer *w, struct held *h)
{
	shelf_give(w->shelf, h->slot);
	h->slot = -1;
	h->bytes = NULL;
	h->room = 0;
}

static bool continues(const struct held *h, const struct segment_note *note)
{
	return note->seq == h->next_seq && (note->nest == 0 || note->at_offset == 0);
}

static bool is_full(const struct writer *w, const struct held *h)
{
	return h->slot >= 0 && !shelf_has_room(w->shelf, h->slot);
}

static void append(struct held *h, const void *records, size_t bytes)
{
	if (h->count + bytes > h->room) {
		h->room = h->room * 2 < h->count + bytes ? h->count + bytes : h->room * 2;
		h->bytes = mem_resize(h->bytes, h->room);
	}
	if (bytes)
		memcpy(h->bytes + h->count, records, bytes);
	h->count += bytes;
}

/* Which value slots of a group does no address depend on?  Sets their bytes to 0. */
static void scrub_group(const struct site *d, uint8_t *payload)
{
	bool needed[GROUP_ACCESSES] = { false };
	for (unsigned i = d->access_count; i-- > 0;) {
		const struct access *a = &d->accesses[i];
		if (a->address_mode == A_VALUE)
			needed[a->address_at] = true;
		if (needed[i] && a->value_mode == V_SAME)
			needed[a->value_at] = true;
	}
	for (unsigned i = 0; i < d->access_count; i++) {
		const struct access *a = &d->accesses[i];
		if (a->value_mode == V_SLOT && !needed[i])
			memset(payload + a->value_at, 0, (size_t)a->size * a->elements);
	}
}

static void scrub_plain(uint8_t *record)
{
	uint64_t w[5];
	memcpy(w, record, sizeof w);
	if (!kind_is_plain(w[0] >> 48 & 127))
		return;
	if (w[0] >> 56 & RECORD_PAYLOAD)
		memset(record + sizeof w, 0, w[4] >> 48);
	else
		memset(record + 8, 0, 8);
}

/* TRACE_NO_VALUES: values are not kept, except pointers that later addresses are counted from. */
static void scrub(struct sites *s, uint8_t *records, size_t count)
{
	struct site *site;
	for (size_t at = 0, bytes; (bytes = record_bytes(s, records + at, count - at, &site)) != 0; at += bytes) {
		if (site)
			scrub_group(site, records + at + 8);
		else
			scrub_plain(records + at);
	}
}

/* ---- records of a total order ---- */

static unsigned note_number(struct held *h, const uint8_t *record)      /* the kind of the record */
{
	uint64_t w[4];
	memcpy(w, record, sizeof w);
	uint64_t number = record_number(w);
	h->low = h->low ? h->low : number;
	h->high = number ? number : h->high;
	return w[0] >> 48 & 127;
}

/* No process has the same id twice. */
static void hide_process(uint8_t *record)
{
	uint64_t word;
	memcpy(&word, record, 8);
	word = (word >> 48 & 127) == EV_PROCESS ? word & ~RECORD_ADDRESS_MASK : word;
	memcpy(record, &word, 8);
}

/* Whole records up to the target of the lane's block; how many bytes.  What begins no record is one piece. */
static size_t take_piece(struct writer *w, struct held *h, const uint8_t *records, size_t bytes)
{
	size_t target = h->blocks < 4 ? (size_t)BLOCK_FIRST << h->blocks : BLOCK_TARGET, end = 0, before = h->count, at = 0;
	struct sites *s = w->moved ? w->real : w->sites;
	struct site *site;
	bool process = false;
	while (end < bytes && before + end < target) {
		size_t one = record_bytes(s, records + end, bytes - end, &site);
		if (one && !site)
			process |= note_number(h, records + end) == EV_PROCESS;
		end = one ? end + one : bytes;
	}
	append(h, records, end);
	for (size_t one; process && (one = record_bytes(s, h->bytes + before + at, end - at, &site)) != 0; at += one)
		if (!site)
			hide_process(h->bytes + before + at);
	if (w->moved)
		moved_records(w->moved, s, h->bytes + before, end);
	if (w->flags & TRACE_NO_VALUES)
		scrub(w->sites, h->bytes + before, end);
	w->held_bytes += end;
	return end;
}

static int take_numbered(struct writer *w, struct held *h, const struct segment_note *note, const uint8_t *records, size_t bytes,
	struct err *why)
{
	h->thread = note->thread;
	h->nest = note->nest;
	while (bytes) {
		size_t piece = take_piece(w, h, records, bytes);
		records += piece;
		bytes -= piece;
		if (bytes && flush_numbered(w, h, false, why))
			return -1;
	}
	h->died = note->end_time == 0;
	return 0;
}

int writer_records(struct writer *w, const struct segment_note *note, const void *records, size_t bytes, struct err *why)
{
	if (w->failed)
		return err_set(why, "cannot write '%s': an earlier write failed", w->path);
	if (bytes > BLOCK_MAX / 2)
		return err_set(why, "cannot write '%s': a segment of %zu bytes is too large", w->path, bytes);
	struct held *h = lane_of(w, note->thread, note->nest);
	if (w->total)
		return take_numbered(w, h, note, records, bytes, why);
	if (h->segments.count && (!continues(h, note) || h->count + bytes > BLOCK_TARGET || is_full(w, h)) && flush(w, h, why))
		return -1;
	if (h->slot >= 0 && !shelf_reserve(w->shelf, h->slot, h->count + bytes)) {
		if (flush(w, h, why))
			return -1;
		leave_shelf(w, h);
	}
	if (h->segments.count == 0)
		h->first = *note;
	size_t before = h->count;
	append(h, records, bytes);
	if (w->flags & TRACE_NO_VALUES)
		scrub(w->sites, h->bytes + before, bytes);
	struct segment_entry entry = { (uint32_t)bytes, 0, note->start_time, note->end_time };
	vec_push(&h->segments, entry);
	h->next_seq = note->seq + 1;
	h->end_time = note->end_time;
	if (h->slot >= 0)
		shelf_add(w->shelf, h->slot, note, bytes);
	w->held_bytes += bytes;
	return w->held_bytes > HELD_MAX ? flush_all(w, why) : 0;
}

/* ---- the other blocks ---- */

int writer_block(struct writer *w, enum block_type type, uint32_t thread, const void *payload, size_t bytes, struct err *why)
{
	check(type != BLOCK_DATA);
	if (type == BLOCK_END && flush_all(w, why))
		return -1;
	if (type == BLOCK_END && w->total && sorted_apply(&w->sorted, &w->file, w->path, why)) {
		w->failed = true;
		return -1;
	}
	if (bytes > BLOCK_MAX)
		return err_set(why, "cannot write '%s': a block of %zu bytes is too large", w->path, bytes);
	struct block_head head = { .type = (uint16_t)type, .decoded = (uint32_t)bytes, .thread = thread };
	void *copy = NULL;
	if (type == BLOCK_MODULE && w->moved && bytes) {
		payload = copy = memcpy(mem_take(bytes), payload, bytes);
		moved_module(w->moved, copy, bytes);
	}
	size_t need = bytes > TEXT_SMALL ? ZSTD_compressBound(bytes) : 0;
	void *packed = need ? mem_take(need) : NULL;
	size_t small = need ? ZSTD_compress(packed, need, payload, bytes, TEXT_LEVEL) : bytes;
	if (need && !ZSTD_isError(small))
		small = unpack_pad(packed, small, need, bytes);
	bool use = need && !ZSTD_isError(small) && small < bytes;
	head.coding = use ? CODING_ZSTD : CODING_PLAIN;
	int failed = put_block(w, &head, NULL, 0, use ? packed : payload, use ? small : bytes, why);
	mem_free(packed);
	mem_free(copy);
	return failed;
}

int writer_sites(struct writer *w, uint64_t address, const void *sites, size_t bytes, struct err *why)
{
	uint64_t said = writer_address(w, address);
	if (w->moved && sites_add(w->real, address, sites, bytes, true, why))
		return -1;
	if (w->total && sites_has(w->sites, said, sites, bytes))
		return 0;
	/* what is held back was written by code that may be gone: code it by the table it knew */
	if (sites_overlap(w->sites, said, bytes)) {
		if (flush_all(w, why))
			return -1;
		w->sorted.generation++;
	}
	return sites_add(w->sites, said, sites, bytes, true, why);
}

void writer_shelf(struct writer *w, struct shelf *shelf, uint32_t file)
{
	check(!w->total && !w->held.count);
	w->shelf = shelf;
	w->file_number = file;
}

void writer_moved(struct writer *w, const struct moved_range *ranges, size_t count)
{
	if (!w->moved) {
		w->moved = moved_new();
		w->real = sites_new();
		sites_copy(w->real, w->sites);
	}
	moved_add(w->moved, ranges, count);
}

uint64_t writer_address(const struct writer *w, uint64_t address)
{
	return w->moved ? moved_address(w->moved, address) : address;
}

int writer_flush(struct writer *w, struct err *why)
{
	return flush_all(w, why);
}

const uint64_t *writer_code(const struct writer *w, size_t *count)
{
	*count = w->code.count;
	return w->code.at;
}

uint64_t writer_guess(const struct writer *w, uint64_t raw)
{
	return w->raw ? (uint64_t)((double)raw * (double)w->coded / (double)w->raw) : raw / 4;
}

uint64_t writer_bytes(const struct writer *w)
{
	return w->bytes + writer_guess(w, w->held_bytes);
}

uint64_t writer_events(const struct writer *w)
{
	return w->events;
}

int writer_close(struct writer *w, struct err *why)
{
	int failed = flush_all(w, why);
	if (close(w->file) && !failed)
		failed = err_set(why, "cannot write '%s': %s", w->path, str_error(errno));
	XXH64_freeState(w->hash);
	codec_free(w->codec);
	sites_free(w->real);
	sites_free(w->sites);
	moved_free(w->moved);
	sorted_release(&w->sorted);
	for (size_t i = 0; i < w->held.count; i++)
		held_release(w, &w->held.at[i]);
	map_release(&w->lanes);
	map_release(&w->code_met);
	vec_release(&w->code);
	vec_release(&w->held);
	mem_free(w->path);
	mem_free(w);
	return failed;
}
