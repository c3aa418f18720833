/* tests/unit/report_suppress.c -- which findings a rule hides, what is left unused, what is no rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/suppress.h"
#include "tests/report/sample.h"

/* Kinds as letters, those of sample_make() and two more: Race, Deadlock, Lost wake-up, Atomicity, (Order), Use after free, double Free, (use after return: S), Null, (Crash), Weak. */
static const char letters[] = "RDLAOUFSNCW";

/* The letters of what these rules hide, in the order above. */
static void hidden_by(const char *rules, char into[16])
{
	struct findings l = { 0 };
	struct suppressions *s = suppressions_new();
	struct err why = { 0 };
	bool hidden[FINDING_KIND_COUNT] = { 0 };
	sample_make(&l, 8, "src/", 0);
	if (suppressions_parse(s, "rules", rules, strlen(rules), &why) < 0)
		fail_msg("%s: %s", rules, why.text);
	suppressions_apply(s, &l);
	for (size_t i = 0; i < l.all.count; i++)
		hidden[l.all.at[i]->kind] = l.all.at[i]->suppressed;
	size_t n = 0;
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		if (hidden[k])
			into[n++] = letters[k];
	into[n] = 0;
	suppressions_free(s);
	findings_release(&l);
}

static void rules_match(void **state)
{
	static const struct { const char *rule, *hides; } cases[] = {
		/* ThreadSanitizer's: somewhere in a function, file or module of a stack, or in the variable */
		{ "race:pay", "R" }, { "race:audit", "RW" }, { "race:worker", "RUW" }, { "race:balance", "RW" }, { "race:^balance$", "RW" },
		{ "race:^alance", "" }, { "race:shop.c", "RUW" }, { "race:src/", "RUW" }, { "race:bin/shop", "RUW" }, { "race:p*y", "R" },
		{ "race:^p*y$", "R" }, { "race:^pay", "R" }, { "race:ay$", "R" }, { "race:*", "RUW" }, { "race:^$", "" }, { "race:PAY", "" },
		{ "race_top:worker", "U" }, { "race_top:pay", "R" }, { "race_top:balance", "" }, { "deadlock:till", "D" }, { "deadlock:pay", "" },
		{ "deadlock:put_back", "D" }, { "called_from_lib:shop", "RUW" }, { "called_from_lib:libz", "" },
		{ "mutex:pay", "" }, { "thread:worker", "" }, { "signal:*", "" }, { "double-free:worker", "F" },
		/* raddle's: whole names, of one place */
		{ "race:function=pay", "R" }, { "race:function=pa", "" }, { "race:function=pa*", "R" }, { "race:function=worker", "" },
		{ "race:variable=balance", "R" }, { "weak-memory:variable=balance", "W" }, { "any:variable=balance", "RW" },
		{ "any:variable=shelf", "D" }, { "any:file=shop.c", "RDLAUFNW" }, { "any:file=src/shop.c", "RDLAUFNW" }, { "any:file=rc/shop.c", "" },
		{ "any:file=src/*", "RDLAUFNW" }, { "any:function=take; variable=first", "N" }, { "any:function=take", "LUN" },
		{ "any:function=take;variable=arrived", "L" }, { "any: function=pay ; file=shop.c ;", "R" },
		{ "any:function=deliver; file=other.c", "" }, { "race:function=pay; variable=limit", "" },
		/* both conditions must hold of the same place: audit is the reader's, which is called from worker; pay the writer's */
		{ "race:function=audit; stack=audit <- worker", "R" }, { "race:function=audit; stack=pay <- worker", "" },
		{ "any:stack=pay", "R" }, { "any:stack=worker", "UF" }, { "any:stack=... <- worker", "RDLAUFNW" }, { "any:stack=pay <- worker", "R" },
		{ "any:stack=pay <- main", "" }, { "any:stack=pay <- ... <- worker", "R" }, { "any:stack=pay <- worker <- *", "" },
		{ "any:stack=* <- worker", "RDLAUFNW" }, { "any:stack=take<-worker", "LUN" }, { "any:stack=... <- put_*", "DAW" },
		{ "any:stack=main", "L" }, { "any:stack=main <- ...", "L" },
		/* several, comments, blanks, ends of lines */
		{ "# nothing\n\n   \t\n", "" }, { "race:pay\ndeadlock:till\n", "RD" }, { "  race:pay  \r\n#x\r\natomicity:function=deliver", "RA" },
	};
	char got[16];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hidden_by(cases[i].rule, got);
		if (strcmp(got, cases[i].hides))
			fail_msg("'%s' hides '%s', not '%s'", cases[i].rule, got, cases[i].hides);
	}
}

/* A rule that hid nothing is unused; one that would have, but came later, too; one about something else is neither. */
static void unused_rules(void **state)
{
	static const char rules[] = "race:pay\nrace:function=pay\nmutex:pay\ndeadlock:nobody\n";
	static const uint64_t times[] = { 1, 0, 0, 0 };
	(void)state;
	struct findings l = { 0 };
	struct suppressions *s = suppressions_new();
	struct err why;
	sample_make(&l, 8, "", 0);
	assert_int_equal(suppressions_parse(s, "a.supp", rules, sizeof rules - 1, &why), 0);
	suppressions_apply(s, &l);
	assert_int_equal(suppressions_count(s), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct suppression *one = suppressions_at(s, i);
		assert_int_equal(one->times, times[i]);
		assert_int_equal(one->line, i + 1);
		assert_string_equal(one->file, "a.supp");
		assert_int_equal(one->foreign, i == 2);
	}
	assert_string_equal(suppressions_at(s, 1)->text, "race:function=pay");
	suppressions_free(s);
	for (size_t i = 0; i < l.all.count; i++)        /* findings keep what they were told */
		if (l.all.at[i]->kind == FINDING_RACE)
			assert_string_equal(l.all.at[i]->suppressed, "race:pay");
	findings_release(&l);
}

/* Rules made for findings hide them all, whatever the program is called; and each of them is used. */
static void made_rules(void **state)
{
	static const char *const names[] = { NULL, "", "shop::Queue<int>::push", "operator*", "a;b", "line\nbreak", " x ", "function=y", "\xff\xfe" };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct findings l = { 0 };
		struct suppressions *s = suppressions_new();
		struct err why;
		char *text = NULL;
		size_t count;
		if (names[i])
			sample_hostile(&l, names[i]);
		else
			sample_make(&l, 8, "", 0);
		FILE *out = open_memstream(&text, &count);
		suppressions_print(&l, ~0u, out);
		fclose(out);
		assert_int_equal(suppressions_parse(s, "made", text, count, &why), 0);
		assert_int_equal(suppressions_count(s), l.all.count);
		suppressions_apply(s, &l);
		for (size_t k = 0; k < l.all.count; k++) {
			assert_non_null(l.all.at[k]->suppressed);
			assert_int_equal(suppressions_at(s, k)->times, 1);
		}
		suppressions_free(s);
		free(text);
		findings_release(&l);
	}
}

static void bad_rules(void **state)
{
	static const struct { const char *text, *said; } cases[] = {
		{ "race", "suppressions 'x' line 1: no ':' in 'race'" },
		{ "race:pay\n\nrase:pay", "suppressions 'x' line 3: no kind of finding: 'rase'" },
		{ "race:", "suppressions 'x' line 1: nothing stands behind the ':' of 'race:'" },
		{ "race:function=", "suppressions 'x' line 1: nothing stands behind 'function='" },
		{ "race:function=pay; line=4", "suppressions 'x' line 1: not a condition: 'line=4'" },
		{ "race:function=pay; pay", "suppressions 'x' line 1: not a condition: 'pay'" },
		{ "race:stack=a <- <- b", "suppressions 'x' line 1: a frame is missing in ' <- b'" },
		{ "race:stack=a <-", "suppressions 'x' line 1: a frame is missing in ''" },
		{ "\x01\x7f" "ab", "suppressions 'x' line 1: no ':' in '??ab'" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct suppressions *s = suppressions_new();
		struct err why = { 0 };
		assert_int_equal(suppressions_parse(s, "x", cases[i].text, strlen(cases[i].text), &why), -1);
		assert_string_equal(why.text, cases[i].said);
		assert_true(*why.hint);
		assert_int_equal(why.code, 3);
		suppressions_free(s);
	}
	struct suppressions *s = suppressions_new();
	struct err why = { 0 };
	assert_int_equal(suppressions_parse(s, "x", "race:p\0y", 8, &why), -1);
	assert_int_equal(suppressions_read(s, "/nonexistent/rules", &why), -1);
	assert_string_equal(why.text, "cannot open '/nonexistent/rules': no such file or directory");
	suppressions_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rules_match), cmocka_unit_test(unused_rules), cmocka_unit_test(made_rules), cmocka_unit_test(bad_rules) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
