/* tests/unit/report_faults.c -- what reports of faults rest on: intervals, hashes, passwords that are hidden, words for a shell, pictures read back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/interval.h"
#include "base/pg.h"
#include "base/str.h"
#include "report/picture.h"

/* The examples of Newcombe, Statistics in Medicine 17 (1998), method 3; and what follows from the formula where nothing or everything was seen. */
static void intervals(void **state)
{
	static const struct { uint64_t count, of; double low, high; } cases[] = {
		{ 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 }, { 0, 20, 0, 0.1611 }, { 1, 29, 0.0061, 0.1718 }, { 20, 20, 0.8389, 1 }, { 0, 0, 0, 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct interval v = wilson(cases[i].count, cases[i].of);
		assert_true(fabs(v.low - cases[i].low) < 0.00006 && fabs(v.high - cases[i].high) < 0.00006);
	}
}

/* The examples of FIPS 180-2. */
static void hashes(void **state)
{
	static const char *const cases[][2] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" } };
	struct digest d;
	struct err why;
	char text[DIGEST_ROOM];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		digest_begin(&d);
		digest_add(&d, cases[i][0], strlen(cases[i][0]));
		digest_end(&d, text);
		assert_string_equal(text, cases[i][1]);
	}
	assert_int_equal(digest_file("/dev/null", text, &why), 0);
	assert_string_equal(text, cases[0][1]);
	assert_int_equal(digest_file("/no/such/file", text, &why), -1);
	assert_string_equal(why.text, "cannot read '/no/such/file': no such file or directory");
}

static void passwords(void **state)
{
	static const char *const cases[][2] = {
		{ "postgres://u:secret@host:5432/db", "postgres://u:***@host:5432/db" },
		{ "postgres://u:a@b:c@host/db?x=1", "postgres://u:***@host/db?x=1" },
		{ "postgres://u:s@host/db", "postgres://u:*@host/db" },
		{ "postgres://u@host/db", "postgres://u@host/db" },
		{ "postgres://host:5432/a:b@c", "postgres://host:5432/a:b@c" },
		{ "postgres:///db?user=u&password=secret&host=/tmp", "postgres:///db?user=u&password=***&host=/tmp" },
		{ "postgres://u:one@h/db?password=two&sslpassword=three", "postgres://u:***@h/db?password=***&sslpassword=***" },
		{ "nonsense", "nonsense" }, { "", "" } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char url[200];
		snprintf(url, sizeof url, "%s", cases[i][0]);
		pg_hide(url);
		assert_string_equal(url, cases[i][1]);
	}
}

static void words_of_a_shell(void **state)
{
	static const char *const cases[][2] = { { "a.ini", "a.ini" }, { "", "''" }, { "a b", "'a b'" }, { "it's", "'it'\\''s'" }, { "$(x)`y`;", "'$(x)`y`;'" }, { "-x\n", "'-x\n'" } };
	char into[100], small[6];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(str_shell(into, sizeof into, cases[i][0]), cases[i][1]);
	assert_true(strlen(str_shell(small, sizeof small, "a long word")) < sizeof small);
}

static const char good[] = "{\"all_nodes\":9,\"all_edges\":1,\"nodes\":[{\"thread\":\"T_0\",\"name\":\"a\",\"where\":\"x.c:1\",\"kind\":\"data\",\"times\":3,\"converged\":0,\"origin\":true},"
	"{\"thread\":\"T_0_1\",\"name\":\"b\",\"where\":\"\",\"kind\":\"control\",\"times\":1,\"converged\":2,\"origin\":false}],"
	"\"edges\":[{\"from\":0,\"to\":1,\"memory\":true,\"crosses\":true,\"after\":35,\"times\":1}]}";

static void pictures(void **state)
{
	struct picture p;
	char *text = NULL;
	size_t bytes;
	struct json j;
	(void)state;
	assert_int_equal(picture_read(&p, good, strlen(good)), 0);
	assert_int_equal(p.nodes.count, 2);
	assert_int_equal(p.lanes.count, 2);
	FILE *out = open_memstream(&text, &bytes);
	json_init(&j, out);
	picture_json(&p, &j);
	fclose(out);
	assert_string_equal(text, good);
	free(text);
	out = open_memstream(&text, &bytes);
	picture_svg(&p, out);
	fclose(out);
	assert_non_null(strstr(text, "35 events later"));
	free(text);
	picture_release(&p);
	for (size_t cut = 0; cut < strlen(good); cut++)
		assert_int_equal(picture_read(&p, good, cut), -1);
}

/* An edge to where no node is, more nodes than are drawn, other types than expected. */
static void bad_pictures(void **state)
{
	static const char *const cases[] = { "{\"nodes\":[],\"edges\":[{\"from\":0,\"to\":0}]}", "{\"nodes\":{},\"edges\":[]}", "{\"nodes\":[1],\"edges\":[]}", "[]", "7",
		"{\"nodes\":[{\"thread\":1,\"name\":\"\",\"where\":\"\",\"kind\":\"\"}],\"edges\":[]}" };
	struct picture p;
	char many[20000];
	struct sentence s = { many, sizeof many };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(picture_read(&p, cases[i], strlen(cases[i])), -1);
	str_say(&s, "{\"edges\":[],\"nodes\":[");
	for (unsigned i = 0; i <= PICTURE_NODES; i++)
		str_say(&s, "%s{\"thread\":\"T_0\",\"name\":\"\",\"where\":\"\",\"kind\":\"\"}", i ? "," : "");
	str_say(&s, "]}");
	assert_int_equal(picture_read(&p, many, strlen(many)), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals), cmocka_unit_test(hashes), cmocka_unit_test(passwords), cmocka_unit_test(words_of_a_shell), cmocka_unit_test(pictures),
		cmocka_unit_test(bad_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
