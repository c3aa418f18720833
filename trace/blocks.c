/* trace/blocks.c -- see blocks.h.  A block counts when its magic, its sizes and its checksum agree, as in reader.c. */
#include "trace/blocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/file.h"
#include "base/unpack.h"
#include "base/vec.h"
#include "trace/codec.h"
#include "trace/sites.h"
#include "wire/ring.h"
#include "wire/tls.h"
#include "wire/version.h"

struct walk {
	const uint8_t *map;
	size_t bytes, at;
	struct codec *codec;
	struct sites *sites;
	VEC(uint8_t *) payloads;                /* of modules: the tables lie in them */
	const struct blocks_taker *taker;
	bool ended;
};

bool blocks_head(const char *path, struct trace_head *head)
{
	struct err ignored;
	int fd = file_open_read(path, &ignored);
	if (fd < 0)
		return false;
	bool sound = pread(fd, head, sizeof *head, 0) == sizeof *head && memcmp(head->magic, TRACE_MAGIC, 8) == 0 &&
		head->check == XXH64(head, sizeof *head - sizeof head->check, 0) && head->version == WIRE_TRACE_VERSION;
	close(fd);
	return sound;
}

static bool is_sound(const struct walk *w, struct block_head *h)
{
	if (w->bytes - w->at < sizeof *h)
		return false;
	memcpy(h, w->map + w->at, sizeof *h);
	if (h->magic != BLOCK_MAGIC || h->stored > BLOCK_MAX || h->decoded > BLOCK_MAX || h->stored > w->bytes - w->at - sizeof *h ||
		!unpack_ratio_fits(sizeof *h + (uint64_t)h->stored, h->decoded))
		return false;
	struct block_head bare = *h;
	bare.check = 0;
	XXH64_state_t *hash = XXH64_createState();
	XXH64_reset(hash, 0);
	XXH64_update(hash, &bare, sizeof bare);
	XXH64_update(hash, w->map + w->at + sizeof *h, h->stored);
	uint64_t sum = XXH64_digest(hash);
	XXH64_freeState(hash);
	return sum == h->check;
}

/* mem_free() it; NULL: it cannot be unpacked. */
static uint8_t *unpacked(const struct walk *w, const struct block_head *h)
{
	const uint8_t *stored = w->map + w->at + sizeof *h;
	uint8_t *bytes = mem_take(h->decoded + 1u);
	size_t got = h->stored;
	if (h->coding == CODING_ZSTD)
		got = ZSTD_decompress(bytes, h->decoded, stored, h->stored);
	else if (h->coding == CODING_PLAIN && h->stored == h->decoded)
		memcpy(bytes, stored, h->stored);
	if (got == h->decoded)
		return bytes;
	mem_free(bytes);
	return NULL;
}

/* Records of later blocks are coded by its tables. */
static void use_module(struct walk *w, uint8_t *bytes, size_t count)
{
	struct module_block m;
	struct err ignored;
	vec_push(&w->payloads, bytes);
	if (count < sizeof m)
		return;
	memcpy(&m, bytes, sizeof m);
	uint64_t at = sizeof m + (uint64_t)m.path_bytes + m.build_id_bytes;
	if (!m.sites_address || !m.sites_bytes || at + m.sites_bytes > count)
		return;
	if (sites_overlap(w->sites, m.sites_address, m.sites_bytes) && !sites_has(w->sites, m.sites_address, bytes + at, m.sites_bytes)) {
		struct sites *next = sites_new();
		sites_copy(next, w->sites);
		sites_free(w->sites);
		w->sites = next;
	}
	(void)sites_add(w->sites, m.sites_address, bytes + at, m.sites_bytes, false, &ignored);
}

static bool take_text(struct walk *w, const struct block_head *h)
{
	uint8_t *bytes = unpacked(w, h);
	if (!bytes)
		return false;
	w->ended |= h->type == BLOCK_END;
	w->taker->text(w->taker->with, h->type, h->thread, bytes, h->decoded);
	if (h->type == BLOCK_MODULE)
		use_module(w, bytes, h->decoded);
	else
		mem_free(bytes);
	return true;
}

static bool take_segments(struct walk *w, const struct block_head *h, const struct decoded *d)
{
	const uint8_t *table = w->map + w->at + sizeof *h;
	size_t at = 0;
	for (uint32_t i = 0; i < h->count; i++) {
		struct segment_entry entry;
		memcpy(&entry, table + (size_t)i * sizeof entry, sizeof entry);
		if (entry.bytes > d->count - at)
			return false;
		struct segment_note note = { h->thread, h->nest, h->seq + i, i ? 0 : h->at_seq, i ? 0 : h->at_offset, entry.start_time, entry.end_time };
		w->taker->segment(w->taker->with, &note, d->bytes + at, entry.bytes);
		at += entry.bytes;
	}
	return at == d->count;
}

static bool take_data(struct walk *w, const struct block_head *h)
{
	struct decoded d = { 0 };
	struct err ignored;
	size_t table = (size_t)h->count * sizeof(struct segment_entry);
	if (h->nest >= NEST_LEVELS || !h->count || table > h->stored)
		return false;
	bool sound = codec_decode(w->codec, w->sites, h->coding, w->map + w->at + sizeof *h + table, h->stored - table, h->decoded, &d, &ignored) == 0 &&
		take_segments(w, h, &d);
	decoded_release(&d);
	return sound;
}

static void walk(struct walk *w)
{
	struct block_head h;
	w->at = sizeof(struct trace_head);
	w->codec = codec_new(ORDER_PER_OBJECT);
	w->sites = sites_new();
	while (!w->ended && w->at < w->bytes && is_sound(w, &h)) {
		if (!(h.type == BLOCK_DATA ? take_data(w, &h) : take_text(w, &h)))
			break;
		w->at += sizeof h + ((uint64_t)h.stored + 7) / 8 * 8;
	}
	for (size_t i = 0; i < w->payloads.count; i++)
		mem_free(w->payloads.at[i]);
	vec_release(&w->payloads);
	sites_free(w->sites);
	codec_free(w->codec);
}

bool blocks_each(const char *path, const struct blocks_taker *taker)
{
	struct walk w = { .taker = taker };
	struct err ignored;
	struct stat facts;
	int fd = file_open_read(path, &ignored);
	if (fd < 0)
		return false;
	if (fstat(fd, &facts) == 0 && (size_t)facts.st_size > sizeof(struct trace_head)) {
		w.bytes = (size_t)facts.st_size;
		void *map = mmap(NULL, w.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			w.map = map;
			walk(&w);
			munmap(map, w.bytes);
		}
	}
	close(fd);
	return w.ended;
}
