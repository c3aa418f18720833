/* tests/unit/report.c -- findings: fingerprints, order, text, JSON, what counts, baselines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_read.h"
#include "report/baseline.h"
#include "report/escape.h"
#include "report/report.h"
#include "tests/report/sample.h"

static char *printed(void (*print)(const struct report *, FILE *), const struct report *r)
{
	char *text = NULL;
	size_t count;
	FILE *out = open_memstream(&text, &count);
	print(r, out);
	fclose(out);
	return text;
}

/* ---------------------------------------------------------------- fingerprints */

struct race_of { const char *file, *function[2]; uint32_t line[2], ordinal[2]; const char *thread[2], *object; enum finding_access access[2]; };
static const struct race_of usual = { "src/bank.c", { "pay", "audit" }, { 41, 57 }, { 3, 0 }, { "T_0_1", "T_0_2" }, "balance",
	{ ACCESS_WRITE, ACCESS_READ } };

static struct finding *race_add(struct findings *l, const struct race_of *r)
{
	static const struct place nowhere = { .file = "", .function = "", .linkage = "", .unit = "", .module = "", .ordinal = NO_ORDINAL };
	struct finding *f = findings_add(l, FINDING_RACE, FINDING_CONFIRMED);
	for (int i = 0; i < 2; i++) {
		struct finding_place *p = finding_place_add(l, f, &(struct event){ .kind = EV_READ, .size = 8, .place = &nowhere }, r->thread[i]);
		p->at = finding_spot(l, r->file, r->line[i], r->function[i]);
		p->at.ordinal = r->ordinal[i];
		p->access = r->access[i];
		p->locks_known = true;
	}
	f->object.name = findings_text(l, r->object);
	f->object.memory = MEMORY_GLOBAL;
	return f;
}

static void fingerprint_of(const struct race_of *r, char into[32])
{
	struct findings l = { 0 };
	struct finding *f = race_add(&l, r);
	findings_finish(&l);
	strcpy(into, f->fingerprint);
	findings_release(&l);
}

static void assert_fingerprint(bool same, const struct race_of *a, const struct race_of *b, const char *what)
{
	char x[32], y[32];
	fingerprint_of(a, x);
	fingerprint_of(b, y);
	if (!strcmp(x, y) != same)
		fail_msg("%s: the fingerprint is %s", what, same ? "another" : "the same");
}

static void fingerprints_stay(void **state)
{
	struct race_of r = usual;
	(void)state;
	r.line[0] += 100;
	r.line[1] += 7;
	assert_fingerprint(true, &usual, &r, "lines were shifted");
	r = usual;
	r.file = "/home/somebody/other/bank.c";
	assert_fingerprint(true, &usual, &r, "another folder");
	r = usual;
	r.thread[0] = "T_0_7_1";
	assert_fingerprint(true, &usual, &r, "another thread");
	r = (struct race_of){ usual.file, { "audit", "pay" }, { 57, 41 }, { 0, 3 }, { "T_0_2", "T_0_1" }, "balance", { ACCESS_READ, ACCESS_WRITE } };
	assert_fingerprint(true, &usual, &r, "the other side first");
	struct race_of heap = usual, moved = usual;
	heap.object = "heap block of bank.c:20+8";
	moved.object = "heap block of bank.c:31+8";
	assert_fingerprint(true, &heap, &moved, "the block is allocated in another line");
	heap.object = "0x7f0012ab";
	moved.object = "0x7f99ffcd";
	assert_fingerprint(true, &heap, &moved, "another address");
}

static void fingerprints_differ(void **state)
{
	struct race_of r = usual;
	(void)state;
	r.function[0] = "repay";
	assert_fingerprint(false, &usual, &r, "another function");
	r = usual;
	r.ordinal[1] = 2;
	assert_fingerprint(false, &usual, &r, "another access of that function");
	r = usual;
	r.access[1] = ACCESS_WRITE;
	assert_fingerprint(false, &usual, &r, "a write instead of a read");
	r = usual;
	r.object = "limit";
	assert_fingerprint(false, &usual, &r, "another variable");
	r = usual;
	r.file = "shop.c";
	assert_fingerprint(false, &usual, &r, "another file");
}

/* What looks the same but for its line is told apart by number, in the order of lines whatever order they came in. */
static void fingerprints_are_told_apart(void **state)
{
	(void)state;
	char first[2][3][32] = { 0 };
	for (int way = 0; way < 2; way++) {
		struct findings l = { 0 };
		for (int i = 0; i < 3; i++) {
			struct race_of r = usual;
			r.line[0] = way ? 60 - 10 * (uint32_t)i : 40 + 10 * (uint32_t)i;
			r.ordinal[0] = r.ordinal[1] = NO_ORDINAL;
			race_add(&l, &r);
		}
		findings_finish(&l);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(l.all.at[i]->places.at[0].at.line, 40 + 10 * i);
			strcpy(first[way][i], l.all.at[i]->fingerprint);
		}
		findings_release(&l);
	}
	assert_memory_equal(first[0], first[1], sizeof first[0]);
	assert_int_equal(strlen(first[0][0]), 16);
	for (int i = 1; i < 3; i++) {
		char expected[32];
		snprintf(expected, sizeof expected, "%s-%d", first[0][0], i + 1);
		assert_string_equal(first[0][i], expected);
	}
}

/* ---------------------------------------------------------------- text and JSON */

static void text_of_a_race(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct finding *f = race_add(&l, &usual);
	struct finding_place *p = &f->places.at[0];
	finding_lock_add(&l, &p->locks, "left", false, finding_spot(&l, "src/bank.c", 40, "pay"));
	finding_lock_add(&l, &p->locks, "all", true, finding_spot(&l, "", 0, ""));
	vec_push(&p->stack, finding_spot(&l, "src/bank.c", 70, "worker"));
	p->made_by = findings_text(&l, "T_0");
	p->made_at = finding_spot(&l, "src/bank.c", 80, "main");
	f->replays = 100;
	f->shown = 99;
	f->effect = EFFECT_CRASH;
	f->effect_text = "killed by signal 11";
	f->schedule = "race-1.sched";
	findings_finish(&l);
	struct report r = { .findings = &l, .listed = STATUS_BIT(FINDING_CONFIRMED), .bugs = STATUS_BIT(FINDING_CONFIRMED), .events = 1234, .seconds = 2 };
	char *text = printed(report_text, &r);
	assert_string_equal(text,
		"bank.c:41: race: 'balance' written by T_0_1, read by T_0_2 at bank.c:57 (confirmed, 99 of 100 replays, effect: crash)\n"
		"  T_0_1 writes 8 bytes at bank.c:41 in pay, holding 'left' since bank.c:40, 'all' for reading\n"
		"    from worker at bank.c:70\n"
		"  T_0_2 reads 8 bytes at bank.c:57 in audit, holding no lock\n"
		"  memory: global 'balance'\n"
		"  T_0_1 was created by T_0 at bank.c:80\n"
		"  effect: killed by signal 11\n"
		"  replay: raddle replay race-1.sched        under gdb: raddle replay --gdb race-1.sched\n"
		"1 race: 1 confirmed (1,234 events, 2.0 s)\n");
	free(text);
	findings_release(&l);
}

static void json_of_a_race(void **state)
{
	char expected[600];
	(void)state;
	struct findings l = { 0 };
	struct finding *f = race_add(&l, &usual);
	findings_finish(&l);
	struct report r = { .findings = &l, .command = "predict", .listed = ~0u, .bugs = STATUS_BIT(FINDING_CONFIRMED), .events = 5, .seconds = 0.5 };
	char *text = printed(report_json, &r);
	snprintf(expected, sizeof expected, "{\"schema\":1,\"kind\":\"race\",\"status\":\"confirmed\",\"effect\":\"none\",\"places\":["
		"{\"file\":\"src/bank.c\",\"line\":41,\"function\":\"pay\",\"thread\":\"T_0_1\",\"access\":\"write\"},"
		"{\"file\":\"src/bank.c\",\"line\":57,\"function\":\"audit\",\"thread\":\"T_0_2\",\"access\":\"read\"}],"
		"\"object\":\"balance\",\"schedule\":null,\"fingerprint\":\"%s\"}\n", f->fingerprint);
	assert_true(!strncmp(text, expected, strlen(expected)));
	assert_string_equal(text + strlen(expected), "{\"schema\":1,\"summary\":{\"command\":\"predict\",\"events\":5,\"races\":1,\"deadlocks\":0,"
		"\"lost_wakeups\":0,\"atomicity_violations\":0,\"order_violations\":0,\"uses_after_free\":0,\"double_frees\":0,\"uses_after_return\":0,\"null_dereferences\":0,\"crashes\":0,\"weak_memory_races\":0,"
		"\"confirmed\":1,\"not_reproduced\":0,\"speculative\":0,\"infeasible\":0,\"predicted\":0,\"suppressed\":0,\"complete\":true,\"seconds\":0.500}}\n");
	free(text);
	findings_release(&l);
}

/* Each status has its own reason, and no reason of another status: a finding that was left first and closed later is closed. */
static void json_of_what_is_no_bug(void **state)
{
	static const struct { enum finding_status status; uint64_t left_at; const char *assumed, *expected; bool unrun; } cases[] = {
		{ FINDING_INFEASIBLE, 7, "", ",\"rule\":\"m keeps \\\"them\\\" apart\"}\n", false },
		{ FINDING_NOT_REPRODUCED, 7, "", ",\"left\":{\"step\":7,\"expected\":\"T_0_1 lock m\",\"came\":\"T_0_1 ended\"}}\n", false },
		{ FINDING_NOT_REPRODUCED, 0, "", "}\n", false },
		{ FINDING_SPECULATIVE, 7, "", ",\"rule\":\"m keeps \\\"them\\\" apart\",\"left\":{\"step\":7,\"expected\":\"T_0_1 lock m\",\"came\":\"T_0_1 ended\"}}\n", false },
		{ FINDING_SPECULATIVE, 7, "", ",\"rule\":\"m keeps \\\"them\\\" apart\",\"left\":{\"step\":7,\"expected\":\"T_0_1 lock m\",\"came\":\"T_0_1 ended\",\"unrun\":true}}\n", true },
		{ FINDING_SPECULATIVE, 0, "", ",\"rule\":\"m keeps \\\"them\\\" apart\"}\n", false },
		{ FINDING_PREDICTED, 0, "time hints", ",\"assumed\":\"time hints\"}\n", false },
		{ FINDING_CONFIRMED, 7, "", "}\n", false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct findings l = { 0 };
		struct finding *f = race_add(&l, &usual);
		f->status = cases[i].status;
		f->rule = "m keeps \"them\" apart";
		f->left_at = cases[i].left_at;
		f->unrun = cases[i].unrun;
		f->expected = "T_0_1 lock m";
		f->came = "T_0_1 ended";
		f->assumed = cases[i].assumed;
		findings_finish(&l);
		struct report r = { .findings = &l, .command = "predict", .listed = ~0u, .bugs = STATUS_BIT(FINDING_CONFIRMED) };
		char *text = printed(report_json, &r), expected[240];
		snprintf(expected, sizeof expected, "\"fingerprint\":\"%s\"%s", f->fingerprint, cases[i].expected);
		assert_true(strstr(text, expected) != NULL);
		free(text);
		findings_release(&l);
	}
}

/* Whatever a program is called, a terminal gets no control characters and every line of JSON can be read back. */
static void hostile_names(void **state)
{
	static const char *const names[] = { "", "\x1b[31mred\n\r\t", "</script><b>&\"'\\", "\xff\xfe\x80", "\xc2\x9b" "2J", "a\xe2\x80\xae" "b", "%s%n", "\x7f" };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct findings l = { 0 };
		struct arena memory = { 0 };
		size_t where;
		sample_hostile(&l, names[i]);
		struct report r = sample_report(&l);
		char *text = printed(report_text, &r);
		for (const char *c = text; *c; c++)
			assert_true((unsigned char)*c >= 32 ? *c != 127 : *c == '\n');
		assert_null(strstr(text, "\xff"));
		assert_null(strstr(text, "\xc2\x9b"));
		free(text);
		for (enum finding_status status = 0; status < FINDING_STATUS_COUNT; status++) {
			unsigned reasons = 2 * (*names[i] != 0) + (status == FINDING_INFEASIBLE) + (status == FINDING_NOT_REPRODUCED) + 2 * (status == FINDING_SPECULATIVE);      /* assumed, field; rule; left */
			l.all.at[0]->status = status;
			l.all.at[0]->left_at = 1;
			r.listed = ~0u;
			text = printed(report_json, &r);
			const struct json_value *v = json_read(&memory, text, strcspn(text, "\n"), &where);
			assert_non_null(v);
			assert_int_equal(v->count, 8 + reasons);
			arena_release(&memory);
			free(text);
		}
		findings_release(&l);
	}
}

static void uris(void **state)
{
	static const struct { const char *path, *root, *uri; } cases[] = {
		{ "src/bank.c", NULL, "src/bank.c" }, { "/a b/c.c", NULL, "file:///a%20b/c.c" }, { "/w/src/bank.c", "/w", "src/bank.c" },
		{ "/wide/bank.c", "/w", "file:///wide/bank.c" }, { "/w", "/w", "file:///w" }, { "a:b#?%\xff.c", NULL, "a%3Ab%23%3F%25%FF.c" },
		{ "/bank.c", "/", "file:///bank.c" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *uri = escape_uri(cases[i].path, cases[i].root);
		assert_string_equal(uri, cases[i].uri);
		mem_free(uri);
	}
}

/* ---------------------------------------------------------------- deadlocks */

/* Threads 0..n-1, each of which holds lock i and waits for lock to[i]; as text of the first line. */
static char *deadlock_text(size_t count, const int *to)
{
	static const char *const locks[] = { "a", "b", "c", "d" }, *const threads[] = { "T_0", "T_1", "T_2", "T_3" };
	static const struct place nowhere = { .file = "x.c", .function = "f", .linkage = "", .unit = "", .module = "", .line = 7, .ordinal = 1 };
	struct findings l = { 0 };
	struct finding *f = findings_add(&l, FINDING_DEADLOCK, FINDING_CONFIRMED);
	for (size_t i = 0; i < count; i++) {
		struct finding_place *p = finding_place_add(&l, f, &(struct event){ .kind = EV_LOCK, .place = &nowhere }, threads[i]);
		finding_lock_add(&l, &p->locks, locks[i], false, finding_spot_of(&l, &nowhere));
		p->object = to[i] < 0 ? findings_text(&l, threads[-to[i] - 1]) : locks[to[i]];
	}
	findings_finish(&l);
	struct report r = { .findings = &l, .listed = ~0u };
	char *text = printed(report_text, &r);
	text[strcspn(text, "\n")] = 0;
	findings_release(&l);
	return text;
}

/* They are told in the order of their circle; what is no circle is not called one.  -1: waits for the end of thread 0. */
static void circles(void **state)
{
	static const struct { size_t count; int to[4]; const char *text; } cases[] = {
		{ 2, { 1, 0 }, "T_0 waits for 'b', T_1 at x.c:7 for 'a': each waits for the next, the last for the first" },
		{ 3, { 2, 0, 1 }, "T_0 waits for 'c', T_2 at x.c:7 for 'b', T_1 at x.c:7 for 'a': each waits for the next, the last for the first" },
		{ 4, { 3, 2, 0, 1 }, "T_0 waits for 'd', T_3 at x.c:7 for 'b', T_1 at x.c:7 for 'c', T_2 at x.c:7 for 'a': each waits for the next, the last for the first" },
		{ 2, { 1, -1 }, "T_0 waits for 'b', T_1 at x.c:7 for 'T_0': each waits for the next, the last for the first" },
		{ 2, { 3, 0 }, "T_0 waits for 'd', T_1 at x.c:7 for 'a': none of them can go on" },
		{ 3, { 1, 0, 1 }, "T_0 waits for 'b', T_1 at x.c:7 for 'a', T_2 at x.c:7 for 'b': none of them can go on" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char expected[300], *text = deadlock_text(cases[i].count, cases[i].to);
		snprintf(expected, sizeof expected, "x.c:7: deadlock: %s (confirmed)", cases[i].text);
		assert_string_equal(text, expected);
		free(text);
	}
}

/* ---------------------------------------------------------------- what counts */

static void what_counts(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct report_counts c;
	sample_make(&l, 8, "", 0);              /* one of each kind; confirmed are race, deadlock, atomicity, use after free */
	struct report r = sample_report(&l);
	report_count(&r, &c);
	assert_int_equal(c.bugs, 4);
	assert_int_equal(c.kinds[FINDING_DEADLOCK], 1);
	assert_int_equal(c.kinds[FINDING_LOST_WAKEUP], 0);
	assert_int_equal(c.status[FINDING_PREDICTED], 2);
	assert_int_equal(report_exit(&r), 1);
	for (size_t i = 0; i < l.all.count; i++)
		if (l.all.at[i]->status == FINDING_CONFIRMED)
			l.all.at[i]->known = true;
	assert_int_equal(report_exit(&r), 0);
	r.gave_up = "no time was left";
	assert_int_equal(report_exit(&r), 4);
	r.bugs |= STATUS_BIT(FINDING_PREDICTED);
	assert_int_equal(report_exit(&r), 1);
	for (size_t i = 0; i < l.all.count; i++)
		l.all.at[i]->suppressed = "any:*";
	report_count(&r, &c);
	assert_int_equal(c.suppressed, 8);
	assert_int_equal(c.bugs, 0);
	assert_int_equal(report_exit(&r), 4);
	findings_release(&l);
}

/* Nothing is called nothing when not all was looked at, or when something was predicted and did not show. */
static void nothing_found(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct report r = { .findings = &l, .listed = STATUS_BIT(FINDING_CONFIRMED), .bugs = STATUS_BIT(FINDING_CONFIRMED), .events = 1, .seconds = 0 };
	char *text = printed(report_text, &r);
	assert_string_equal(text, "nothing found (1 event, 0.0 s)\n");
	free(text);
	r.gave_up = "interrupted";
	text = printed(report_text, &r);
	assert_string_equal(text, "nothing confirmed (1 event, 0.0 s)\nnot all was looked at: interrupted\n");
	free(text);
	r.gave_up = NULL;
	findings_add(&l, FINDING_RACE, FINDING_NOT_REPRODUCED);
	findings_finish(&l);
	text = printed(report_text, &r);
	assert_string_equal(text, "nothing confirmed: 1 not reproduced (1 event, 0.0 s)\n");
	free(text);
	findings_release(&l);
}

/* ---------------------------------------------------------------- baselines */

/* What --json printed, from a program whose lines have moved since: everything that was a bug is known. */
static void baseline_after_lines_moved(void **state)
{
	(void)state;
	struct findings before = { 0 }, after = { 0 };
	struct baseline b = { 0 };
	struct report_counts c;
	struct err why;
	sample_make(&before, 16, "old/", 0);
	struct report r = sample_report(&before);
	char *text = printed(report_json, &r);
	assert_int_equal(baseline_parse(&b, "known.json", text, strlen(text), &why), 0);
	sample_make(&after, 24, "new/place/", 11);
	assert_int_equal(baseline_apply(&b, &after), 0);
	r = sample_report(&after);
	report_count(&r, &c);
	assert_int_equal(c.bugs, 12);
	assert_int_equal(c.known, 8);
	assert_int_equal(c.fresh, 4);
	for (size_t i = 0; i < after.all.count; i++)    /* what was not reproduced or infeasible then is not known */
		if (after.all.at[i]->status == FINDING_NOT_REPRODUCED || after.all.at[i]->status == FINDING_INFEASIBLE)
			assert_false(after.all.at[i]->known);
	findings_release(&after);
	after = (struct findings){ 0 };
	sample_make(&after, 8, "", 0);
	assert_int_equal(baseline_apply(&b, &after), 6);                /* four confirmed and two predicted of the other eight */
	free(text);
	baseline_release(&b);
	findings_release(&before);
	findings_release(&after);
}

/* Races of one function, variable and kind, each by which accesses of the function they are. */
static void races_at(struct findings *l, const uint32_t *ordinals, uint32_t count)
{
	*l = (struct findings){ 0 };
	for (uint32_t i = 0; i < count; i++) {
		struct race_of r = usual;
		r.line[0] += i;
		r.ordinal[0] = ordinals[i];
		race_add(l, &r);
		l->all.at[l->all.count - 1]->status = FINDING_CONFIRMED;
	}
	findings_finish(l);
}

static uint32_t known_of(const struct findings *l)
{
	uint32_t known = 0;
	for (size_t i = 0; i < l->all.count; i++)
		known += l->all.at[i]->known;
	return known;
}

/* Accesses were added to the function, or taken away: what was known is, and one more is one more. */
static void baseline_after_accesses_added(void **state)
{
	static const struct { uint32_t ordinals[3], count, known; uint64_t gone; } cases[] = { { { 5, 9 }, 2, 2, 0 }, { { 6, 10 }, 2, 2, 0 }, { { 9, 13 }, 2, 2, 0 },
		{ { 5, 9, 20 }, 3, 2, 0 }, { { 4, 6, 10 }, 3, 2, 0 }, { { 7 }, 1, 1, 1 }, { { 0 }, 0, 0, 2 } };
	struct findings before, after;
	struct err why;
	(void)state;
	races_at(&before, (const uint32_t[]){ 5, 9 }, 2);
	struct report r = sample_report(&before);
	char *text = printed(report_json, &r);
	struct baseline b = { 0 };
	assert_int_equal(baseline_parse(&b, "known.json", text, strlen(text), &why), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		races_at(&after, cases[i].ordinals, cases[i].count);
		assert_int_equal(baseline_apply(&b, &after), cases[i].gone);
		assert_int_equal(known_of(&after), cases[i].known);
		findings_release(&after);
	}
	struct race_of other = usual;
	other.access[0] = other.access[0] == ACCESS_WRITE ? ACCESS_READ : ACCESS_WRITE;
	other.ordinal[0] = 7;
	after = (struct findings){ 0 };
	race_add(&after, &other);
	after.all.at[0]->status = FINDING_CONFIRMED;
	findings_finish(&after);
	assert_int_equal(baseline_apply(&b, &after), 2);
	assert_false(after.all.at[0]->known);
	findings_release(&after);
	baseline_release(&b);
	free(text);
	findings_release(&before);
}

static void bad_baselines(void **state)
{
	static const struct { const char *text, *said; } cases[] = {
		{ "{}\n\n{\"fingerprint\":\"a\"", "baseline 'b.json' line 3: not a JSON object (at byte 19 of it)" },
		{ "[1]\n", "baseline 'b.json' line 1: not a JSON object (at byte 1 of it)" },
		{ "bank.c:41: race\n", "baseline 'b.json' line 1: not a JSON object (at byte 1 of it)" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct baseline b = { 0 };
		struct err why = { 0 };
		assert_int_equal(baseline_parse(&b, "b.json", cases[i].text, strlen(cases[i].text), &why), -1);
		assert_string_equal(why.text, cases[i].said);
		assert_int_equal(why.code, 3);
		baseline_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fingerprints_stay), cmocka_unit_test(fingerprints_differ), cmocka_unit_test(fingerprints_are_told_apart),
		cmocka_unit_test(text_of_a_race), cmocka_unit_test(json_of_a_race), cmocka_unit_test(json_of_what_is_no_bug), cmocka_unit_test(hostile_names), cmocka_unit_test(uris),
		cmocka_unit_test(circles), cmocka_unit_test(what_counts), cmocka_unit_test(nothing_found), cmocka_unit_test(baseline_after_lines_moved),
		cmocka_unit_test(baseline_after_accesses_added), cmocka_unit_test(bad_baselines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
