/* tests/unit/base.c -- arrays, maps, heaps, names of C++, numbers a user typed, JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cxx.h"
#include "base/heap.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

static void sizes(void **state)
{
	static const struct { const char *text; bool good; uint64_t bytes; } cases[] = {
		{ "0", true, 0 }, { "64M", true, 64ull << 20 }, { "64m", true, 64ull << 20 }, { "1K", true, 1024 },
		{ "2G", true, 2ull << 30 }, { "1T", true, 1ull << 40 }, { "64MB", true, 64ull << 20 }, { "0x10", true, 16 },
		{ "123", true, 123 },
		{ "", false, 0 }, { "M", false, 0 }, { "-1", false, 0 }, { "1X", false, 0 }, { "1MM", false, 0 }, { "1.5G", false, 0 },
		{ "99999999999999999999", false, 0 }, { "99999999T", false, 0 }, { " 1", false, 0 }, { "1 ", false, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t bytes = 0;
		if (str_size(cases[i].text, &bytes) != cases[i].good || (cases[i].good && bytes != cases[i].bytes))
			fail_msg("size '%s'", cases[i].text);
	}
}

static void times(void **state)
{
	static const struct { const char *text; bool good; uint64_t seconds; } cases[] = {
		{ "0", true, 0 }, { "30", true, 30 }, { "30s", true, 30 }, { "10m", true, 600 }, { "2h", true, 7200 },
		{ "", false, 0 }, { "s", false, 0 }, { "-1", false, 0 }, { "1d", false, 0 }, { "1ms", false, 0 }, { "1.5m", false, 0 }, { "1m30s", false, 0 },
		{ "10 m", false, 0 }, { " 1", false, 0 }, { "99999999999999999999", false, 0 }, { "9999999999999999999h", false, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t seconds = 0;
		if (str_seconds(cases[i].text, &seconds) != cases[i].good || (cases[i].good && seconds != cases[i].seconds))
			fail_msg("time '%s'", cases[i].text);
	}
}

static void numbers(void **state)
{
	uint64_t n;
	char text[STR_NUMBER];
	(void)state;
	assert_true(str_number("18446744073709551615", &n) && n == UINT64_MAX);
	assert_false(str_number("18446744073709551616", &n));
	assert_true(str_number("0xffffffffffffffff", &n) && n == UINT64_MAX);
	assert_false(str_number("0x", &n));
	assert_false(str_number("12K", &n));
	assert_string_equal(str_grouped(text, 0), "0");
	assert_string_equal(str_grouped(text, 1234567), "1,234,567");
	assert_string_equal(str_grouped(text, UINT64_MAX), "18,446,744,073,709,551,615");
	assert_string_equal(str_bytes(text, 1023), "1023 bytes");
	assert_string_equal(str_bytes(text, 1536), "1.5 KB");
	assert_string_equal(str_bytes(text, UINT64_MAX), "16 EB");
}

static void near_misses(void **state)
{
	(void)state;
	assert_int_equal(str_distance("show", "show"), 0);
	assert_int_equal(str_distance("shwo", "show"), 1);
	assert_int_equal(str_distance("treads", "thread"), 2);
	assert_int_equal(str_distance("", "abc"), 3);
}

static void maps(void **state)
{
	struct map m = { 0 };
	bool fresh;
	(void)state;
	assert_null(map_get(&m, 0));
	for (uint64_t i = 0; i < 10000; i++) {
		*map_put(&m, i * 4096, &fresh) = i;
		assert_true(fresh);
	}
	for (uint64_t i = 0; i < 10000; i++)
		assert_int_equal(*map_get(&m, i * 4096), i);
	map_put(&m, 4096, &fresh);
	assert_false(fresh);
	assert_null(map_get(&m, 1));
	map_release(&m);
}

static void texts(void **state)
{
	struct names n = { 0 };
	char text[16];
	(void)state;
	assert_int_equal(names_get(&n, "a", 1), NO_NAME);
	for (unsigned i = 0; i < 5000; i++) {
		int length = snprintf(text, sizeof text, "name%u", i);
		assert_int_equal(names_put(&n, text, (size_t)length), i);
	}
	assert_int_equal(names_put(&n, "name77xyz", 6), 77);
	assert_string_equal(names_text(&n, 77), "name77");
	assert_int_equal(names_get(&n, "name", 4), NO_NAME);
	names_release(&n);
}

/* What a terminal may get, and what a shell reads as one word. */
static void escapes(void **state)
{
	static const struct { const char *text, *shown, *word; } t[] = {
		{ "", "", "''" }, { "a b", "a b", "'a b'" }, { "it's", "it's", "'it'\\''s'" }, { "\xc3\xa9", "\xc3\xa9", "'\xc3\xa9'" },
		{ "\x1b[31m", "\\x1b[31m", "$'\\033[31m'" }, { "a\x80'\\", "a\\x80'\\", "$'a\\200\\'\\\\'" }, { "\xc2\x9bx", "\\xc2\\x9bx", "$'\\302\\233x'" },
		{ "\x7f\n", "\\x7f\\x0a", "$'\\177\\012'" }, { "\xe2\x82", "\\xe2\\x82", "$'\\342\\202'" }
	};
	char text[64];
	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		assert_string_equal(str_escape(text, sizeof text, t[i].text), t[i].shown);
		assert_string_equal(str_shell(text, sizeof text, t[i].text), t[i].word);
	}
	assert_string_equal(str_escape(text, 4, "abcdef"), "abc");
}

static void heaps(void **state)
{
	struct heap h = { 0 };
	struct heap_item last = { 0, 0 };
	(void)state;
	for (uint64_t i = 0; i < 3000; i++)
		heap_push(&h, i * 7919 % 1000, i);
	for (int i = 0; i < 3000; i++) {
		struct heap_item next = heap_pop(&h);
		assert_true(i == 0 || heap_before(last, next));
		last = next;
	}
	assert_int_equal(h.count, 0);
	heap_release(&h);
}

static void names_of_cxx(void **state)
{
	static const char *const cases[][2] = {
		{ "_ZN4shop6ordersB5cxx11E", "shop::orders" }, { "_Znwm", "operator new" }, { "_ZZ4mainE5count", "main::count" },
		{ "_ZN4shop5QueueINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE4pushES6_", "shop::Queue<std::string>::push" },
		{ "put<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >", "put<std::string>" },
		{ "_IO_2_1_stdout_", "stdout" }, { "balance", NULL }, { "_Zebra", NULL }, { "_Z", NULL }, { "", NULL }, { "std::sort<int*>", NULL },
	};
	char into[400];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool changed = cxx_name(cases[i][0], into, sizeof into);
		assert_int_equal(changed, cases[i][1] != NULL);
		if (changed)
			assert_string_equal(into, cases[i][1]);
	}
	assert_true(cxx_name("_ZN4shop6ordersB5cxx11E", into, 8));
	assert_string_equal(into, "shop...");
}

/* Each pair is two of the one before: 30 of them would fill the memory of any machine. */
static void huge_names_of_cxx(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[400] = "_Z1fISt4pairIiiE", into[400];
	(void)state;
	for (int i = 0; i < 30; i++)
		sprintf(name + strlen(name), "S_IS%c_S%c_E", digits[i], digits[i]);
	strcat(name, "EvT_");
	assert_true(cxx_name(name, into, sizeof into));
	assert_int_equal(strlen(into), sizeof into - 1);
	assert_string_equal(into + sizeof into - 4, "...");
}

static void json_lines(void **state)
{
	struct json j;
	char *text = NULL;
	size_t count;
	FILE *out = open_memstream(&text, &count);
	(void)state;
	json_init(&j, out);
	json_object(&j);
	json_put_text(&j, "a\"b", "line\n\\ \x01 \xc3\xa9 \xff \xe2\x82");
	json_key(&j, "list");
	json_array(&j);
	json_number(&j, UINT64_MAX);
	json_signed(&j, -1);
	json_bool(&j, false);
	json_text(&j, NULL);
	json_object(&j);
	json_end(&j, '}');
	json_end(&j, ']');
	json_put_hex(&j, "x", 255);
	json_end(&j, '}');
	json_line(&j);
	json_object(&j);
	json_end(&j, '}');
	json_line(&j);
	fclose(out);
	assert_string_equal(text, "{\"a\\\"b\":\"line\\u000a\\\\ \\u0001 \xc3\xa9 \\ufffd \\ufffd\\ufffd\","
		"\"list\":[18446744073709551615,-1,false,null,{}],\"x\":\"0xff\"}\n{}\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes), cmocka_unit_test(times), cmocka_unit_test(numbers), cmocka_unit_test(near_misses), cmocka_unit_test(maps),
		cmocka_unit_test(texts), cmocka_unit_test(escapes), cmocka_unit_test(heaps), cmocka_unit_test(names_of_cxx), cmocka_unit_test(huge_names_of_cxx),
		cmocka_unit_test(json_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
