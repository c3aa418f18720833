/* tests/unit/steered.h -- records and files of steered runs, made by hand as the runtime would. */
#ifndef RADDLE_TESTS_STEERED_H
#define RADDLE_TESTS_STEERED_H

#include <stdlib.h>

#include "tests/unit/made.h"

static inline void put_plain(made_bytes *r, enum event_kind kind, uint64_t address, uint64_t value, uint64_t number, unsigned log2,
	unsigned nth, uint64_t site)
{
	made_control(r, kind, 0, address, value, number, log2 | (uint64_t)nth << 8, site);
}

/* `kept` of `bytes` bytes are behind it. */
static inline void put_touch(made_bytes *r, enum event_kind kind, uint64_t address, uint64_t number, unsigned nth, uint64_t site,
	const void *from, uint64_t bytes, uint64_t kept)
{
	made_control(r, kind, RECORD_PAYLOAD | (kept < bytes ? RECORD_CUT : 0), address, bytes, number, (uint64_t)nth << 8, site | kept << 48);
	made_put(r, from, kept);
	while (r->count % 8)
		vec_push(r, 0);
}

/* One record of any kind, usual or not. */
static inline void put_any(const struct program *p, made_bytes *r, unsigned i)
{
	const uint64_t sites[] = { p->sum, p->copy, p->chase, p->vector };
	uint64_t random = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand(), number = 2 * i + 2;
	uint64_t address = 0x7f0000000000 + random % 64 * 8, site = sites[random % 4];
	uint8_t bytes[64] = { (uint8_t)random, (uint8_t)i };
	unsigned log2 = random % 4;
	switch (rand() % 10) {
	case 0:  made_control(r, EV_LOCK, 0, address, 0x100, number, number + 2, 0x401000); break;
	case 1:  made_control(r, EV_ALLOC, 0, address, 64, i / 9 * 2, number, 0x401008); break;
	case 2:  made_control(r, EV_RMW, 0, address, random, number, random + 1, p->fetch_add); break;
	case 3:  put_touch(r, EV_READ, address, number, 0, p->vector, bytes, 64, random % 65); break;
	case 4:  made_word(r, p->enter); break;
	case 5:  made_control(r, (unsigned)random % 128, 0, address, random, random, random, random); break;
	case 6:  put_plain(r, EV_WRITE, address, random, number, log2, i % 70, site | (i % 7 == 0 ? random << 48 : 0)); break;
	case 7:  made_control(r, 112 + i % 2, 0, address, random, number, 2, site); break;
	default: put_plain(r, EV_READ + i % 2, address + random % 3, random & ((2ull << (8 * (1u << log2) - 1)) - 1), number, log2, random % 3, site);
	}
}

#ifdef RADDLE_TESTS_FILE_H

static inline void file_open_total(struct file *f, uint32_t flags)
{
	struct trace_head head = { .order = ORDER_TOTAL, .flags = flags, .level = 2, .pid = (uint32_t)getpid(), .start_ticks = (uint64_t)rand(),
		.start_realtime = (uint64_t)rand(), .ticks_per_second = 1000 };
	memset(f, 0, sizeof *f);
	snprintf(f->path, sizeof f->path, "/tmp/raddle-unit-%d.trace", (int)getpid());
	program_make(&f->program);
	file_must(f, writer_open(&f->writer, f->path, &head, &f->why));
}

static inline void file_module_at(struct file *f, uint64_t shift)
{
	const struct program *p = &f->program;
	struct module_block m = { .base = 0x400000 + shift, .low = 0x400000 + shift, .high = MADE_AT + 0x20000 + shift,
		.sites_address = MADE_AT + shift, .path_bytes = 8, .build_id_bytes = 2, .sites_bytes = (uint32_t)p->m.all.count, .symbol_count = 2,
		.symbol_bytes = 6 };
	made_bytes b = { 0 };
	made_put(&b, &m, sizeof m);
	made_put(&b, "/no/such\xab\xcd", 10);
	made_put(&b, p->m.all.at, p->m.all.count);
	for (uint64_t type = 2; type < 4; type++) {             /* the second is thread-local: an offset */
		made_word(&b, type == 2 ? MADE_AT + 0x10000 + shift : 16);
		made_word(&b, 64);
		made_word(&b, type << 32);
	}
	made_put(&b, "total", 6);
	file_must(f, writer_block(f->writer, BLOCK_MODULE, 0, b.at, b.count, &f->why));
	vec_release(&b);
}

/* The runtime beside it: the program was not linked statically. */
static inline void file_module_runtime(struct file *f)
{
	struct module_block m = { .base = 0x7f0000000000, .low = 0x7f0000000000, .high = 0x7f0000010000, .path_bytes = 15 };
	made_bytes b = { 0 };
	made_put(&b, &m, sizeof m);
	made_put(&b, "libraddle-rt.so", 15);
	file_must(f, writer_block(f->writer, BLOCK_MODULE, 1, b.at, b.count, &f->why));
	vec_release(&b);
}

static inline void file_begin_total(struct file *f, uint32_t flags)
{
	static const char info[] = "argv0 work\n";
	static const char one[] = "parent 0\npath T_0\nname main\nstate ended\nlost 0\n";
	static const char two[] = "parent 1\npath T_0_0\nname \nstate ended\nlost 0\n";
	static const char places[] = "0x401000\tmain.c\t33\tmain\n";
	file_open_total(f, flags);
	file_must(f, writer_block(f->writer, BLOCK_INFO, 0, info, sizeof info - 1, &f->why));
	file_module_at(f, 0);
	file_must(f, writer_sites(f->writer, MADE_AT, f->program.m.all.at, f->program.m.all.count, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_THREAD, 2, two, sizeof two - 1, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_THREAD, 1, one, sizeof one - 1, &f->why));
	file_must(f, writer_block(f->writer, BLOCK_PLACES, 0, places, sizeof places - 1, &f->why));
}

#endif
#endif
