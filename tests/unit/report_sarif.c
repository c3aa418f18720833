/* tests/unit/report_sarif.c -- SARIF: by the standard's rules, and with what a reader of it needs; JSON is read as it should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_read.h"
#include "report/report.h"
#include "tests/report/sample.h"
#include "tests/report/sarif_check.h"

static void sarif_of(const struct report *r, char **text, size_t *count)
{
	FILE *out = open_memstream(text, count);
	report_sarif(r, out);
	fclose(out);
}

static void assert_sarif(const struct report *r)
{
	char why[300] = "";
	size_t count;
	char *text;
	sarif_of(r, &text, &count);
	if (!sarif_check(text, count, why, sizeof why))
		fail_msg("%s", why);
	free(text);
}

static void follows_the_standard(void **state)
{
	static const char *const names[] = { "", "</script>\x1b\n", "\xff\xfe", "a b:c#d%.c", "/x y.c", "http://x/", "\xe2\x80\xae" };
	(void)state;
	for (size_t n = 0; n < 40; n += 13) {
		struct findings l = { 0 };
		sample_make(&l, n, n % 2 ? "src/" : "/abs/a b/", 0);
		struct report r = sample_report(&l);
		assert_sarif(&r);
		r.baseline = true;
		r.gave_up = "interrupted";
		r.root = "/abs";
		for (size_t i = 0; i < l.all.count; i++) {
			l.all.at[i]->known = i % 2;
			l.all.at[i]->suppressed = i % 3 ? NULL : "any:*";
		}
		assert_sarif(&r);
		findings_release(&l);
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct findings l = { 0 };
		sample_hostile(&l, names[i]);
		struct report r = sample_report(&l);
		assert_sarif(&r);
		findings_release(&l);
	}
}

/* An atomicity violation may have the same place twice; so may a finding whose places nobody knows. */
static void same_place_twice(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct finding *f = findings_add(&l, FINDING_ATOMICITY, FINDING_CONFIRMED);
	for (int i = 0; i < 3; i++) {
		struct place nowhere = { .file = "a.c", .function = "f", .linkage = "", .unit = "", .module = "", .line = 4, .ordinal = NO_ORDINAL };
		finding_place_add(&l, f, &(struct event){ .kind = EV_READ, .size = 4, .place = &nowhere }, i == 1 ? "T_0" : "T_0_0");
	}
	findings_add(&l, FINDING_DEADLOCK, FINDING_CONFIRMED);
	findings_finish(&l);
	struct report r = sample_report(&l);
	assert_sarif(&r);
	findings_release(&l);
}

static const struct json_value *nth(const struct json_value *array, size_t n)
{
	const struct json_value *v = array ? array->first : NULL;
	while (v && n--)
		v = v->next;
	return v;
}

/* The order of the race of sample_make(): steps 13, 14 of T_0, 15 to 17 of T_0_1, 18 of T_0_2, the bug in the last two. */
static void thread_flows(void **state)
{
	static const struct { const char *id; size_t count; long first; } expected[] = { { "T_0", 2, 13 }, { "T_0_1", 3, 15 }, { "T_0_2", 1, 18 } };
	(void)state;
	struct findings l = { 0 };
	struct arena memory = { 0 };
	size_t count, where;
	sample_make(&l, 1, "", 0);
	struct report r = sample_report(&l);
	char *text;
	sarif_of(&r, &text, &count);
	const struct json_value *v = json_read(&memory, text, count, &where);
	const struct json_value *result = nth(json_member(nth(json_member(v, "runs"), 0), "results"), 0);
	const struct json_value *flows = json_member(nth(json_member(result, "codeFlows"), 0), "threadFlows");
	assert_int_equal(flows->count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct json_value *flow = nth(flows, i), *steps = json_member(flow, "locations");
		assert_string_equal(json_member_text(flow, "id"), expected[i].id);
		assert_int_equal(steps->count, expected[i].count);
		assert_int_equal(json_member(nth(steps, 0), "executionOrder")->number, expected[i].first);
		bool bug = i > 0;
		assert_string_equal(json_member_text(nth(steps, steps->count - 1), "importance"), bug ? "essential" : "important");
	}
	const struct json_value *held = nth(json_member(nth(flows, 1), "locations"), 2);
	assert_string_equal(json_member_text(json_member(json_member(held, "location"), "message"), "text"),
		"T_0_1 writes balance = 47, holding 'till' since shop.c:15");
	free(text);
	arena_release(&memory);
	findings_release(&l);
}

/* The checker would see it: each of these is one word of a sound text replaced by another. */
static void checker_checks(void **state)
{
	static const char *const changes[][2] = {
		{ "\"2.1.0\"", "\"2.0.0\"" }, { "\"ruleIndex\":0", "\"ruleIndex\":1" }, { "\"kind\":\"fail\"", "\"kind\":\"open\"" },
		{ "\"level\":\"error\",\"message\"", "\"level\":\"fatal\",\"message\"" }, { "\"startLine\":16", "\"startLine\":0" },
		{ "\"uri\":\"shop.c\"", "\"uri\":\"sh p.c\"" }, { "\"threadFlows\"", "\"threadflows\"" }, { "\"id\":\"T_0_1\"", "\"id\":\"T_0\"" },
		{ "\"executionOrder\":13", "\"executionOrder\":-1" }, { "\"essential\"", "\"decisive\"" }, { "\"frames\"", "\"frame\"" },
		{ "\"executionSuccessful\":true", "\"executionSuccessful\":1" }, { "\"text\":\"race: ", "\"texts\":\"race: " },
		{ "\"name\":\"raddle\"", "\"called\":\"raddle\"" }, { "]}]}", "]}]" },
	};
	(void)state;
	struct findings l = { 0 };
	char why[300];
	size_t count;
	sample_make(&l, 1, "", 0);
	struct report r = sample_report(&l);
	char *text;
	sarif_of(&r, &text, &count);
	assert_true(sarif_check(text, count, why, sizeof why));
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		char *at = strstr(text, changes[i][0]), *changed = NULL;
		assert_non_null(at);
		int length = asprintf(&changed, "%.*s%s%s", (int)(at - text), text, changes[i][1], at + strlen(changes[i][0]));
		if (sarif_check(changed, (size_t)length, why, sizeof why))
			fail_msg("%s was not seen", changes[i][1]);
		free(changed);
	}
	free(text);
	findings_release(&l);
}

static void json_is_read(void **state)
{
	static const char *const good[] = { "null", " true\n", "[]", "{}", "[1,-0.5e+3,\"\"]", "{\"a\":{\"b\":[false]}}", "\"\\u00e9\\ud83d\\ude00\\n\\/\"" };
	static const char *const bad[] = { "", "nul", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "1.", "-", "\"a", "\"\\x\"", "\"\\u12\"", "\"\n\"",
		"[1 2]", "1 2", "]", "{\"a\":1]", "\"\\", "+1", "1e", "[" };
	struct arena memory = { 0 };
	size_t where;
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (!json_read(&memory, good[i], strlen(good[i]), &where))
			fail_msg("%s is JSON", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (json_read(&memory, bad[i], strlen(bad[i]), &where))
			fail_msg("%s is no JSON", bad[i]);
	const struct json_value *v = json_read(&memory, good[6], strlen(good[6]), &where);
	assert_string_equal(v->text, "\xc3\xa9\xf0\x9f\x98\x80\n/");
	v = json_read(&memory, "{\"n\":-1.5e2,\"t\":\"\\ud800x\\u0000y\"}", 33, &where);
	assert_non_null(v);
	assert_true(json_member(v, "n")->number == -150.0);
	assert_int_equal(json_member(v, "t")->length, 6);
	assert_memory_equal(json_member(v, "t")->text, "\xef\xbf\xbdx\0y", 7);
	char deep[400];
	memset(deep, '[', 200);
	memset(deep + 200, ']', 200);
	assert_null(json_read(&memory, deep, 400, &where));
	assert_non_null(json_read(&memory, deep + 150, 100, &where));
	arena_release(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_standard), cmocka_unit_test(same_place_twice), cmocka_unit_test(thread_flows),
		cmocka_unit_test(checker_checks), cmocka_unit_test(json_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
