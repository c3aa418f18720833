/* tests/unit/file.h -- a trace file under construction: the small program of made.h, two threads, a module. */
#ifndef RADDLE_TESTS_FILE_H
#define RADDLE_TESTS_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#include "tests/unit/made.h"
#include "trace/reader.h"
#include "trace/sites.h"
#include "trace/writer.h"

struct file {
	char path[64];
	struct err why;
	struct writer *writer;
	struct program program;
};

static inline void file_must(const struct file *f, int result)
{
	if (result == 0)
		return;
	fprintf(stderr, "%s\n", f->why.text);
	abort();
}

static inline void file_module(struct file *f)
{
	const struct program *p = &f->program;
	struct module_block m = { .base = 0x400000, .low = 0x400000, .high = MADE_AT + 0x20000, .sites_address = MADE_AT,
		.path_bytes = 8, .build_id_bytes = 2, .sites_bytes = (uint32_t)p->m.all.count, .symbol_count = 1, .symbol_bytes = 6 };
	made_bytes b = { 0 };
	made_put(&b, &m, sizeof m);
	made_put(&b, "/no/such\xab\xcd", 10);
	made_put(&b, p->m.all.at, p->m.all.count);
	made_word(&b, MADE_AT + 0x10000);
	made_word(&b, 64);
	made_word(&b, 2ull << 32);
	made_put(&b, "total", 6);
	file_must(f, writer_block(f->writer, BLOCK_MODULE, 0, b.at, b.count, &f->why));
	vec_release(&b);
}

static inline void file_begin(struct file *f, uint32_t flags)
{
	static const char info[] = "cwd /tmp/a b\\x0a\nargv0 work\n";
	static const char one[] = "parent 0\npath T_0\nname main\ntid 77\nstate live\nlost 0\n";
	static const char two[] = "parent 1\npath T_0_0\nname \ntid 78\nstate dead\nlost 5\nwaits_kind 20\nwaits_for 0x500\n";
	static const char places[] = "0x401000\tmain.c\t33\tmain\n";
	struct trace_head head = { .flags = flags, .level = 2, .pid = 1, .ticks_per_second = 1000 };
	memset(f, 0, sizeof *f);
	snprintf(f->path, sizeof f->path, "/tmp/raddle-unit-%d.trace", (int)getpid());
	program_make(&f->program);
	file_must(f, writer_open(&f->writer, f->path, &head, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_INFO, 0, info, sizeof info - 1, &f->why));
	file_module(f);
	file_must(f, writer_sites(f->writer, MADE_AT, f->program.m.all.at, f->program.m.all.count, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_THREAD, 2, two, sizeof two - 1, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_THREAD, 1, one, sizeof one - 1, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_PLACES, 0, places, sizeof places - 1, &f->why));
}

static inline void file_records(struct file *f, uint32_t thread, uint32_t nest, uint32_t seq, uint32_t at_seq, uint32_t at_offset,
	uint64_t start, uint64_t end, const made_bytes *records)
{
	struct segment_note note = { thread, nest, seq, at_seq, at_offset, start, end };
	file_must(f, writer_records(f->writer, &note, records->at, records->count, &f->why));
}

static inline void file_finish(struct file *f)
{
	static const char end[] = "exit_code 0\n";
	file_must(f, writer_block(f->writer, BLOCK_END, 0, end, sizeof end - 1, &f->why));
	file_must(f, writer_close(f->writer, &f->why));
	f->writer = NULL;
}

static inline struct trace *file_open(struct file *f)
{
	struct trace *t = NULL;
	file_finish(f);
	file_must(f, trace_open(&t, f->path, NULL, &f->why));
	return t;
}

static inline void file_end(struct file *f)
{
	unlink(f->path);
	made_release(&f->program.m);
}

/* New checksums for head and blocks of bytes that were tampered with, as far as the blocks can be followed. */
static inline void file_seal(uint8_t *bytes, size_t count)
{
	struct block_head h;
	uint64_t sum;
	if (count < sizeof(struct trace_head))
		return;
	sum = XXH64(bytes, sizeof(struct trace_head) - 8, 0);
	memcpy(bytes + sizeof(struct trace_head) - 8, &sum, 8);
	for (size_t at = sizeof(struct trace_head); count - at >= sizeof h;) {
		memset(bytes + at + offsetof(struct block_head, check), 0, 8);
		memcpy(&h, bytes + at, sizeof h);
		if (h.stored > count - at - sizeof h)
			return;
		sum = XXH64(bytes + at, sizeof h + h.stored, 0);
		memcpy(bytes + at + offsetof(struct block_head, check), &sum, 8);
		at += sizeof h + (h.stored + 7ull) / 8 * 8;
		if (at > count)
			return;
	}
}

#endif
