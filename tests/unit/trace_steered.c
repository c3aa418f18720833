/* tests/unit/trace_steered.c -- traces of steered runs: what their records mean, in which order they come back, and that the
 * file is the same however the records came to the writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/file.h"
#include "tests/unit/steered.h"
#include "trace/codec.h"
#include "trace/moved.h"
#include "trace/text.h"
#include "trace/verify.h"

/* ---- meaning ---- */

static int next(struct merged *m, struct event *ev)
{
	struct err why;
	int there = merged_next(m, ev, &why);
	if (there < 0)
		fail_msg("%s", why.text);
	return there;
}

/* What gives_plain_accesses() made, in three parts. */
static void is_read_and_enter(struct merged *m)
{
	struct event ev;
	assert_int_equal(next(m, &ev), 1);
	assert_int_equal(ev.kind, EV_READ);
	assert_int_equal(ev.size, 8);
	assert_int_equal(ev.object, 0x1000);
	assert_int_equal(ev.arg, 5);
	assert_true(ev.has_value);
	assert_int_equal(ev.time, 2);
	assert_int_equal(ev.version, 0);
	assert_int_equal(ev.place->line, 12);
	assert_null(ev.name);
	assert_int_equal(next(m, &ev), 1);
	assert_int_equal(ev.kind, EV_ENTER);
	assert_int_equal(ev.time, 2);
}

static void are_vectors(struct merged *m)
{
	struct event ev;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 4; i++) {
			assert_int_equal(next(m, &ev), 1);
			assert_int_equal(ev.thread.i, 1);
			assert_int_equal(ev.kind, EV_WRITE);
			assert_int_equal(ev.size, 4);
			assert_int_equal(ev.object, 0x4000 + 4 * i);
			assert_int_equal(ev.has_value, round == 0 || i < 2);
			if (ev.has_value)
				assert_int_equal(ev.arg, i + 1);
			assert_int_equal(ev.time, 4 + 2 * round);
			assert_int_equal(ev.index, 4 * round + i);
		}
	}
}

static void are_wide_and_control(struct merged *m)
{
	struct event ev;
	assert_int_equal(next(m, &ev), 1);
	assert_int_equal(ev.kind, EV_WRITE);
	assert_int_equal(ev.size, 2);
	assert_int_equal(ev.arg, 0x1ff);
	assert_string_equal(ev.name, "total");
	assert_int_equal(ev.time, 8);
	assert_int_equal(next(m, &ev), 1);
	assert_int_equal(ev.size, 16);
	assert_int_equal(ev.arg, 11);
	assert_int_equal(ev.arg_high, 12);
	assert_int_equal(next(m, &ev), 1);
	assert_int_equal(ev.kind, EV_RMW);
	assert_int_equal(ev.time, 12);
	assert_int_equal(ev.version, 12);
	assert_int_equal(next(m, &ev), 1);
	assert_int_equal(ev.kind, EV_LOCK);
	assert_int_equal(ev.time, 16);
	assert_int_equal(ev.version, 14);
}

static void gives_plain_accesses(void **state)
{
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes one = { 0 }, two = { 0 };
	const uint32_t four[] = { 1, 2, 3, 4 };
	const uint64_t both[] = { 11, 12 };
	(void)state;
	file_begin_total(&f, 0);
	const struct program *p = &f.program;
	put_plain(&one, EV_READ, 0x1000, 5, 2, 3, 0, p->sum);
	made_word(&one, p->enter);                                      /* no number: goes with the record before */
	put_plain(&one, EV_WRITE, 0x1008, 0x1ff, 8, 1, 1, p->sum);
	put_touch(&two, EV_WRITE, 0x4000, 4, 0, p->vector, four, 16, 16);
	put_touch(&one, EV_READ, 0x5000, 10, 0, p->wide, both, 16, 16);
	put_touch(&two, EV_WRITE, 0x4000, 6, 0, p->vector, four, 16, 8);        /* half of it kept */
	made_control(&two, EV_RMW, 0, 0x6000, 41, 12, 42, p->fetch_add);
	made_control(&one, EV_LOCK, 0, 0x7000, 0x100, 14, 16, 0x401000);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 2000, &one);
	file_records(&f, 2, 0, 0, 0, 0, 1000, 2000, &two);
	struct trace *t = file_open(&f);
	assert_int_equal(trace_order(t), ORDER_TOTAL);
	assert_int_equal(trace_ticks_per_second(t), 0);
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	is_read_and_enter(m);
	are_vectors(m);
	are_wide_and_control(m);
	assert_int_equal(next(m, &ev), 0);
	merged_close(m);
	trace_close(t);
	vec_release(&one);
	vec_release(&two);
	file_end(&f);
}

static void places_handlers_by_number(void **state)
{
	static const uint8_t kinds[] = { EV_READ, EV_SIGENTER, EV_ENTER, EV_READ, EV_SIGENTER, EV_SIGLEAVE, EV_SIGLEAVE, EV_READ, EV_READ };
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 }, first = { 0 }, deep = { 0 };
	(void)state;
	file_begin_total(&f, 0);
	put_plain(&r, EV_READ, 0x10, 1, 2, 2, 0, f.program.copy);
	made_control(&first, EV_SIGENTER, 0, 10, 0, 0, 4, 0);
	made_word(&first, f.program.enter);
	put_plain(&first, EV_READ, 0x14, 1, 6, 2, 0, f.program.copy);
	made_control(&deep, EV_SIGENTER, 0, 12, 0, 0, 8, 0);
	made_control(&deep, EV_SIGLEAVE, 0, 12, 0, 0, 10, 0);
	made_control(&first, EV_SIGLEAVE, 0, 10, 0, 0, 12, 0);
	put_plain(&r, EV_READ, 0x18, 1, 14, 2, 0, f.program.copy);
	put_plain(&r, EV_READ, 0x1c, 1, 16, 2, 0, f.program.copy);
	file_records(&f, 1, 2, 0, 7, 7, 1, 1, &deep);
	file_records(&f, 1, 1, 0, 7, 7, 1, 1, &first);
	file_records(&f, 1, 0, 0, 0, 0, 1, 1, &r);
	struct trace *t = file_open(&f);
	assert_int_equal(lane_open(&l, t, (struct thread_id){ 0 }, &f.why), 0);
	for (size_t i = 0; i < sizeof kinds; i++) {
		assert_int_equal(lane_next(l, &ev, &f.why), 1);
		assert_int_equal(ev.kind, kinds[i]);
		assert_int_equal(ev.nest, i == 0 || i > 6 ? 0 : i == 4 || i == 5 ? 2 : 1);
	}
	assert_int_equal(lane_next(l, &ev, &f.why), 0);
	lane_close(l);
	trace_close(t);
	vec_release(&r);
	vec_release(&first);
	vec_release(&deep);
	file_end(&f);
}

/* ---- any records ---- */

static void size_nobody_writes_is_damage(void **state)
{
	struct file f;
	struct merged *m;
	made_bytes r = { 0 };
	(void)state;
	file_begin_total(&f, 0);
	put_plain(&r, EV_READ, 0x10, 1, 2, 9, 0, f.program.copy);
	file_records(&f, 1, 0, 0, 0, 0, 1, 1, &r);
	struct trace *t = file_open(&f);
	assert_int_equal(merged_open(&m, t, &f.why), -1);
	assert_non_null(strstr(f.why.text, "record byte 0 is an access of no size"));
	trace_close(t);
	vec_release(&r);
	file_end(&f);
}

static void leaves_values_out(void **state)
{
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes r = { 0 };
	const uint32_t four[] = { 0x12345678, 0x12345678, 0x12345678, 0x12345678 };
	(void)state;
	file_begin_total(&f, TRACE_NO_VALUES);
	put_plain(&r, EV_READ, 0x10, 0x12345678, 2, 2, 0, f.program.copy);
	put_touch(&r, EV_WRITE, 0x4000, 4, 0, f.program.vector, four, 16, 16);
	file_records(&f, 1, 0, 0, 0, 0, 1, 1, &r);
	struct trace *t = file_open(&f);
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(next(m, &ev), 1);
		assert_false(ev.has_value);
		assert_int_equal(ev.arg, 0);
	}
	assert_int_equal(next(m, &ev), 0);
	merged_close(m);
	trace_close(t);
	vec_release(&r);
	file_end(&f);
}

/* ---- coding ---- */

static void codes_every_bit(void **state)
{
	struct program p;
	struct err why;
	struct sites *s = sites_new();
	struct codec *c = codec_new(ORDER_TOTAL);
	struct decoded out = { 0 };
	(void)state;
	program_make(&p);
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why), 0);
	srand(3);
	for (unsigned round = 0; round < 200; round++) {
		made_bytes r = { 0 };
		for (unsigned i = 0; i < 200; i++)
			put_any(&p, &r, i);
		struct coded coded = codec_encode_as(c, s, CODING_PREDICT, r.at, r.count);
		assert_true(coded.count > 0);
		if (codec_decode(c, s, CODING_PREDICT, coded.bytes, coded.count, r.count, &out, &why))
			fail_msg("%s", why.text);
		assert_memory_equal(out.bytes, r.at, r.count);
		vec_release(&r);
	}
	decoded_release(&out);
	codec_free(c);
	sites_free(s);
	made_release(&p.m);
}

static void codes_loops_small(void **state)
{
	struct program p;
	struct err why;
	struct sites *s = sites_new();
	struct codec *c = codec_new(ORDER_TOTAL);
	made_bytes r = { 0 };
	uint64_t number = 0, sum = 0;
	(void)state;
	program_make(&p);
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why), 0);
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t a = 0x7f0000000000 + 8 * (i * 7919 % 1009);    /* anywhere; the second access is beside the first */
		put_plain(&r, EV_READ, 0x7f1000000000 + 8 * i, i, number += 2, 3, 0, p.sum);
		put_plain(&r, EV_WRITE, MADE_AT + 0x10018, sum += i, number += 2, 3, 1, p.sum);
		put_plain(&r, EV_READ, a, (uint32_t)i, number += 2, 2, 0, p.copy);
		put_plain(&r, EV_WRITE, a + 4, (uint32_t)i, number += 2, 2, 1, p.copy);
	}
	struct coded coded = codec_encode_as(c, s, CODING_PREDICT, r.at, r.count);
	assert_int_equal(coded.events, 20000);
	assert_true(coded.count < 20000 * 2);           /* less than 2 bytes for 40 */
	codec_free(c);
	sites_free(s);
	vec_release(&r);
	made_release(&p.m);
}

/* ---- the same bytes ---- */

#define LANES 3u

/* What three lanes of a run hold; thread 1 also has a handler. */
static void run_lanes(const struct program *p, made_bytes lanes[LANES], unsigned records)
{
	uint64_t number = 0;
	srand(5);
	for (unsigned i = 0; i < records; i++) {
		made_bytes *r = &lanes[rand() % LANES];
		number += 2;
		switch (rand() % 6) {
		case 0:
			made_control(r, EV_LOCK, 0, 0x7f0000000500, 0x100, number, number + 2, 0x401000);
			number += 2;
			break;
		case 1:
			made_control(r, EV_RMW, 0, 0x7f0000000508, i, number, i + 1, p->fetch_add);
			break;
		case 2:
			put_touch(r, EV_WRITE, 0x7f0000004000, number, 0, p->vector, &i, 16, 4);
			break;
		case 3:
			made_word(r, p->call);
			break;
		default:                                        /* values of one lane shrink, those of another do not */
			put_plain(r, rand() % 2 ? EV_READ : EV_WRITE, 0x7f0000001000 + 8 * (unsigned)(rand() % 100),
				r == lanes ? (uint64_t)rand() * 0x9e3779b97f4a7c15ull : (uint64_t)rand() % 8 << 20, number, 3, 0, p->sum);
		}
	}
}

/* Hands the lanes over in pieces, whole records each, the lanes in any order. */
static void feed(struct file *f, made_bytes lanes[LANES], unsigned seed, size_t most)
{
	static const struct { uint32_t thread, nest; } who[LANES] = { { 1, 0 }, { 2, 0 }, { 1, 1 } };
	size_t done[LANES] = { 0 };
	uint32_t seq[LANES] = { 0 };
	struct sites *s = sites_new();
	struct site *site;
	file_must(f, sites_add(s, MADE_AT, f->program.m.all.at, f->program.m.all.count, false, &f->why));
	srand(seed);
	for (unsigned left = LANES; left;) {
		unsigned i = (unsigned)rand() % LANES;
		size_t end = done[i], want = (size_t)rand() % most + 1, bytes;
		if (done[i] == lanes[i].count)
			continue;
		while (end - done[i] < want && (bytes = record_bytes(s, lanes[i].at + end, lanes[i].count - end, &site)))
			end += bytes;
		struct segment_note note = { who[i].thread, who[i].nest, seq[i]++, seed, seed, seed * 1000, seed * 1001 };
		file_must(f, writer_records(f->writer, &note, lanes[i].at + done[i], end - done[i], &f->why));
		done[i] = end;
		left -= end == lanes[i].count;
	}
	sites_free(s);
}

static made_bytes contents(struct file *f)
{
	made_bytes all = { 0 };
	uint8_t piece[4096];
	FILE *in = fopen(f->path, "rb");
	for (size_t got; (got = fread(piece, 1, sizeof piece, in)) > 0;)
		made_put(&all, piece, got);
	fclose(in);
	return all;
}

static void same_bytes_from_any_slices(void **state)
{
	made_bytes first = { 0 };
	(void)state;
	for (unsigned round = 0; round < 8; round++) {
		struct file f;
		struct event ev;
		struct merged *m;
		uint64_t events = 0, last = 0;
		made_bytes lanes[LANES] = { 0 };
		file_begin_total(&f, 0);
		run_lanes(&f.program, lanes, 40000);
		feed(&f, lanes, round + 1, round % 2 ? 200 : 400000);
		file_finish(&f);
		made_bytes now = contents(&f);
		if (round == 0) {
			first = now;
			struct trace *t = NULL;
			file_must(&f, trace_open(&t, f.path, NULL, &f.why));
			assert_int_equal(merged_open(&m, t, &f.why), 0);
			for (; next(m, &ev); events++) {
				assert_true(ev.time >= last);
				last = ev.time;
			}
			assert_true(events > 40000);
			merged_close(m);
			trace_close(t);
		} else {
			assert_int_equal(now.count, first.count);
			assert_memory_equal(now.at, first.at, now.count);
			vec_release(&now);
		}
		for (unsigned i = 0; i < LANES; i++)
			vec_release(&lanes[i]);
		file_end(&f);
	}
	vec_release(&first);
}

/* The same run with its memory somewhere else. */
static void same_bytes_wherever_memory_lay(void **state)
{
	made_bytes first = { 0 };
	(void)state;
	for (uint64_t round = 0; round < 4; round++) {
		struct file f;
		made_bytes r = { 0 };
		uint64_t heap = 0x7f0000000000 + 0x1000000 * round, stack = 0x7ff000000000 + 0x10000 * round;
		const struct moved_range ranges[] = { { heap, 0x100000, 0x10000000000 }, { stack, 0x8000, 0x20000000000 } };
		uint64_t words[] = { heap + 8, 77, stack + 16 };
		file_begin_total(&f, 0);
		writer_moved(f.writer, ranges, 2);
		put_plain(&r, EV_WRITE, heap + 0x40, stack + 0x10, 2, 3, 0, f.program.sum);
		put_plain(&r, EV_WRITE, heap + 0x48, 0x1234, 4, 2, 0, f.program.sum);
		made_control(&r, EV_CAS, 0, heap + 0x50, heap + 0x60, 6, stack, f.program.fetch_add);
		made_control(&r, EV_CWAIT, 0, heap + 0x80, heap + 0x90, 8, 10, 0x401000);
		made_control(&r, EV_LIBWRITE, RECORD_PAYLOAD, heap + 0x100, 24, 0, 12, 24ull << 48 | 0x401000);
		made_put(&r, words, 24);
		made_control(&r, EV_LIBWRITE, RECORD_PAYLOAD, heap + 0x104, 24, 0, 14, 24ull << 48 | 0x401000);
		made_word(&r, 5);
		made_put(&r, words, 8);
		made_word(&r, 6);
		memmove(r.at + r.count - 20, r.at + r.count - 16, 8);   /* on a multiple of 8 in memory */
		memset(r.at + r.count - 12, 0, 4);
		made_control(&r, EV_PROCESS, 0, 1000 + round, 0, 0, 16, 0x401000);
		put_sum(&f.program, &r, heap + 0x200, heap + 0x208, 3, 1);
		file_records(&f, 1, 0, 0, 0, 0, 1, 1, &r);
		assert_int_equal(writer_address(f.writer, stack + 3), 0x20000000003);
		assert_int_equal(writer_address(f.writer, stack + 0x8000), stack + 0x8000);
		file_finish(&f);
		made_bytes now = contents(&f);
		if (round == 0) {
			first = now;
		} else {
			assert_int_equal(now.count, first.count);
			assert_memory_equal(now.at, first.at, now.count);
			vec_release(&now);
		}
		vec_release(&r);
		file_end(&f);
	}
	vec_release(&first);
}

static void same_bytes_wherever_modules_lay(void **state)
{
	made_bytes first = { 0 };
	(void)state;
	for (uint64_t round = 0; round < 3; round++) {
		struct file f;
		made_bytes r = { 0 };
		uint64_t shift = 0x1000 * round;
		const struct moved_range range = { 0x400000 + shift, MADE_AT + 0x20000 - 0x400000, 0x400000 };
		file_open_total(&f, 0);
		if (round)
			writer_moved(f.writer, &range, 1);
		file_module_at(&f, shift);
		file_must(&f, writer_sites(f.writer, MADE_AT + shift, f.program.m.all.at, f.program.m.all.count, &f.why));
		put_plain(&r, EV_WRITE, MADE_AT + 0x10018 + shift, 9, 2, 3, 1, f.program.sum + shift);
		made_word(&r, f.program.call + shift);
		made_control(&r, EV_FORK, 0, 2, 0x401000 + shift, 4, 6, 0x401000 + shift);
		file_records(&f, 1, 0, 0, 0, 0, 1, 1, &r);
		file_finish(&f);
		made_bytes now = contents(&f);
		if (round == 0) {
			struct trace *t = NULL;
			struct merged *m;
			struct event ev;
			first = now;
			file_must(&f, trace_open(&t, f.path, NULL, &f.why));
			assert_int_equal(merged_open(&m, t, &f.why), 0);
			assert_int_equal(next(m, &ev), 1);
			assert_string_equal(ev.name, "total");
			assert_int_equal(next(m, &ev), 1);
			assert_int_equal(ev.kind, EV_CALL);
			merged_close(m);
			trace_close(t);
		} else {
			assert_int_equal(now.count, first.count);
			assert_memory_equal(now.at, first.at, now.count);
			vec_release(&now);
		}
		vec_release(&r);
		file_end(&f);
	}
	vec_release(&first);
}

static void ranges_give_way(void **state)
{
	struct moved *m = moved_new();
	const struct moved_range all[] = { { 0x1000, 0x1000, 0x100000 }, { 0x3000, 0x1000, 0x300000 }, { 0x1800, 0x2000, 0x500000 },
		{ 0x2000, 0, 0x600000 }, { UINT64_MAX - 1, 0x1000, 0x700000 } };
	(void)state;
	moved_add(m, all, 5);
	assert_int_equal(moved_address(m, 0xfff), 0xfff);
	assert_int_equal(moved_address(m, 0x1000), 0x100000);
	assert_int_equal(moved_address(m, 0x17ff), 0x1007ff);
	assert_int_equal(moved_address(m, 0x1800), 0x500000);
	assert_int_equal(moved_address(m, 0x37ff), 0x501fff);
	assert_int_equal(moved_address(m, 0x3800), 0x300800);
	assert_int_equal(moved_address(m, 0x3fff), 0x300fff);
	assert_int_equal(moved_address(m, 0x4000), 0x4000);
	moved_free(m);
}

/* ---- twin and verification ---- */

static char *twin_of(struct trace *t)
{
	char *text = NULL;
	size_t count = 0;
	struct merged *m;
	struct event ev;
	struct err why;
	FILE *out = open_memstream(&text, &count);
	struct text_printer *p = text_printer_open(t, out);
	assert_int_equal(merged_open(&m, t, &why), 0);
	while (next(m, &ev))
		text_print(p, &ev);
	merged_close(m);
	text_printer_close(p, true);
	fclose(out);
	return text;
}

static void twin_prints_the_same(void **state)
{
	struct file f;
	made_bytes lanes[LANES] = { 0 };
	struct trace *again = NULL;
	(void)state;
	file_begin_total(&f, 0);
	run_lanes(&f.program, lanes, 500);
	feed(&f, lanes, 1, 100000);
	struct trace *t = file_open(&f);
	char *one = twin_of(t);
	assert_non_null(strstr(one, "order: total\n"));
	file_must(&f, text_load(&again, "twin", one, strlen(one), NULL, &f.why));
	char *two = twin_of(again);
	assert_string_equal(one, two);
	free(one);
	free(two);
	trace_close(again);
	trace_close(t);
	for (unsigned i = 0; i < LANES; i++)
		vec_release(&lanes[i]);
	file_end(&f);
}

/* Two threads that write and read four places; the value of access `wrong` is another one, its number that of `late`. */
static uint64_t problems_of(unsigned wrong, unsigned late)
{
	struct file f;
	struct verify *v;
	made_bytes lanes[2] = { 0 };
	uint64_t memory[4] = { 0 }, number = 0;
	file_begin_total(&f, 0);
	file_module_runtime(&f);
	made_control(&lanes[0], EV_BEGIN, 0, 0, 0, 0, number += 2, 0);
	made_control(&lanes[0], EV_FORK, 0, 2, 0, 0, number += 2, 0);
	made_control(&lanes[1], EV_BEGIN, 0, 0, 0, 0, number += 2, 0);
	for (unsigned i = 0; i < 2; i++)                        /* both have come to the program's own code */
		put_plain(&lanes[i], EV_WRITE, 0x555555500100, 1, number += 2, 3, 1, f.program.sum);
	for (unsigned i = 0; i < 64; i++) {
		unsigned at = i * 7 % 4, write = i < 4 || i % 3 == 0;
		memory[i < 4 ? i : at] = write ? 100 + i : memory[at];
		uint64_t value = memory[i < 4 ? i : at] ^ (i == wrong ? 0x40 : 0);
		number += 2;
		put_plain(&lanes[i / 2 % 2], write ? EV_WRITE : EV_READ, 0x555555500000 + 8 * (i < 4 ? i : at), value, i == late ? 4 : number, 3, write, f.program.sum);
	}
	file_records(&f, 1, 0, 0, 0, 0, 1, 1, &lanes[0]);
	file_records(&f, 2, 0, 0, 0, 0, 1, 1, &lanes[1]);
	struct trace *t = file_open(&f);
	assert_int_equal(verify_take(&v, t, &f.why), 0);
	uint64_t found = v->problem_count;
	assert_int_equal(v->causes[BY_RACE], 0);
	verify_free(v);
	trace_close(t);
	vec_release(&lanes[0]);
	vec_release(&lanes[1]);
	file_end(&f);
	return found;
}

static void one_altered_value_is_found(void **state)
{
	(void)state;
	assert_int_equal(problems_of(UINT32_MAX, UINT32_MAX), 0);
	for (unsigned i = 4; i < 64; i++)
		if (i % 3)
			assert_true(problems_of(i, UINT32_MAX) > 0);
	assert_true(problems_of(UINT32_MAX, 20) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_plain_accesses),
		cmocka_unit_test(places_handlers_by_number),
		cmocka_unit_test(size_nobody_writes_is_damage),
		cmocka_unit_test(leaves_values_out),
		cmocka_unit_test(codes_every_bit),
		cmocka_unit_test(codes_loops_small),
		cmocka_unit_test(same_bytes_from_any_slices),
		cmocka_unit_test(same_bytes_wherever_memory_lay),
		cmocka_unit_test(same_bytes_wherever_modules_lay),
		cmocka_unit_test(ranges_give_way),
		cmocka_unit_test(twin_prints_the_same),
		cmocka_unit_test(one_altered_value_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
