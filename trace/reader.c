/* trace/reader.c -- opens a trace file: maps it, checks its head and every block, gathers facts and threads.
 *
 * Nothing in the file is believed: a block counts only when its magic, its size and its checksum agree, and the file only
 * when it ends with an END block.  With salvage the blocks before the first fault are used and the rest is named.
 *   (1) after opening, blocks[] is sorted by thread, nest, seq, and of_thread[] holds the range of each lane;
 *   (2) dense thread ids: 0 is the main thread, the others follow by uid. */
#include "trace/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/unpack.h"
#include "trace/inside.h"
#include "trace/std.h"
#include "trace/text.h"
#include "wire/version.h"

const struct place place_unknown = { "", "", "", "", "", 0, 0, UINT32_MAX, 0, NULL };

struct walk {                                   /* where we are in the file */
	struct trace *trace;
	XXH64_state_t *hash;
	uint64_t at;
	uint32_t number;                        /* of the block at `at`: 1, 2, ... */
	bool ended;
	struct err *why;
};

/* ---- strings and facts ---- */

const char *trace_intern(struct trace *t, const char *text, size_t length)
{
	return length ? names_text(&t->strings, names_put(&t->strings, text, length)) : "";
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Undoes \xNN and \\ . */
static const char *plain_text(struct trace *t, const char *text, size_t length)
{
	char *copy = mem_take(length + 1);
	size_t used = 0;
	for (size_t i = 0; i < length; i++) {
		bool escaped = text[i] == '\\' && i + 3 < length && text[i + 1] == 'x' && hex(text[i + 2]) >= 0 && hex(text[i + 3]) >= 0;
		copy[used++] = escaped ? (char)(hex(text[i + 2]) << 4 | hex(text[i + 3])) : text[i];
		i += escaped ? 3 : 0;
	}
	const char *kept = trace_intern(t, copy, strnlen(copy, used));
	mem_free(copy);
	return kept;
}

typedef void line_taker(struct trace *t, void *who, const char *key, const char *value);

/* Splits a payload of "key value" lines. */
static void each_line(struct trace *t, const uint8_t *bytes, size_t count, line_taker *take, void *who)
{
	const char *at = (const char *)bytes, *end = at + count;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		const char *space = memchr(at, ' ', (size_t)(stop - at));
		const char *key_end = space ? space : stop;
		const char *value = space ? space + 1 : stop;
		if (key_end > at)
			take(t, who, trace_intern(t, at, (size_t)(key_end - at)), plain_text(t, value, (size_t)(stop - value)));
		at = stop + 1;
	}
}

static void take_fact(struct trace *t, void *who, const char *key, const char *value)
{
	(void)who;
	vec_push(&t->facts, ((struct fact){ key, value }));
	if (strcmp(key, "ticks_per_second") == 0 && !t->ticks_per_second)
		str_number(value, &t->ticks_per_second);
}

/* ---- threads ---- */

struct thread_note { struct trace_thread thread; uint32_t parent_uid; };

static void take_thread_line(struct trace *t, void *who, const char *key, const char *value)
{
	struct thread_note *note = who;
	struct trace_thread *x = &note->thread;
	uint64_t n = 0;
	bool number = str_number(value, &n);
	(void)t;
	if (strcmp(key, "path") == 0)
		x->path = value;
	else if (strcmp(key, "name") == 0)
		x->name = value;
	else if (strcmp(key, "state") == 0)
		x->alive_at_end = strcmp(value, "live") == 0 || strcmp(value, "alive") == 0 || (number && n == AREA_LIVE);
	else if (!number)
		return;
	else if (strcmp(key, "parent") == 0)
		note->parent_uid = (uint32_t)n;
	else if (strcmp(key, "tid") == 0)
		x->tid = (int32_t)n;
	else if (strcmp(key, "waits_kind") == 0)
		x->waits_kind = (uint32_t)n;
	else if (strcmp(key, "waits_until") == 0)
		x->waits_until = n != 0;
	else if (strcmp(key, "waits_for") == 0)
		x->waits_for = n;
	else if (strcmp(key, "lost") == 0)
		x->lost = n;
	else if (strcmp(key, "fault") == 0)
		x->fault = n, x->faulted = true;
}

/* The thread of this uid, entered if new: threads are not dense yet while the file is read. */
static struct trace_thread *thread_entry(struct trace *t, uint32_t uid)
{
	bool fresh;
	uint64_t *index = map_put(&t->uid_index, uid, &fresh);
	if (fresh) {
		struct trace_thread *x = vec_add(&t->threads);
		*x = (struct trace_thread){ .path = "", .name = "", .uid = uid, .parent = NO_THREAD };
		*index = t->threads.count - 1;
	}
	return &t->threads.at[*index];
}

static void take_thread(struct trace *t, uint32_t uid, const uint8_t *bytes, size_t count)
{
	struct trace_thread *x = thread_entry(t, uid);
	struct thread_note note = { *x, x->parent.i == UINT32_MAX ? 0 : x->parent.i };
	each_line(t, bytes, count, take_thread_line, &note);
	note.thread.parent.i = note.parent_uid ? note.parent_uid : UINT32_MAX;  /* a uid until threads_ready() */
	*thread_entry(t, uid) = note.thread;
}

static int by_uid_main_first(const void *a, const void *b)
{
	const struct trace_thread *x = a, *y = b;
	bool x_main = strcmp(x->path, "T_0") == 0, y_main = strcmp(y->path, "T_0") == 0;
	if (x_main != y_main)
		return x_main ? -1 : 1;
	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

struct thread_id trace_thread_of_uid(const struct trace *t, uint64_t uid)
{
	const uint64_t *index = map_get(&t->uid_index, uid);
	return index ? (struct thread_id){ (uint32_t)*index } : NO_THREAD;
}

static void threads_ready(struct trace *t)
{
	if (t->threads.count)
		qsort(t->threads.at, t->threads.count, sizeof *t->threads.at, by_uid_main_first);
	map_release(&t->uid_index);
	for (size_t i = 0; i < t->threads.count; i++)
		*map_put(&t->uid_index, t->threads.at[i].uid, NULL) = i;
	for (size_t i = 0; i < t->threads.count; i++) {
		struct trace_thread *x = &t->threads.at[i];
		if (x->parent.i != UINT32_MAX)
			x->parent = trace_thread_of_uid(t, x->parent.i);
		if (x->waits_kind == EV_JOIN)
			x->waits_for = trace_thread_of_uid(t, x->waits_for).i;
		if (x->parent.i == i)
			x->parent = NO_THREAD;
		if (!*x->path) {
			char path[32];
			snprintf(path, sizeof path, "T_?%u", x->uid);
			x->path = trace_intern(t, path, strlen(path));
		}
	}
}

static int by_lane(const void *a, const void *b)
{
	const struct block_head *x = &((const struct data_block *)a)->head, *y = &((const struct data_block *)b)->head;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->nest != y->nest)
		return x->nest < y->nest ? -1 : 1;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return ((const struct data_block *)a)->at < ((const struct data_block *)b)->at ? -1 : 1;
}

/* head.thread of every block becomes the dense id; ranges are noted. */
static void lanes_ready(struct trace *t)
{
	for (size_t i = 0; i < t->threads.count; i++)
		(void)vec_add(&t->of_thread);
	for (size_t i = 0; i < t->blocks.count; i++)
		t->blocks.at[i].head.thread = trace_thread_of_uid(t, t->blocks.at[i].head.thread).i;
	if (t->blocks.count)
		qsort(t->blocks.at, t->blocks.count, sizeof *t->blocks.at, by_lane);
	for (size_t i = 0; i < t->blocks.count; i++) {
		const struct block_head *h = &t->blocks.at[i].head;
		struct block_range *range = &t->of_thread.at[h->thread].nest[h->nest];
		if (range->count++ == 0)
			range->first = (uint32_t)i;
	}
}

/* ---- blocks ---- */

__attribute__((format(printf, 2, 3)))
static int damaged(struct walk *w, const char *format, ...)
{
	char what[256];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	err_set(w->why, "trace '%.200s' is damaged: block %u (byte %llu) %s", w->trace->path, w->number,
		(unsigned long long)w->at, what);
	if (w->number == 2)
		err_hint(w->why, "block 1 is sound; --salvage uses it");
	else if (w->number > 2)
		err_hint(w->why, "blocks 1-%u are sound; --salvage uses them", w->number - 1);
	w->why->code = 3;
	return -1;
}

/* Sound, but not for us. */
static int other_version(struct walk *w, const struct err *inner)
{
	err_set(w->why, "trace '%.200s' comes from another version of raddle: block %u (byte %llu) %s", w->trace->path, w->number,
		(unsigned long long)w->at, inner->text);
	err_hint(w->why, "%s", inner->hint);
	w->why->code = 3;
	return -1;
}

static int check_block(struct walk *w, struct block_head *h)
{
	const struct trace *t = w->trace;
	uint64_t left = t->map_bytes - w->at;
	if (left < sizeof *h)
		return damaged(w, "is cut short");
	memcpy(h, t->map + w->at, sizeof *h);
	if (h->magic != BLOCK_MAGIC)
		return damaged(w, "does not begin with a block's magic");
	uint64_t whole = sizeof *h + ((uint64_t)h->stored + 7) / 8 * 8;
	if (h->stored > BLOCK_MAX || h->decoded > BLOCK_MAX)
		return damaged(w, "claims an impossible size");
	if (whole > left)
		return damaged(w, "is cut short");
	if (!unpack_ratio_fits(sizeof *h + (uint64_t)h->stored, h->decoded))
		return damaged(w, "claims to hold more than 1,000 times its size");
	struct block_head bare = *h;
	bare.check = 0;
	XXH64_reset(w->hash, 0);
	XXH64_update(w->hash, &bare, sizeof bare);
	XXH64_update(w->hash, t->map + w->at + sizeof *h, h->stored);
	if (XXH64_digest(w->hash) != h->check)
		return damaged(w, "has a wrong checksum");
	for (uint64_t i = sizeof *h + h->stored; i < whole; i++)
		if (t->map[w->at + i])
			return damaged(w, "has bytes in its padding");
	return 0;
}

static int note_data(struct walk *w, const struct block_head *h)
{
	struct trace *t = w->trace;
	if (h->nest >= NEST_LEVELS)
		return damaged(w, "claims a signal handler of depth %u", h->nest);
	if (h->count == 0 || (uint64_t)h->count * sizeof(struct segment_entry) > h->stored)
		return damaged(w, "claims %u segments", h->count);
	if (t->blocks.count >= UINT32_MAX - 1)
		return damaged(w, "is one block too many");
	thread_entry(t, h->thread);
	vec_push(&t->blocks, ((struct data_block){ w->at, w->number, (uint32_t)t->sites.count - 1, *h }));
	return 0;
}

/* The payload of a block that is no DATA: in the file itself, or decoded into memory that stays with the trace. */
static const uint8_t *payload_of(struct walk *w, const struct block_head *h)
{
	struct trace *t = w->trace;
	const uint8_t *stored = t->map + w->at + sizeof *h;
	if (h->coding == CODING_PLAIN)
		return h->decoded == h->stored ? stored : (damaged(w, "has two sizes"), NULL);
	if (h->coding != CODING_ZSTD)
		return damaged(w, "has an unknown coding %u", h->coding), NULL;
	unsigned long long claims = ZSTD_getFrameContentSize(stored, h->stored);
	if (claims != h->decoded)
		return damaged(w, "does not decode to its size"), NULL;
	if (unpack_take(h->decoded, "the trace", w->why))
		return NULL;
	t->unpacked += h->decoded;
	uint8_t *bytes = mem_take(h->decoded + 1u);
	vec_push(&t->payloads, bytes);
	if (ZSTD_decompress(bytes, h->decoded, stored, h->stored) != h->decoded)
		return damaged(w, "does not decode"), NULL;
	return bytes;
}

static int take_block(struct walk *w, const struct block_head *h)
{
	struct trace *t = w->trace;
	const char *fault = NULL;
	struct err inner = { 0 };
	if (w->ended)
		return damaged(w, "stands behind the end");
	if (h->type == BLOCK_DATA)
		return note_data(w, h);
	const uint8_t *bytes = payload_of(w, h);
	if (!bytes)
		return -1;
	switch (h->type) {
	case BLOCK_END:
		w->ended = true;
		__attribute__((fallthrough));
	case BLOCK_INFO:
		each_line(t, bytes, h->decoded, take_fact, NULL);
		return 0;
	case BLOCK_THREAD:
		take_thread(t, h->thread, bytes, h->decoded);
		return 0;
	case BLOCK_PLACES:
		code_add_places(t, bytes, h->decoded);
		return 0;
	case BLOCK_MODULE:
		if (modules_add(t, bytes, h->decoded, &fault, &inner))
			return fault || !inner.hint[0] ? damaged(w, "%s", fault ? fault : inner.text) : other_version(w, &inner);
		return 0;
	default:
		return damaged(w, "has an unknown type %u", h->type);
	}
}

static int walk_blocks(struct walk *w)
{
	struct trace *t = w->trace;
	while (w->at < t->map_bytes) {
		struct block_head h;
		if (check_block(w, &h) || take_block(w, &h))
			return -1;
		w->at += sizeof h + ((uint64_t)h.stored + 7) / 8 * 8;
		w->number++;
	}
	if (!w->ended)
		return damaged(w, "is missing: the recording was cut short and has no end");
	t->complete = true;
	return 0;
}

/* ---- the file ---- */

static int head_damaged(struct trace *t, const char *what, struct err *why)
{
	err_set(why, "trace '%.200s' is damaged: its head (byte 0) %s", t->path, what);
	why->code = 3;
	return -1;
}

static int read_head(struct trace *t, struct err *why)
{
	struct trace_head h;
	if (t->map_bytes < sizeof h)
		return head_damaged(t, "is cut short", why);
	memcpy(&h, t->map, sizeof h);
	if (memcmp(h.magic, TRACE_MAGIC, 8) != 0)
		return head_damaged(t, "does not begin with the magic of a trace", why);
	if (h.endian == __builtin_bswap32(LITTLE_ENDIAN_MARK))
		return head_damaged(t, "was written by a big-endian machine", why);
	bool sound = h.check == XXH64(&h, sizeof h - sizeof h.check, 0);
	if (sound && h.version != WIRE_TRACE_VERSION) {
		err_set(why, "trace '%s' has version %u, this raddle reads version %u (byte 8)", t->path, h.version, WIRE_TRACE_VERSION);
		err_hint(why, "record it again, or read it with the raddle that recorded it");
		why->code = 3;
		return -1;
	}
	if (!sound || h.endian != LITTLE_ENDIAN_MARK)
		return head_damaged(t, "has a wrong checksum", why);
	t->order = h.order == ORDER_TOTAL ? ORDER_TOTAL : ORDER_PER_OBJECT;
	t->flags = h.flags;
	t->level = h.level;
	t->ticks_per_second = h.ticks_per_second;
	return 0;
}

static int open_blocks(struct trace *t, const struct trace_options *options, struct err *why)
{
	if (read_head(t, why))
		return -1;
	t->salvage = options && options->salvage;
	vec_push(&t->sites, sites_new());
	struct walk w = { .trace = t, .hash = XXH64_createState(), .at = sizeof(struct trace_head), .number = 1, .why = why };
	check(w.hash);
	int result = walk_blocks(&w);
	XXH64_freeState(w.hash);
	if (result && t->salvage) {
		char what[600];
		const char *colon = strstr(why->text, "is damaged: ");
		snprintf(what, sizeof what, "%s; it and what follows was left out", colon ? colon + 12 : why->text);
		t->salvaged = trace_intern(t, what, strlen(what));
		result = 0;
	}
	threads_ready(t);
	lanes_ready(t);
	modules_ready(t);
	code_ready(t);
	return result;
}

static int map_file(struct trace *t, struct err *why)
{
	struct stat facts = { 0 };
	int file = file_open_read(t->path, why);
	if (file < 0) {
		if (errno == ENOENT) {
			err_set(why, "cannot open '%s': no such file", t->path);
			err_hint(why, "run 'raddle record -- <program>' first");
		}
		why->code = 3;
		return -1;
	}
	if (fstat(file, &facts) == 0 && facts.st_size > 0) {
		t->map_bytes = (size_t)facts.st_size;
		void *map = mmap(NULL, t->map_bytes, PROT_READ, MAP_PRIVATE, file, 0);
		t->map = map == MAP_FAILED ? NULL : map;
	}
	int reason = errno;
	close(file);
	if (t->map)
		return 0;
	err_set(why, "cannot read '%s': %s", t->path, facts.st_size == 0 ? "the file is empty" : str_error(reason));
	why->code = 3;
	return -1;
}

/* Is it a file of blocks, perhaps with a damaged or cut magic? */
static bool looks_binary(const uint8_t *bytes, size_t count)
{
	size_t have = count < 8 ? count : 8, same = 0;
	for (size_t i = 0; i < have; i++)
		same += bytes[i] == (uint8_t)TRACE_MAGIC[i];
	return same * 2 > have;
}

int trace_open(struct trace **out, const char *path, const struct trace_options *options, struct err *why)
{
	struct trace *t = mem_take(sizeof *t);
	*out = NULL;
	t->path = mem_take(strlen(path) + 1);
	strcpy(t->path, path);
	int result = map_file(t, why);
	if (result == 0 && !looks_binary(t->map, t->map_bytes)) {
		result = std_is((const char *)t->map, t->map_bytes) ? std_load(out, path, (const char *)t->map, t->map_bytes, why)
			: text_load(out, path, (const char *)t->map, t->map_bytes, options, why);
		trace_close(t);
		return result;
	}
	if (result == 0)
		result = open_blocks(t, options, why);
	if (result == 0)
		*out = t;
	else
		trace_close(t);
	return result;
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	if (t->map)
		munmap((void *)t->map, t->map_bytes);
	for (size_t i = 0; i < t->sites.count; i++)
		sites_free(t->sites.at[i]);
	for (size_t i = 0; i < t->payloads.count; i++)
		mem_free(t->payloads.at[i]);
	unpack_give(t->unpacked);
	for (size_t i = 0; i < t->events.count; i++) {
		vec_release(&t->events.at[i]->all);
		mem_free(t->events.at[i]);
	}
	for (size_t i = 0; t->first && i < t->threads.count; i++)
		if (t->first[i]) {
			loaded_release(t->first[i]);
			mem_free(t->first[i]);
		}
	mem_free(t->first);
	lines_free(t->lines);
	codec_free(t->codec);
	vec_release(&t->sites);
	vec_release(&t->payloads);
	vec_release(&t->events);
	vec_release(&t->sequence);
	vec_release(&t->facts);
	vec_release(&t->threads);
	vec_release(&t->modules);
	vec_release(&t->objects);
	vec_release(&t->functions);
	vec_release(&t->blocks);
	vec_release(&t->of_thread);
	map_release(&t->uid_index);
	map_release(&t->code_places);
	map_release(&t->call_places);
	map_release(&t->unit_places);
	map_release(&t->shown);
	names_release(&t->strings);
	arena_release(&t->arena);
	mem_free(t->path);
	mem_free(t);
}

/* ---- questions ---- */

const char *trace_path(const struct trace *t) { return t->path; }
enum trace_order trace_order(const struct trace *t) { return t->order; }
uint32_t trace_flags(const struct trace *t) { return t->flags; }
uint32_t trace_level(const struct trace *t) { return t->level; }
uint64_t trace_ticks_per_second(const struct trace *t) { return t->ticks_per_second; }
bool trace_complete(const struct trace *t) { return t->complete; }
const char *trace_salvaged(const struct trace *t) { return t->salvaged; }
uint32_t trace_thread_count(const struct trace *t) { return (uint32_t)t->threads.count; }
uint32_t trace_module_count(const struct trace *t) { return (uint32_t)t->modules.count; }

const char *trace_fact(const struct trace *t, const char *key)
{
	for (size_t i = t->facts.count; i-- > 0;)
		if (strcmp(t->facts.at[i].key, key) == 0)
			return t->facts.at[i].value;
	return NULL;
}

const char *trace_fact_at(const struct trace *t, uint32_t i, const char **value)
{
	if (i >= t->facts.count)
		return NULL;
	*value = t->facts.at[i].value;
	return t->facts.at[i].key;
}

const struct trace_thread *trace_thread(const struct trace *t, struct thread_id id)
{
	check(id.i < t->threads.count);
	return &t->threads.at[id.i];
}

uint64_t trace_thread_bytes(const struct trace *t, struct thread_id id)
{
	uint64_t bytes = 0;
	for (unsigned n = 0; id.i < t->of_thread.count && n < NEST_LEVELS; n++) {
		const struct block_range *range = &t->of_thread.at[id.i].nest[n];
		for (uint32_t i = 0; i < range->count; i++) {
			const struct block_head *h = &t->blocks.at[range->first + i].head;
			uint64_t most = 256ull * (h->stored + sizeof *h);       /* whatever it claims */
			bytes += h->decoded < most ? h->decoded : most;
		}
	}
	return bytes;
}

const struct trace_module *trace_module(const struct trace *t, uint32_t i)
{
	check(i < t->modules.count);
	return &t->modules.at[i];
}

const struct trace_module *trace_program(const struct trace *t)
{
	for (size_t i = 0; i < t->modules.count; i++)
		if (t->modules.at[i].instrumented)
			return &t->modules.at[i];
	return NULL;
}
