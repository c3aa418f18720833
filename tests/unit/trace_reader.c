/* tests/unit/trace_reader.c -- files written by the writer, read back: every event, in order, with its meaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/file.h"
#include "trace/memory.h"
#include "trace/text.h"

static int next(struct lane *l, struct event *ev)
{
	struct err why;
	int there = lane_next(l, ev, &why);
	if (there < 0)
		fail_msg("%s", why.text);
	return there;
}

/* The next event of the lane, which is of this kind, about this object, and has this value or argument. */
static void is_next(struct lane *l, struct event *ev, enum event_kind kind, uint64_t object, uint64_t arg)
{
	assert_int_equal(next(l, ev), 1);
	assert_int_equal(ev->kind, kind);
	assert_int_equal(ev->object, object);
	assert_int_equal(ev->arg, arg);
}

/* A file with one thread's records, opened. */
static struct trace *opened(struct file *f, struct lane **l, made_bytes *r)
{
	file_records(f, 1, 0, 0, 0, 0, 1000, 2000, r);
	struct trace *t = file_open(f);
	assert_int_equal(lane_open(l, t, (struct thread_id){ 0 }, &f->why), 0);
	return t;
}

static void closed(struct file *f, struct trace *t, struct lane *l, made_bytes *r)
{
	struct event ev;
	assert_int_equal(next(l, &ev), 0);
	assert_int_equal(next(l, &ev), 0);
	lane_close(l);
	trace_close(t);
	vec_release(r);
	file_end(f);
}

static void says_threads_and_facts(void **state)
{
	struct file f;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	struct trace *t = opened(&f, &l, &r);
	assert_int_equal(trace_thread_count(t), 2);
	assert_string_equal(trace_thread(t, (struct thread_id){ 0 })->path, "T_0");
	assert_string_equal(trace_thread(t, (struct thread_id){ 1 })->path, "T_0_0");
	assert_int_equal(trace_thread(t, (struct thread_id){ 1 })->parent.i, 0);
	assert_string_equal(trace_fact(t, "cwd"), "/tmp/a b\n");
	assert_string_equal(trace_fact(t, "exit_code"), "0");
	assert_true(trace_complete(t));
	closed(&f, t, l, &r);
}

static void expands_groups(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	const struct program *p = &f.program;
	made_word(&r, p->enter);
	put_sum(p, &r, 0x1000, 5, 105, 1);
	put_chase(p, &r, 0x2000, 7, 0x3000, 8);
	made_word(&r, p->call);
	made_word(&r, p->leave);
	struct trace *t = opened(&f, &l, &r);
	is_next(l, &ev, EV_ENTER, 0, 0);
	assert_string_equal(ev.place->function, "work");
	assert_int_equal(ev.place->line, 10);
	is_next(l, &ev, EV_READ, 0x1000, 5);
	assert_int_equal(ev.size, 8);
	assert_true(ev.has_value);
	is_next(l, &ev, EV_WRITE, MADE_AT + 0x10000 + 24, 105);
	assert_string_equal(ev.name, "total");
	assert_int_equal(ev.place->site, site_identity("work.c", "work", 7));
	is_next(l, &ev, EV_BRANCH, 0, 1);
	for (int i = 0; i < 3; i++) {
		static const uint64_t object[] = { 0x2000, 0x2008, 0x3000 }, value[] = { 7, 0x3000, 8 };
		assert_int_equal(next(l, &ev), 1);
		assert_int_equal(ev.object, object[i]);
		assert_int_equal(ev.arg, value[i]);
	}
	assert_string_equal(ev.place->function, "step");
	assert_string_equal(ev.place->inlined_at->function, "work");
	is_next(l, &ev, EV_CALL, 0, 1);
	assert_string_equal(ev.name, "puts");
	is_next(l, &ev, EV_LEAVE, 0, 0);
	assert_int_equal(ev.index, 8);
	closed(&f, t, l, &r);
}

static void splits_vectors(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	made_word(&r, f.program.vector);
	made_word(&r, 0x4000);
	made_word(&r, 0x0000000200000001);
	made_word(&r, 0x0000000400000003);
	made_word(&r, f.program.wide);
	made_word(&r, 0x5000);
	made_word(&r, 11);
	made_word(&r, 12);
	struct trace *t = opened(&f, &l, &r);
	for (uint64_t i = 0; i < 4; i++) {
		assert_int_equal(next(l, &ev), 1);
		assert_int_equal(ev.object, 0x4000 + 4 * i);
		assert_int_equal(ev.arg, i + 1);
		assert_int_equal(ev.size, 4);
	}
	assert_int_equal(next(l, &ev), 1);
	assert_int_equal(ev.size, 16);
	assert_int_equal(ev.arg, 11);
	assert_int_equal(ev.arg_high, 12);
	closed(&f, t, l, &r);
}

static void reads_control_records(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	made_word(&r, f.program.call);
	made_control(&r, EV_RMW, 0, 0x6000, 41, 2, 42, f.program.fetch_add);
	made_control(&r, EV_LOCK, 0, 0x7000, 0x100, 4, 1500, 0xffff000000401000);
	made_control(&r, EV_NAME, RECORD_PAYLOAD, 0, 3, 0, 1600, 3ull << 48);
	made_word(&r, 0x000000636261);
	struct trace *t = opened(&f, &l, &r);
	is_next(l, &ev, EV_CALL, 0, 1);
	is_next(l, &ev, EV_RMW, 0x6000, 41);
	assert_int_equal(ev.written, 42);
	assert_int_equal(ev.order, ORDER_ACQ_REL);
	assert_int_equal(ev.size, 4);
	assert_string_equal(ev.name, "total");
	assert_true(ev.time > 1000 && ev.time < 1500);
	is_next(l, &ev, EV_LOCK, 0x7000, 0x100);
	assert_int_equal(ev.time, 1500);
	assert_int_equal(ev.result, -1);
	assert_int_equal(ev.code, 0x401000);
	assert_string_equal(ev.place->file, "main.c");
	assert_int_equal(ev.place->line, 33);
	is_next(l, &ev, EV_NAME, 0, 3);
	assert_int_equal(ev.byte_count, 3);
	assert_memory_equal(ev.bytes, "abc", 3);
	closed(&f, t, l, &r);
}

/* A thread that did not ask for the time repeats the last one: its records lie evenly up to the next that did. */
static void spreads_repeated_times(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	for (uint64_t i = 0; i < 9; i++)
		made_control(&r, i % 2 ? EV_UNLOCK : EV_LOCK, 0, 0x7000, 0x100, 2 * i + 2, i < 8 ? 1200 : 2000, 0x401000 + i % 2);
	struct trace *t = opened(&f, &l, &r);
	for (uint64_t i = 0; i < 9; i++) {
		is_next(l, &ev, i % 2 ? EV_UNLOCK : EV_LOCK, 0x7000, 0x100);
		assert_int_equal(ev.version, 2 * i + 2);
		assert_int_equal(ev.time, 1200 + 100 * i);
	}
	closed(&f, t, l, &r);
}

static void splices_signal_handlers(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 }, first = { 0 }, second = { 0 }, deep = { 0 };
	(void)state;
	file_begin(&f, 0);
	for (uint64_t i = 0; i < 4; i++)
		put_copy(&f.program, &r, 0x100 + i, 0x200 + i, (uint32_t)i);    /* 32 bytes each */
	made_control(&first, EV_SIGENTER, 0, 10, 0, 0, 1100, 0);
	made_control(&first, EV_SIGLEAVE, 0, 10, 0, 0, 1101, 0);
	made_control(&second, EV_SIGENTER, 0, 12, 0, 0, 1200, 0);
	made_control(&second, EV_SIGLEAVE, 0, 12, 0, 0, 1210, 0);
	made_control(&deep, EV_SIGENTER, 0, 13, 0, 0, 1205, 0);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 1150, &r);
	file_records(&f, 1, 0, 1, 0, 0, 1150, 2000, &r);
	file_records(&f, 1, 1, 0, 0, SEGMENT_HEAD + 64, 1100, 1101, &first);
	file_records(&f, 1, 1, 1, 1, SEGMENT_HEAD + 32, 1200, 1210, &second);
	file_records(&f, 1, 2, 0, 1, SEGMENT_HEAD + 40, 1205, 1206, &deep);
	struct trace *t = file_open(&f);
	static const uint8_t want[] = { EV_READ, EV_WRITE, EV_READ, EV_WRITE, EV_SIGENTER, EV_SIGLEAVE, EV_READ, EV_WRITE, EV_READ,
		EV_WRITE, EV_READ, EV_WRITE, EV_SIGENTER, EV_SIGENTER, EV_SIGLEAVE, EV_READ, EV_WRITE, EV_READ, EV_WRITE, EV_READ,
		EV_WRITE };
	static const uint8_t nest[] = { 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0 };
	assert_int_equal(lane_open(&l, t, (struct thread_id){ 0 }, &f.why), 0);
	for (size_t i = 0; i < sizeof want; i++) {
		assert_int_equal(next(l, &ev), 1);
		assert_int_equal(ev.kind, want[i]);
		assert_int_equal(ev.nest, nest[i]);
		assert_int_equal(ev.index, i);
	}
	assert_int_equal(next(l, &ev), 0);
	lane_close(l);
	trace_close(t);
	vec_release(&r);
	vec_release(&first);
	vec_release(&second);
	vec_release(&deep);
	file_end(&f);
}

/* The program was killed after the first access of a group: whether the rest happened cannot be told, and all is marked. */
static void marks_what_was_in_flight(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	put_copy(&f.program, &r, 0x100, 0x200, 9);
	put_chase(&f.program, &r, 0x2000, 7, 0, 0);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 0, &r);
	struct trace *t = file_open(&f);
	assert_int_equal(lane_open(&l, t, (struct thread_id){ 0 }, &f.why), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(next(l, &ev), 1);
		assert_false(ev.in_flight);
	}
	assert_int_equal(ev.object, 0x2000);
	assert_int_equal(next(l, &ev), 1);
	assert_true(ev.in_flight);
	assert_int_equal(ev.object, 0x2008);
	assert_false(ev.has_value);
	while (next(l, &ev) == 1)
		assert_true(ev.in_flight);
	lane_close(l);
	trace_close(t);
	vec_release(&r);
	file_end(&f);
}

static void joins_long_payloads(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, 0);
	made_control(&r, EV_OUTPUT, RECORD_PAYLOAD | RECORD_MORE, 0x90, 13, 0, 1, 8ull << 48);
	made_put(&r, "12345678", 8);
	made_control(&r, EV_OUTPUT, RECORD_PAYLOAD, 0x90, 13, 0, 2, 5ull << 48);
	made_put(&r, "abcde\0\0\0", 8);
	made_control(&r, EV_EXIT, 0, 0, 3, 0, 3, 0);
	file_records(&f, 1, 0, 0, 0, 0, 1, 9, &r);
	struct trace *t = file_open(&f);
	assert_int_equal(lane_open(&l, t, (struct thread_id){ 0 }, &f.why), 0);
	assert_int_equal(next(l, &ev), 1);
	assert_int_equal(ev.byte_count, 13);
	assert_memory_equal(ev.bytes, "12345678abcde", 13);
	assert_int_equal(next(l, &ev), 1);
	assert_int_equal(ev.kind, EV_EXIT);
	assert_int_equal(next(l, &ev), 0);
	lane_close(l);
	trace_close(t);
	vec_release(&r);
	file_end(&f);
}

static void keeps_no_values(void **state)
{
	struct file f;
	struct event ev;
	struct lane *l;
	made_bytes r = { 0 };
	(void)state;
	file_begin(&f, TRACE_NO_VALUES);
	put_chase(&f.program, &r, 0x2000, 7, 0x3000, 8);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 1100, &r);
	struct trace *t = file_open(&f);
	assert_int_equal(lane_open(&l, t, (struct thread_id){ 0 }, &f.why), 0);
	assert_int_equal(next(l, &ev), 1);
	assert_false(ev.has_value);
	assert_int_equal(ev.arg, 0);
	assert_int_equal(next(l, &ev), 1);
	assert_int_equal(next(l, &ev), 1);
	assert_int_equal(ev.object, 0x3000);            /* the pointer had to stay */
	assert_int_equal(ev.arg, 0);
	lane_close(l);
	trace_close(t);
	vec_release(&r);
	file_end(&f);
}

/* Two threads whose time hints contradict the versions: versions win, forks and joins too. */
static void merges_by_versions(void **state)
{
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes a = { 0 }, b = { 0 };
	(void)state;
	file_begin(&f, 0);
	made_control(&a, EV_BEGIN, 0, 0, 0, 0, 10, 0);
	made_control(&a, EV_FORK, 0, 2, 0, 0, 100, 0);                  /* after the child began, by its clock */
	made_control(&a, EV_LOCK, 0, 0x500, 0, 6, 50, 0);
	made_control(&a, EV_UNLOCK, 0, 0x500, 0, 8, 110, 0);
	made_control(&a, EV_JOIN, 0, 2, 0, 0, 120, 0);
	made_control(&b, EV_BEGIN, 0, 0, 0, 0, 90, 0);
	made_control(&b, EV_LOCK, 0, 0x500, 0, 2, 200, 0);
	made_control(&b, EV_UNLOCK, 0, 0x500, 0, 4, 210, 0);
	made_control(&b, EV_ALOAD, 0, 0x500, 1, 9, 1, 0);               /* shares a number with nothing; after 8 */
	made_control(&b, EV_END, 0, 0, 0, 0, 300, 0);
	file_records(&f, 1, 0, 0, 0, 0, 10, 400, &a);
	file_records(&f, 2, 0, 0, 0, 0, 90, 400, &b);
	struct trace *t = file_open(&f);
	static const struct { uint8_t kind, thread; } want[] = { { EV_BEGIN, 0 }, { EV_FORK, 0 }, { EV_BEGIN, 1 }, { EV_LOCK, 1 },
		{ EV_UNLOCK, 1 }, { EV_LOCK, 0 }, { EV_UNLOCK, 0 }, { EV_ALOAD, 1 }, { EV_END, 1 }, { EV_JOIN, 0 } };
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		assert_int_equal(merged_next(m, &ev, &f.why), 1);
		assert_int_equal(ev.kind, want[i].kind);
		assert_int_equal(ev.thread.i, want[i].thread);
	}
	assert_int_equal(merged_next(m, &ev, &f.why), 0);
	merged_close(m);
	trace_close(t);
	vec_release(&a);
	vec_release(&b);
	file_end(&f);
}

/* A signal handler's operation comes before another thread's, though its block is met late. */
static void merge_knows_handlers(void **state)
{
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes a = { 0 }, b = { 0 }, h = { 0 };
	(void)state;
	file_begin(&f, 0);
	for (uint64_t i = 0; i < 50; i++)
		put_copy(&f.program, &a, i, i, 1);
	made_control(&h, EV_RMW, 0, 0x500, 0, 2, 1, f.program.fetch_add);
	made_control(&b, EV_RMW, 0, 0x500, 1, 4, 2, f.program.fetch_add);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 2000, &a);
	file_records(&f, 2, 0, 0, 0, 0, 1000, 1001, &b);
	file_records(&f, 1, 1, 0, 0, SEGMENT_HEAD + 49 * 32, 1900, 1990, &h);
	struct trace *t = file_open(&f);
	uint64_t last = 0, count = 0;
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	for (; merged_next(m, &ev, &f.why) == 1; count++)
		if (ev.version) {
			assert_true(ev.version > last);
			last = ev.version;
		}
	assert_int_equal(count, 102);
	merged_close(m);
	trace_close(t);
	vec_release(&a);
	vec_release(&b);
	vec_release(&h);
	file_end(&f);
}

/* A number that nobody seems to have lies three blocks ahead in a lane that is held up: who comes after it waits.  Times of the third
 * thread are too late, as those of one are that lost the processor among accesses. */
static void merge_waits_for_who_is_held_up(void **state)
{
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes x[4] = { 0 }, y = { 0 }, z = { 0 };
	(void)state;
	file_begin(&f, 0);
	put_copy(&f.program, &x[0], 5, 5, 1);
	made_control(&x[0], EV_LOCK, 0, 0x508, 0, 4, 10, 0);
	put_copy(&f.program, &x[1], 20, 20, 1);
	put_copy(&f.program, &x[2], 30, 30, 1);
	made_control(&x[3], EV_LOCK, 0, 0x500, 0, 2, 50, 0);
	made_control(&y, EV_LOCK, 0, 0x500, 0, 4, 60, 0);
	made_control(&z, EV_UNLOCK, 0, 0x508, 0, 2, 100, 0);
	for (uint32_t i = 0; i < 4; i++) {
		file_records(&f, 1, 0, i, 0, 0, 5 + 15 * i, 12 + 15 * i, &x[i]);
		file_must(&f, writer_flush(f.writer, &f.why));  /* a block each */
		vec_release(&x[i]);
	}
	file_records(&f, 2, 0, 0, 0, 0, 60, 60, &y);
	file_records(&f, 3, 0, 0, 0, 0, 100, 100, &z);
	struct trace *t = file_open(&f);
	static const uint64_t want[][2] = { { 0x508, 2 }, { 0x508, 4 }, { 0x500, 2 }, { 0x500, 4 } };
	size_t count = 0;
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	while (merged_next(m, &ev, &f.why) == 1)
		if (ev.version) {
			assert_true(count < 4);
			assert_int_equal(ev.object, want[count][0]);
			assert_int_equal(ev.version, want[count++][1]);
		}
	assert_int_equal(count, 4);
	merged_close(m);
	trace_close(t);
	vec_release(&y);
	vec_release(&z);
	file_end(&f);
}

/* A flight recording begins in the middle and contradicts itself: the merge still gives every event once. */
static void merge_always_ends(void **state)
{
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes a = { 0 }, b = { 0 };
	(void)state;
	file_begin(&f, TRACE_LAST);
	made_control(&a, EV_LOCK, 0, 0x500, 0, 40, 50, 0);
	made_control(&a, EV_LOCK, 0, 0x508, 0, 20, 60, 0);
	made_control(&b, EV_LOCK, 0, 0x508, 0, 40, 55, 0);
	made_control(&b, EV_LOCK, 0, 0x500, 0, 20, 65, 0);
	made_control(&b, EV_JOIN, 0, 1, 0, 0, 66, 0);
	made_control(&a, EV_JOIN, 0, 2, 0, 0, 67, 0);
	file_records(&f, 1, 0, 7, 0, 0, 10, 400, &a);
	file_records(&f, 2, 0, 9, 0, 0, 10, 400, &b);
	struct trace *t = file_open(&f);
	int count = 0, there;
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	while ((there = merged_next(m, &ev, &f.why)) == 1)
		count++;
	assert_int_equal(there, 0);
	assert_int_equal(count, 6);
	merged_close(m);
	trace_close(t);
	vec_release(&a);
	vec_release(&b);
	file_end(&f);
}

/* Random threads working on few stripes: within each stripe versions never fall. */
static void merge_keeps_stripes(void **state)
{
	enum { THREADS = 5, STEPS = 60000 };
	struct file f;
	struct event ev;
	struct merged *m;
	made_bytes r[THREADS] = { 0 };
	uint64_t counter[4] = { 0 }, seen[4] = { 0 }, clock = 1000;
	uint32_t seq[THREADS] = { 0 };
	uint64_t since[THREADS] = { 0 };
	(void)state;
	srand(7);
	file_begin(&f, 0);
	for (int i = 0; i < STEPS; i++) {
		int who = rand() % THREADS, object = rand() % 4;
		clock += (unsigned)rand() % 5;
		if (since[who] == 0)
			since[who] = clock;
		if (rand() % 3 == 0)
			made_control(&r[who], EV_ALOAD, 0, 0x1000 + 8u * (unsigned)object, 0, 2 * counter[object] + 1, 0, 0);
		else if (rand() % 3 == 0)
			made_control(&r[who], EV_UNLOCK, 0, 0x1000 + 8u * (unsigned)object, 0, 2 * ++counter[object],
				clock - (unsigned)rand() % 40 % clock, 0);
		else if (rand() % 2)
			made_control(&r[who], EV_RMW, 0, 0x1000 + 8u * (unsigned)object, 0, 2 * ++counter[object], 0, 0);
		else
			put_copy(&f.program, &r[who], clock, clock, 1);
		if (r[who].count > 30000 || i + THREADS >= STEPS) {
			file_records(&f, 1 + (uint32_t)who, 0, seq[who]++, 0, 0, since[who], clock, &r[who]);
			vec_clear(&r[who]);
			since[who] = 0;
		}
	}
	struct trace *t = file_open(&f);
	assert_int_equal(merged_open(&m, t, &f.why), 0);
	int there, count = 0;
	while ((there = merged_next(m, &ev, &f.why)) == 1) {
		count++;
		if (!ev.version)
			continue;
		uint64_t object = (ev.object - 0x1000) / 8;
		assert_true(ev.version >= seen[object]);
		seen[object] = ev.version;
	}
	assert_int_equal(there, 0);
	assert_true(count > STEPS / 2);
	merged_close(m);
	trace_close(t);
	for (int i = 0; i < THREADS; i++)
		vec_release(&r[i]);
	file_end(&f);
}

static void builds_in_memory(void **state)
{
	struct err why;
	struct event ev;
	struct merged *m;
	(void)state;
	struct builder *b = builder_new("made", ORDER_TOTAL);
	builder_fact(b, "argv0", "x");
	builder_fact(b, "argv0", "y");
	struct thread_id one = builder_thread(b, &(struct trace_thread){ .path = "T_0", .parent = NO_THREAD });
	struct thread_id two = builder_thread(b, &(struct trace_thread){ .path = "T_0_0", .parent = one });
	const struct place *p = builder_place(b, &(struct place){ .file = "a.c", .line = 3 });
	assert_ptr_equal(p, builder_place(b, &(struct place){ .file = "a.c", .line = 3 }));
	assert_ptr_not_equal(p, builder_place(b, &(struct place){ .file = "a.c", .line = 4 }));
	builder_event(b, &(struct event){ .kind = EV_WRITE, .thread = two, .object = 1, .place = p });
	builder_event(b, &(struct event){ .kind = EV_READ, .thread = one, .object = 2, .name = "v" });
	builder_event(b, &(struct event){ .kind = EV_READ, .thread = two, .object = 3, .bytes = (const uint8_t *)"q", .byte_count = 1 });
	builder_symbol(b, "late", 0x200, 8);
	builder_symbol(b, "early", 0x100, 8);
	struct trace *t = builder_finish(b);
	assert_string_equal(trace_fact(t, "argv0"), "y");
	assert_int_equal(merged_open(&m, t, &why), 0);
	for (uint64_t i = 1; i <= 3; i++) {
		assert_int_equal(merged_next(m, &ev, &why), 1);
		assert_int_equal(ev.object, i);
		assert_non_null(ev.place);
	}
	assert_int_equal(ev.index, 1);
	assert_memory_equal(ev.bytes, "q", 1);
	assert_int_equal(merged_next(m, &ev, &why), 0);
	merged_close(m);
	uint64_t offset;
	assert_string_equal(trace_symbol(t, 0x104, &offset), "early");
	assert_int_equal(offset, 4);
	assert_null(trace_symbol(t, 0x108, &offset));
	trace_close(t);
}

/* Threads of one path, or of none, are told apart in the text twin, whatever others are called. */
static void text_twin_tells_threads_apart(void **state)
{
	static const char *const paths[] = { "", "thread-0", "thread-0-0", "twin", "twin", "thread-4" };
	struct builder *b = builder_new("x", ORDER_TOTAL);
	struct trace_options options = { 0 };
	struct err why = { 0 };
	struct trace *again;
	char *text = NULL;
	size_t count;
	(void)state;
	for (size_t i = 0; i < 6; i++)
		builder_thread(b, &(struct trace_thread){ .path = paths[i], .name = "", .uid = i + 1, .parent = NO_THREAD });
	struct trace *t = builder_finish(b);
	FILE *out = open_memstream(&text, &count);
	text_printer_close(text_printer_open(t, out), true);
	fclose(out);
	if (text_load(&again, "x", text, count, &options, &why) < 0)
		fail_msg("%s in:\n%s", why.text, text);
	assert_int_equal(trace_thread_count(again), 6);
	assert_string_equal(trace_thread(again, (struct thread_id){ 1 })->path, "thread-0");
	assert_string_equal(trace_thread(again, (struct thread_id){ 3 })->path, "twin");
	trace_close(again);
	trace_close(t);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(says_threads_and_facts), cmocka_unit_test(expands_groups),
		cmocka_unit_test(splits_vectors), cmocka_unit_test(reads_control_records), cmocka_unit_test(spreads_repeated_times),
		cmocka_unit_test(splices_signal_handlers),
		cmocka_unit_test(marks_what_was_in_flight), cmocka_unit_test(joins_long_payloads), cmocka_unit_test(keeps_no_values),
		cmocka_unit_test(merges_by_versions), cmocka_unit_test(merge_knows_handlers), cmocka_unit_test(merge_waits_for_who_is_held_up),
		cmocka_unit_test(merge_always_ends), cmocka_unit_test(merge_keeps_stripes),
		cmocka_unit_test(builds_in_memory), cmocka_unit_test(text_twin_tells_threads_apart) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
