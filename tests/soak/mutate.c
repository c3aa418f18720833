/* tests/soak/mutate.c -- one mutation of a file, drawn by a seed.
 *   mutate records <trace> <out> <seed>     decoded records are changed, moved, doubled, left out; text of its other blocks is changed; blocks are
 *                                           written again with right sizes and checksums, so that what lies after those checks is reached
 *   mutate words <text> <out> <seed>        words and lines of a text
 *   mutate bytes <file> <out> <seed>        bits and bytes: what a checksum is for
 * Exit: 0 written, 1 it is what it was, 2 it cannot be read. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "trace/codec.h"
#include "trace/inside.h"

#define MOST ((size_t)1 << 28)

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	seed += 0x9e3779b97f4a7c15ull;
	uint64_t x = seed;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return below ? (x ^ x >> 31) % below : 0;
}

static uint64_t odd_number(uint64_t was)
{
	static const uint64_t edges[] = { 0, 1, 2, 7, 8, 255, 256, 65535, 65536, INT32_MAX, UINT32_MAX, (uint64_t)1 << 32, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX - 1, UINT64_MAX };
	switch (draw(5)) {
	case 0: return edges[draw(sizeof edges / sizeof *edges)];
	case 1: return was + 1;
	case 2: return was - 1;
	case 3: return was ^ (uint64_t)1 << draw(64);
	default: return draw(UINT64_MAX);
	}
}

/* ---- records ---- */

static size_t record_end(const struct decoded *d, size_t i)
{
	return i + 1 < d->record_count ? d->records[i + 1].at : d->count;
}

/* A word of a record: another number, or the word of another record. */
static void change_word(struct decoded *d)
{
	const struct record_ref *r = &d->records[draw(d->record_count)];
	size_t words = (record_end(d, (size_t)(r - d->records)) - r->at) / 8, other = draw(d->count / 8) * 8, at = r->at + 8 * draw(words);
	uint64_t word;
	memcpy(&word, d->bytes + (draw(3) ? at : other), 8);
	if (draw(3) == 0)
		((uint8_t *)&word)[draw(8)] = (uint8_t)draw(256);
	else if (draw(2))
		word = odd_number(word);
	memcpy(d->bytes + at, &word, 8);
}

/* Two records of one size change places, or one is there twice instead of the other. */
static void change_records(struct decoded *d)
{
	size_t a = draw(d->record_count), b = draw(d->record_count), size = record_end(d, a) - d->records[a].at;
	uint8_t kept[4096];
	if (size != record_end(d, b) - d->records[b].at || size > sizeof kept)
		return;
	memcpy(kept, d->bytes + d->records[a].at, size);
	memcpy(d->bytes + d->records[a].at, d->bytes + d->records[b].at, size);
	if (draw(2))
		memcpy(d->bytes + d->records[b].at, kept, size);
}

/* Words of a text block. */
static void change_text(uint8_t *at, size_t count)
{
	for (unsigned tries = 0; count && tries < 100; tries++) {
		size_t i = draw(count);
		if (at[i] >= '0' && at[i] <= '9')
			at[i] = (uint8_t)('0' + draw(10));
		else if (at[i] == '\n' || tries < 50)
			continue;
		else
			at[i] = (uint8_t)draw(256);
		return;
	}
}

static void put_block(struct buffer *out, struct block_head h, const void *entries, size_t entry_bytes, const void *payload, size_t count)
{
	static const uint8_t zeros[8];
	size_t at = out->count;
	h.coding = CODING_PLAIN;
	h.stored = (uint32_t)(entry_bytes + count);
	h.decoded = (uint32_t)count;
	h.check = 0;
	buffer_add(out, &h, sizeof h);
	buffer_add(out, entries, entry_bytes);
	buffer_add(out, payload, count);
	h.check = XXH64(out->at + at, sizeof h + h.stored, 0);
	memcpy(out->at + at + offsetof(struct block_head, check), &h.check, 8);
	buffer_add(out, zeros, (8 - h.stored % 8) % 8);
}

static const struct data_block *data_at(const struct trace *t, uint64_t at)
{
	for (size_t i = 0; i < t->blocks.count; i++)
		if (t->blocks.at[i].at == at)
			return &t->blocks.at[i];
	return NULL;
}

static void put_data(struct buffer *out, struct trace *t, struct codec *c, const struct data_block *b, bool changed)
{
	struct loaded l = { 0 };
	struct err why;
	if (loaded_fill(&l, t, c, b, &why) < 0)
		exit(2);
	for (uint64_t n = changed && l.decoded.record_count ? 1 + draw(4) : 0; n; n--)
		draw(4) ? change_word(&l.decoded) : change_records(&l.decoded);
	struct block_head h = b->head;
	if (changed && draw(8) == 0)
		h.end_time = odd_number(h.end_time);
	put_block(out, h, l.segments, h.count * sizeof *l.segments, l.decoded.bytes, l.decoded.count);
	loaded_release(&l);
}

static void put_other(struct buffer *out, const struct block_head *h, const uint8_t *stored, bool changed)
{
	uint8_t *bytes = malloc(h->decoded + 1);
	if (h->coding == CODING_PLAIN)
		memcpy(bytes, stored, h->decoded);
	else if (ZSTD_decompress(bytes, h->decoded, stored, h->stored) != h->decoded)
		exit(2);
	if (changed && h->type == BLOCK_MODULE && draw(2))
		bytes[draw(h->decoded)] = (uint8_t)draw(256);
	else if (changed)
		change_text(bytes, h->decoded);
	put_block(out, *h, NULL, 0, bytes, h->decoded);
	free(bytes);
}

static void mutate_records(const char *path, struct buffer *out)
{
	struct trace *t;
	struct err why;
	struct block_head h;
	size_t blocks = 0;
	if (trace_open(&t, path, &(struct trace_options){ 0 }, &why) < 0)
		exit(2);
	struct codec *c = codec_new(((const struct trace_head *)t->map)->order);
	buffer_add(out, t->map, sizeof(struct trace_head));
	for (size_t at = sizeof(struct trace_head); at + sizeof h <= t->map_bytes; at += sizeof h + (h.stored + 7ull) / 8 * 8, blocks++)
		memcpy(&h, t->map + at, sizeof h);
	uint64_t which = draw(blocks), more = draw(blocks), number = 0;
	for (size_t at = sizeof(struct trace_head); at + sizeof h <= t->map_bytes; at += sizeof h + (h.stored + 7ull) / 8 * 8, number++) {
		const struct data_block *b = data_at(t, at);
		bool changed = number == which || number == more || (b && draw(3) == 0);
		memcpy(&h, t->map + at, sizeof h);
		if (b)
			put_data(out, t, c, b, changed);
		else
			put_other(out, &h, t->map + at + sizeof h, changed && (h.type != BLOCK_END || draw(2)));
	}
	codec_free(c);
	trace_close(t);
}

/* ---- words ---- */

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/* The word that `at` lies in, or the next. */
static void word_at(const char *text, size_t count, size_t at, size_t *from, size_t *to)
{
	while (at < count && is_space(text[at]))
		at++;
	for (*from = at; *from && !is_space(text[*from - 1]); --*from)
		;
	for (*to = at; *to < count && !is_space(text[*to]); ++*to)
		;
}

static void line_at(const char *text, size_t count, size_t at, size_t *from, size_t *to)
{
	for (*from = at; *from && text[*from - 1] != '\n'; --*from)
		;
	for (*to = at; *to < count && text[(*to)++] != '\n';)
		;
}

static void replace(struct buffer *out, const char *text, size_t count, size_t from, size_t to, const char *by, size_t length)
{
	out->count = 0;
	buffer_add(out, text, from);
	buffer_add(out, by, length);
	buffer_add(out, text + to, count - to);
}

static void mutate_words(const char *text, size_t count, struct buffer *out)
{
	size_t from, to, from2, to2, at = draw(count), at2 = draw(count);
	char number[40];
	if (draw(3)) {
		word_at(text, count, at, &from, &to);
		word_at(text, count, at2, &from2, &to2);
		int length = snprintf(number, sizeof number, draw(4) ? "%llu" : "0x%llx", (unsigned long long)odd_number(strtoull(text + from, NULL, 0)));
		switch (draw(4)) {
		case 0: replace(out, text, count, from, to, text + from2, to2 - from2); break;
		case 1: replace(out, text, count, from, to, "", 0); break;
		default: replace(out, text, count, from, to, number, (size_t)length); break;
		}
		return;
	}
	line_at(text, count, at, &from, &to);
	line_at(text, count, at2, &from2, &to2);
	switch (draw(3)) {
	case 0: replace(out, text, count, from, to, text + from2, to2 - from2); break;
	case 1: replace(out, text, count, from, to, "", 0); break;
	default: replace(out, text, count, from, from, text + from2, to2 - from2); break;
	}
}

static void mutate_bytes(const char *bytes, size_t count, struct buffer *out)
{
	buffer_add(out, bytes, count);
	for (uint64_t n = 1 + draw(3); n; n--)
		if (draw(2))
			out->at[draw(count)] ^= (uint8_t)(1u << draw(8));
		else
			out->at[draw(count)] = (uint8_t)draw(256);
	if (draw(8) == 0)
		out->count = draw(count);
}

int main(int argc, char **argv)
{
	struct buffer out = { 0 };
	struct err why;
	char *bytes;
	size_t count;
	if (argc != 5 || file_read(argv[2], MOST, &bytes, &count, &why) < 0 || !count)
		return 2;
	seed = strtoull(argv[4], NULL, 10);
	if (!strcmp(argv[1], "records"))
		mutate_records(argv[2], &out);
	for (uint64_t n = 1 + draw(3); n && !strcmp(argv[1], "words"); n--) {
		struct buffer next = { 0 };
		mutate_words(out.count ? (char *)out.at : bytes, out.count ? out.count : count, &next);
		buffer_release(&out);
		out = next;
	}
	if (!strcmp(argv[1], "bytes"))
		mutate_bytes(bytes, count, &out);
	FILE *to = fopen(argv[3], "w");
	if (!to || fwrite(out.at, 1, out.count, to) != out.count || fclose(to))
		return 2;
	bool same = out.count == count && !memcmp(out.at, bytes, count);
	buffer_release(&out);
	mem_free(bytes);
	return same;
}
