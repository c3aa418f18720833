/* tests/unit/schedule.c -- schedules: text and memory are the same thing; bad ones are refused by file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drive/schedule.h"
#include "wire/kinds.h"

#define HEAD "raddle schedule 1\n"
#define THREADS "threads 2\nthread T_0\nthread T_0_1\n"

static const char full[] =
	HEAD
	"program \"/usr/bin/pb zip\"\n"
	"build 0123456789abcdef0123456789abcdef01234567\n"
	"argument \"pbzip2\"\n"
	"argument \"a \\\"b\\\\ \\x0a\\x7f \xc3\xa9\\xff\"\n"
	"argument \"\"\n"
	"environment \"HOME\" \"/x=y\" behind 3 40\n"
	"environment \"TZ\" \"\"\n"
	"environment-rest 0 0\n"
	"policy pct:18446744073709551615,3\n"
	"switch baton\n"
	"heap reuse\n"
	"time real\n"
	"addresses fixed\n"
	"model pso\n"
	"max-steps 1000\n"
	"module 0 \"pbzip2\"\n"
	"module 3 \"lib x.so\"\n"
	"threads 3\n"
	"thread T_0\n"
	"thread T_0_1 \"put er\"\n"
	"thread T_0_1_12\n"
	"expect deadlock \"odd\"\n"
	"expect waits T_0 lock \"queue+8\" held T_0_1\n"
	"expect waits T_0_1 cwake \"\"\n"
	"expect events 99\n"
	"T_0 12\n"
	"T_0_1 57 lock queue.c:88 in put  pbzip2+0x1a2b\n"
	"T_0_1_12 answer 3 timeout cwake\n"
	"T_0_1_12 choice 4 7 csignal \"a b.c\":0 in \"f<a, b>\"  \"lib x.so\"+0x0\n"
	"T_0_1_12 4 csignal x:y.c:7 here 3\n"
	"T_0_1 flush 57 3 w queue.c:90 in put\n"
	"end\n";

static char *printed(const struct schedule *s)
{
	char *text = NULL;
	size_t count;
	FILE *out = open_memstream(&text, &count);
	schedule_print(s, out);
	fclose(out);
	return text;
}

static void round_trip(void **state)
{
	(void)state;
	struct schedule s;
	struct err why = { 0 };
	if (schedule_parse(&s, "x.sched", full, sizeof full - 1, &why) < 0)
		fail_msg("%s", why.text);
	char *text = printed(&s);
	assert_string_equal(text, full);
	assert_string_equal(s.arguments.at[1], "a \"b\\ \n\x7f \xc3\xa9\xff");
	assert_string_equal(s.program, "/usr/bin/pb zip");
	assert_true(s.policy == STEER_PCT && s.seed == UINT64_MAX && s.depth == 3);
	assert_true(s.switching == SWITCH_BATON && s.heap == HEAP_REUSE && s.time == TIME_REAL && s.model == MODEL_PSO && s.fixed_addresses);
	assert_int_equal(s.threads.count, 3);
	assert_true(s.outcome == OUTCOME_DEADLOCK && s.waits.count == 2 && s.waits.at[0].holder == 1 && s.waits.at[1].holder == NO_PART);
	assert_int_equal(s.steps.count, 6);
	const struct schedule_step *step = &s.steps.at[1];
	assert_true(step->what == STEP_RUN && step->thread == 1 && step->nth == 57 && step->kind == EV_LOCK);
	assert_string_equal(step->place.function, "put");
	assert_true(step->place.line == 88 && step->place.module == 0 && step->place.offset == 0x1a2b);
	step = &s.steps.at[3];
	assert_true(step->what == STEP_CHOICE && step->answer == 7 && step->place.module == 1 && step->nth == 4);
	assert_string_equal(step->place.file, "a b.c");
	step = &s.steps.at[4];
	assert_string_equal(step->place.file, "x:y.c");
	assert_true(step->here == 3 && step->line == 31);
	step = &s.steps.at[5];
	assert_true(step->what == STEP_FLUSH && step->thread == 1 && step->nth == 57 && step->answer == 3 && step->kind == EV_WRITE);
	free(text);
	schedule_release(&s);
}

static void comments_and_blanks(void **state)
{
	(void)state;
	struct schedule s;
	struct err why = { 0 };
	static const char text[] = "# made by hand\n\n \t" HEAD "thread T_0 # the first\n  T_0 \t 3 # as far as that\n\nend\n# bye\n";
	assert_int_equal(schedule_parse(&s, "x", text, sizeof text - 1, &why), 0);
	assert_int_equal(s.steps.count, 1);
	assert_int_equal(s.steps.at[0].nth, 3);
	schedule_release(&s);
}

static void policies(void **state)
{
	(void)state;
	char text[SCHEDULE_POLICY_ROOM];
	uint32_t policy, depth;
	uint64_t seed;
	assert_true(policy_parse("pct:9", &policy, &seed, &depth) && depth == 3 && seed == 9);
	assert_string_equal(policy_print(text, policy, seed, depth), "pct:9,3");
	assert_true(policy_parse("random:0x10", &policy, &seed, &depth) && seed == 16);
	assert_true(policy_parse("pos:7", &policy, &seed, &depth) && policy == STEER_POS && seed == 7);
	assert_string_equal(policy_print(text, policy, seed, depth), "pos:7");
	assert_false(policy_parse("pos:", &policy, &seed, &depth));
	assert_false(policy_parse("random", &policy, &seed, &depth));
	assert_false(policy_parse("random:", &policy, &seed, &depth));
	assert_false(policy_parse("random:1,2", &policy, &seed, &depth));
	assert_false(policy_parse("pct:1,", &policy, &seed, &depth));
	assert_false(policy_parse("pct:1,0", &policy, &seed, &depth));
	assert_false(policy_parse("pct:1,65", &policy, &seed, &depth));
	assert_false(policy_parse("random:18446744073709551616", &policy, &seed, &depth));
	assert_false(policy_parse("", &policy, &seed, &depth));
}

/* A text, and what is said about it. */
static const struct { const char *text, *said; } wrong[] = {
	{ "", "line 1: this is not a schedule: there is nothing in it" },
	{ "\n\n", "line 2: this is not a schedule: there is nothing in it" },
	{ "raddle trace 1\n", "line 1: this is not a schedule: it does not begin with 'raddle schedule'" },
	{ "raddle schedule 2\nend\n", "line 1: version 2 of the format; this raddle reads version 1" },
	{ HEAD, "line 1: the file is cut short: it has no 'end'" },
	{ HEAD "model rc11\n", "line 2: unknown memory model 'rc11'" },
	{ HEAD THREADS "T_0 1\nT_0 flush 2 0\nend\n", "line 6: a store of event 2 of T_0 comes before that event" },
	{ HEAD THREADS "T_0 1\nT_0 flush 1\nend\n", "line 6: the part is missing" },
	{ HEAD THREADS "T_0 1\nT_0_1 1 lo", "line 6: unknown kind of event 'lo'" },
	{ HEAD THREADS "T_0 1\nT_0_1 1 lock\n", "line 6: the file is cut short: it has no 'end'" },
	{ HEAD THREADS "end\nT_0 1\n", "line 6: something behind 'end'" },
	{ HEAD "end\n", "line 2: a step before the list of threads" },
	{ HEAD THREADS "jump 3\n", "line 5: unknown step or line 'jump'" },
	{ HEAD THREADS "T_0 1 lock lost\n", "line 5: unknown word 'lost'" },
	{ HEAD THREADS "T_0\n", "line 5: the event is missing" },
	{ HEAD THREADS "T_0 0\n", "line 5: the event '0' is not a number from 1 to 281474976710656" },
	{ HEAD THREADS "T_0 99999999999999999999999\n", "line 5: the event '99999999999999999999999' is not a number from 1 to 281474976710656" },
	{ HEAD THREADS "T_0 -1\n", "line 5: the event '-1' is not a number from 1 to 281474976710656" },
	{ HEAD THREADS "T_0_2 1\n", "line 5: thread 'T_0_2' is not in the list of threads" },
	{ HEAD THREADS "T_1 1\n", "line 5: 'T_1' is no thread" },
	{ HEAD THREADS "T_0_01 1\n", "line 5: 'T_0_01' is no thread" },
	{ HEAD THREADS "T_0 5\nT_0_1 1\nT_0 5\n", "line 7: event 5 of T_0 comes after its event 5" },
	{ HEAD THREADS "T_0 5\nT_0 4\n", "line 6: event 4 of T_0 comes after its event 5" },
	{ HEAD THREADS "T_0 answer 5 timeout\nT_0 4\nend\n", "line 5: no step reaches event 5 of T_0" },
	{ HEAD THREADS "T_0 answer 5 maybe\n", "line 5: unknown answer 'maybe'" },
	{ HEAD THREADS "T_0 answer 5 7\n", "line 5: unknown answer '7'" },
	{ HEAD THREADS "T_0 choice 5 timeout\n", "line 5: the choice 'timeout' is not a number from 0 to 4294967295" },
	{ HEAD THREADS "T_0 choice 5 4294967296\n", "line 5: the choice '4294967296' is not a number from 0 to 4294967295" },
	{ HEAD THREADS "T_0 1 lock a.c:99999999999\n", "line 5: the line of 'a.c:99999999999' is too large" },
	{ HEAD THREADS "T_0 1 lock prog+0x12\n", "line 5: the module of 'prog+0x12' is not in the list of modules" },
	{ HEAD "thread T_0_1\n", "line 2: the first thread is T_0, not 'T_0_1'" },
	{ HEAD "thread T_0\nthread T_0\n", "line 3: T_0 was listed before" },
	{ HEAD THREADS "thread T_0_1\n", "line 5: thread 'T_0_1' was listed before" },
	{ HEAD "threads 3\nthread T_0\nT_0 1\n", "line 4: 3 threads are announced, 1 are listed" },
	{ HEAD "threads 99999\n", "line 2: the number of threads '99999' is not a number from 1 to 4096" },
	{ HEAD THREADS "T_0 1\nheap unique\n", "line 6: 'heap' stands before the steps" },
	{ HEAD "heap big\n", "line 2: unknown heap 'big'" },
	{ HEAD "policy dice\n", "line 2: unknown policy 'dice'" },
	{ HEAD "build xyz\n", "line 2: 'xyz' is not a build id" },
	{ HEAD "argument \"a\n", "line 2: a quotation without its end" },
	{ HEAD "argument \"\\x00\"\n", "line 2: a backslash that stands for nothing" },
	{ HEAD "argument a\\b\n", "line 2: a backslash that stands for nothing" },
	{ HEAD "argument a\rb\n", "line 2: control byte 0x0d" },
	{ HEAD "argument\n", "line 2: the argument is missing" },
	{ HEAD "argument a b\n", "line 2: unknown word 'b'" },
	{ HEAD "environment \"a=b\" c\n", "line 2: that is no name of a variable" },
	{ HEAD "environment a b behind 0 0\n", "line 2: the number of variables '0' is not a number from 1 to 10000" },
	{ HEAD "environment-rest 1 99999999\n", "line 2: their bytes '99999999' is not a number from 0 to 2097152" },
	{ HEAD "expect exit 256\n", "line 2: the exit code '256' is not a number from 0 to 255" },
	{ HEAD "expect left\n", "line 2: no schedule can expect 'left'" },
	{ HEAD "expect joy\n", "line 2: unknown outcome 'joy'" },
	{ HEAD "expect exit 0\nexpect exit 0\n", "line 3: a second outcome" },
	{ HEAD "expect waits T_0 lock m\n", "line 2: thread 'T_0' is not in the list of threads" },
	{ HEAD "module 0 a\nmodule 0 b\n", "line 3: this module was listed before" },
	{ HEAD "a b c d e f g h i j k l m n o p q r\n", "line 2: more words than any line has" },
};

static void refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct schedule s;
		struct err why = { 0 };
		char said[600];
		snprintf(said, sizeof said, "schedule 'a.sched' %s", wrong[i].said);
		assert_int_equal(schedule_parse(&s, "a.sched", wrong[i].text, strlen(wrong[i].text), &why), -1);
		assert_string_equal(why.text, said);
		assert_int_equal(why.code, 3);
		schedule_release(&s);
	}
}

/* Cut anywhere before its last word, a schedule is refused. */
static void cut(void **state)
{
	(void)state;
	for (size_t n = 0; n + 1 < sizeof full - 1; n++) {
		struct schedule s;
		struct err why = { 0 };
		assert_int_equal(schedule_parse(&s, "cut", full, n, &why), -1);
		assert_non_null(strstr(why.text, "schedule 'cut' line "));
		schedule_release(&s);
	}
}

static void zero_byte(void **state)
{
	(void)state;
	struct schedule s;
	struct err why = { 0 };
	static const char text[] = HEAD "thread T_0\nT_0\0 1\nend\n";
	assert_int_equal(schedule_parse(&s, "z", text, sizeof text - 1, &why), -1);
	assert_string_equal(why.text, "schedule 'z' line 3: a zero byte");
	schedule_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip), cmocka_unit_test(comments_and_blanks), cmocka_unit_test(policies), cmocka_unit_test(refused),
		cmocka_unit_test(cut), cmocka_unit_test(zero_byte),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
