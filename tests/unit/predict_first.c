/* tests/unit/predict_first.c -- the first pass of predict over a file: what it says of it, and that it can be stopped anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyses/predict/aims.h"

#define EVENTS 150000u

/* Two threads that count one word up without a lock, another one with; and more than 63 threads that own a word each. */
static void write_trace(char path[32])
{
	snprintf(path, 32, "/tmp/raddle-unit-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	FILE *f = fdopen(fd, "w");
	fprintf(f, "order: total\n0 fork 1 at=a.c:1\n0 fork 2 at=a.c:1\n");
	for (unsigned i = 3; i < 80; i++)
		fprintf(f, "0 fork %u at=a.c:1\n", i);
	for (unsigned i = 0, made = 79; made < EVENTS; i++, made += 5) {
		unsigned t = 1 + i % 2;
		fprintf(f, "%u w 0x1000 at=a.c:%u\n%u lock 0x2000 at=a.c:3\n%u w 0x3000 at=a.c:4\n%u unlock 0x2000 at=a.c:5\n", t, 10 + t, t, t, t);
		fprintf(f, "%u %s 0x%x at=a.c:6\n", 3 + i % 77, i / 77 % 2 ? "r" : "w", 0x4000 + 8 * (i % 77));
	}
	fclose(f);
}

static void marks_what_can_race(void **state)
{
	(void)state;
	char path[32];
	struct err why;
	struct recording r = { 0 };
	struct aims aims = { 0 };
	write_trace(path);
	assert_int_equal(recording_open(&r, path, NULL, &why), 0);
	assert_false(r.cut);
	assert_true(r.events >= EVENTS);
	assert_int_equal(r.screen.marked, 1);
	assert_true(screen_marks(&r.screen, 0x1000));
	assert_false(screen_marks(&r.screen, 0x3000));
	assert_false(screen_any_wait(&r.screen));
	assert_int_equal(aims_collect(&aims, &r, &why), 0);
	unsigned races = 0;
	for (size_t i = 0; i < aims.groups.count; i++)
		races += aims.groups.at[i].kind == AIM_RACE;
	assert_int_equal(races, 1);
	aims_release(&aims);
	recording_close(&r);
	unlink(path);
}

/* No later than the second time. */
static bool once(void *with, uint64_t read, uint64_t whole)
{
	unsigned *asked = with;
	(void)read;
	(void)whole;
	return (*asked)++ == 0;
}

static void is_cut_where_it_was_stopped(void **state)
{
	(void)state;
	char path[32];
	struct err why;
	unsigned asked = 0;
	struct recording r = { .go_on = once, .with = &asked };
	struct aims aims = { 0 };
	write_trace(path);
	assert_int_equal(recording_open(&r, path, NULL, &why), 0);
	assert_true(r.cut);
	assert_true(r.events > 0 && r.events < EVENTS);
	assert_int_equal(asked, 2);
	asked = 0;
	assert_int_equal(aims_collect(&aims, &r, &why), 0);      /* what was read is looked at */
	assert_true(aims.groups.count > 0);
	aims_release(&aims);
	recording_close(&r);
	unlink(path);
}

static void is_cut_where_memory_ends(void **state)
{
	(void)state;
	char path[32];
	struct err why;
	struct recording r = { .most = 1000 };
	struct aims aims = { 0 };
	write_trace(path);
	assert_int_equal(recording_open(&r, path, NULL, &why), 0);
	assert_true(r.cut && r.full);
	assert_true(order_nodes(r.order) >= 1000 && order_nodes(r.order) < 1200);        /* each thread has an end, too */
	assert_int_equal(aims_collect(&aims, &r, &why), 0);
	assert_true(aims.groups.count > 0);
	aims_release(&aims);
	recording_close(&r);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_what_can_race),
		cmocka_unit_test(is_cut_where_it_was_stopped),
		cmocka_unit_test(is_cut_where_memory_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
