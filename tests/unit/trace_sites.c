/* tests/unit/trace_sites.c -- site tables: what is decoded, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/made.h"
#include "trace/sites.h"

static void decodes_a_group(void **state)
{
	struct program p;
	struct err why;
	(void)state;
	program_make(&p);
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why), 0);
	struct site *d = sites_find(s, p.sum);
	assert_non_null(d);
	assert_int_equal(d->payload, 32);
	assert_int_equal(d->access_count, 2);
	assert_int_equal(d->event_count, 3);
	assert_int_equal(d->accesses[1].address_mode, A_GLOBAL);
	assert_int_equal((uint64_t)d->accesses[1].distance, MADE_AT + 0x10000 + 24);
	assert_true(d->accesses[1].is_write);
	assert_int_equal(d->branch_at, 24);
	assert_string_equal(unit_string(d->unit, d->accesses[1].name), "total");
	assert_ptr_equal(sites_find(s, p.sum), d);
	d = sites_find(s, p.chase);
	assert_int_equal(d->accesses[1].address_mode, A_NEAR);
	assert_int_equal(d->accesses[1].distance, 8);
	assert_int_equal(d->accesses[2].address_mode, A_VALUE);
	d = sites_find(s, p.vector);
	assert_int_equal(d->event_count, 4);
	d = sites_find(s, p.fetch_add);
	assert_int_equal(d->op, AOP_ADD);
	assert_int_equal(d->order, ORDER_ACQ_REL);
	sites_free(s);
	made_release(&p.m);
}

static void finds_places(void **state)
{
	struct program p;
	struct err why;
	struct unit_place place;
	struct unit_function function;
	(void)state;
	program_make(&p);
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, false, &why), 0);
	const struct unit *u = sites_find(s, p.chase)->unit;
	sites_index(s, u);
	assert_string_equal(unit_name(u), "work.c");
	assert_true(unit_place(u, 1, &place));
	assert_string_equal(place.file, "list.h");
	assert_string_equal(place.function, "step");
	assert_int_equal(place.line, 5);
	assert_int_equal(place.inlined_at, 1);
	assert_false(unit_place(u, 2, &place));
	assert_true(unit_function(u, 0, &function));
	assert_string_equal(function.linkage, "work");
	assert_false(unit_function(u, 1, &function));
	sites_free(s);
	made_release(&p.m);
}

/* A place is told from the one before: other lines of the same function, then another function, then nothing left to read. */
static void tells_places_from_each_other(void **state)
{
	static const struct { const char *function; uint32_t line, column, inlined_at; } expected[] = {
		{ "f", 100, 1, 0 }, { "f", 103, 7, 0 }, { "f", 90, 2, 0 }, { "g", 5, 1, 1 }, { "g", 6, 9, 1 } };
	struct made m = { 0 };
	struct unit_place place;
	struct err why;
	(void)state;
	made_string(&m, "");
	made_place(&m, "a.c", "f", 100, 0);
	made_place_beside(&m, 6, 7);
	made_place_beside(&m, 25, 2);
	m.last_line = 90;
	made_place(&m, "b.h", "g", 5, 1);
	made_place_beside(&m, 2, 9);
	uint64_t site = made_site(&m, SITE_ENTER, 0, 0);
	made_finish(&m, "a.c");
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, m.all.at, m.all.count, true, &why), 0);
	const struct unit *u = sites_find(s, site)->unit;
	sites_index(s, u);
	assert_int_equal(unit_place_count(u), 5);
	for (uint32_t i = 0; i < 5; i++) {
		assert_true(unit_place(u, i, &place));
		assert_string_equal(place.function, expected[i].function);
		assert_string_equal(place.file, expected[i].function[0] == 'f' ? "a.c" : "b.h");
		assert_int_equal(place.line, expected[i].line);
		assert_int_equal(place.column, expected[i].column);
		assert_int_equal(place.inlined_at, expected[i].inlined_at);
	}
	assert_false(unit_place(u, 5, &place));
	sites_free(s);
	made_release(&m);
}

static void refuses_what_is_no_descriptor(void **state)
{
	struct program p;
	struct err why;
	(void)state;
	program_make(&p);
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why), 0);
	assert_null(sites_find(s, 0));
	assert_null(sites_find(s, MADE_AT));
	assert_null(sites_find(s, MADE_AT - 1));
	assert_null(sites_find(s, MADE_AT + p.m.all.count));
	for (uint64_t at = MADE_AT; at < MADE_AT + p.m.all.count; at++)
		sites_find(s, at);                      /* may find or not: must not break */
	sites_free(s);
	made_release(&p.m);
}

/* A slot one byte past the payload, an access that names itself, a payload that is no multiple of 8, a call of what no
 * access of its group read. */
static void refuses_impossible_descriptors(void **state)
{
	struct made m = { 0 };
	struct err why;
	(void)state;
	made_string(&m, "");
	uint64_t outside = made_site(&m, SITE_ACCESS, 0, 8);
	made_varint(&m.descriptors, 1);
	made_access(&m, false, 4, A_SLOT, 1, 0, V_NONE, 0, 0, 0);
	uint64_t itself = made_site(&m, SITE_ACCESS, 0, 8);
	made_varint(&m.descriptors, 1);
	made_access(&m, false, 4, A_NEAR, 0, 0, V_NONE, 0, 0, 0);
	uint64_t odd = made_site(&m, SITE_ENTER, 0, 7);
	uint64_t value = made_site(&m, SITE_ACCESS, 0, 16);
	made_varint(&m.descriptors, 1);
	made_access(&m, false, 16, A_SLOT, 0, 0, V_SLOT, 8, 0, 0);
	uint64_t global = made_site(&m, SITE_ACCESS, 0, 8);
	made_varint(&m.descriptors, 1);
	made_access(&m, false, 8, A_GLOBAL, 0, 0, V_NONE, 0, 0, 0);
	uint64_t called = made_site(&m, SITE_CALL, 0, 0);
	made_mark(&m, 1, 0, 0);
	made_varint(&m.descriptors, 1);
	uint64_t pointer = made_site(&m, SITE_CALL, 0, 0);
	made_mark(&m, 1, 0, 1);
	made_varint(&m.descriptors, 0);
	uint64_t fine = made_site(&m, SITE_ENTER, 0, 0);
	made_finish(&m, "x.c");
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, m.all.at, m.all.count, true, &why), 0);
	assert_null(sites_find(s, outside));
	assert_null(sites_find(s, itself));
	assert_null(sites_find(s, odd));
	assert_null(sites_find(s, value));
	assert_null(sites_find(s, global));
	assert_null(sites_find(s, called));
	assert_non_null(sites_find(s, pointer));
	assert_true(sites_find(s, pointer)->hands_over);
	assert_non_null(sites_find(s, fine));
	sites_free(s);
	made_release(&m);
}

/* Every byte of a section set to every of a few values: an answer or none, never a crash (run under ASan too). */
static void survives_any_byte(void **state)
{
	struct program p;
	(void)state;
	program_make(&p);
	const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	for (size_t i = 0; i < p.m.all.count; i++) {
		for (size_t k = 0; k < sizeof values; k++) {
			struct err why;
			uint8_t kept = p.m.all.at[i];
			struct sites *s = sites_new();
			p.m.all.at[i] = values[k];
			if (sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why) == 0) {
				const uint64_t all[] = { p.sum, p.copy, p.chase, p.vector, p.fetch_add, p.wide };
				for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
					struct site *d = sites_find(s, all[n]);
					struct unit_place place;
					if (d)
						sites_index(s, d->unit);
					for (uint32_t j = 0; d && j < 3; j++)
						unit_place(d->unit, j, &place);
				}
			}
			sites_free(s);
			p.m.all.at[i] = kept;
		}
	}
	made_release(&p.m);
}

static void says_which_version(void **state)
{
	struct program p;
	struct err why;
	char text[80];
	(void)state;
	program_make(&p);
	p.m.all.at[8] = 9;
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why), -1);
	snprintf(text, sizeof text, "site table at 0: version 9, this raddle reads %u", WIRE_SITES_VERSION);
	assert_string_equal(why.text, text);
	sites_free(s);
	made_release(&p.m);
}

static void newer_table_wins(void **state)
{
	struct program p;
	struct made other = { 0 };
	struct err why;
	(void)state;
	program_make(&p);
	made_string(&other, "");
	uint64_t leave = made_site(&other, SITE_LEAVE, 0, 0);
	made_finish(&other, "other.c");
	struct sites *s = sites_new();
	assert_int_equal(sites_add(s, MADE_AT, p.m.all.at, p.m.all.count, true, &why), 0);
	assert_int_equal(sites_find(s, p.sum)->payload, 32);
	assert_true(sites_overlap(s, MADE_AT + 8, 8));
	assert_int_equal(sites_add(s, MADE_AT, other.all.at, other.all.count, true, &why), 0);
	assert_int_equal(sites_find(s, leave)->flags, SITE_LEAVE);
	assert_null(sites_find(s, p.landed));
	sites_free(s);
	made_release(&p.m);
	made_release(&other);
}

static void identity_is_stable(void **state)
{
	(void)state;
	assert_true(site_identity("a.c", "f", 3) == site_identity("a.c", "f", 3));
	assert_true(site_identity("a.c", "f", 3) != site_identity("a.c", "f", 4));
	assert_true(site_identity("a.c", "f", 3) != site_identity("a.cf", "", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(decodes_a_group), cmocka_unit_test(finds_places),
		cmocka_unit_test(refuses_what_is_no_descriptor), cmocka_unit_test(refuses_impossible_descriptors),
		cmocka_unit_test(survives_any_byte), cmocka_unit_test(tells_places_from_each_other),
		cmocka_unit_test(says_which_version), cmocka_unit_test(newer_table_wins),
		cmocka_unit_test(identity_is_stable) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
