/* tests/unit/verify.c -- small traces, right and wrong ones for each rule of trace/verify.c, written as text twins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trace/text.h"
#include "trace/verify.h"

#define TOTAL "order: total\nthread: A\nthread: B parent=A\n"
#define NATIVE "order: per-object\nthread: A\nthread: B parent=A\n"
#define FORKED "A begin\nA fork B\nB begin\n"

static struct verify *verdict(const char *twin)
{
	struct trace_options options = { false };
	struct trace *t;
	struct verify *v;
	struct err why;
	if (text_load(&t, "twin", twin, strlen(twin), &options, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(verify_take(&v, t, &why), 0);
	trace_close(t);
	return v;
}

static void holds(const char *twin)
{
	struct verify *v = verdict(twin);
	if (v->problem_count)
		fail_msg("%s: %s (value %llu, expected %llu)\n%s", verify_rule_words[v->problems.at[0].rule], v->problems.at[0].text,
			(unsigned long long)v->problems.at[0].value, (unsigned long long)v->problems.at[0].expected, twin);
	verify_free(v);
}

static void breaks(const char *twin, enum verify_rule rule)
{
	struct verify *v = verdict(twin);
	if (!v->problem_count)
		fail_msg("nothing was found in\n%s", twin);
	assert_int_equal(v->problems.at[0].rule, rule);
	verify_free(v);
}

static uint64_t cause(const char *twin, enum verify_cause which)
{
	struct verify *v = verdict(twin);
	uint64_t n = v->causes[which];
	assert_int_equal(v->problem_count, 0);
	verify_free(v);
	return n;
}

static void locks(void **state)
{
	holds(TOTAL FORKED "A lock m type=mutex\nA unlock m type=mutex\nB lock m type=mutex\nB unlock m type=mutex\n");
	breaks(TOTAL FORKED "A lock m type=mutex\nB lock m type=mutex\n", RULE_LOCK);
	breaks(TOTAL FORKED "A lock m type=mutex\nA lock m type=mutex\n", RULE_LOCK);
	holds(TOTAL FORKED "A lock m type=recursive\nA lock m type=recursive\nA unlock m type=recursive\nA unlock m type=recursive\n"
		"B lock m type=recursive\n");
	breaks(TOTAL FORKED "A lock m type=recursive\nA lock m type=recursive\nA unlock m type=recursive\n"
		"B lock m type=recursive\n", RULE_LOCK);
	breaks(TOTAL FORKED "A lock m type=mutex\nB unlock m type=mutex\nB yield\n", RULE_LOCK);
	breaks(TOTAL FORKED "B unlock m type=mutex\n", RULE_LOCK);
	holds(TOTAL FORKED "A lock m type=mutex\nB unlock m type=mutex res=1\nB tryfail m type=mutex res=16\nA unlock m type=mutex\n");
	holds(TOTAL FORKED "A lock m type=mutex\nB unlock m type=mutex\nB unlock m type=mutex res=1\nA unlock m type=mutex\n");
	holds(TOTAL FORKED "A lock m type=mutex\nB lock m type=mutex res=130\nB unlock m type=mutex\n");
	holds(TOTAL FORKED "A lock m type=mutex\nA lockdead m type=mutex\nB lock m type=mutex\n");
	holds(TOTAL FORKED "A alloc 0x1000 len=64\nA lock 0x1010 type=mutex\nA free 0x1000\nB alloc 0x1000 len=64\n"
		"B lock 0x1010 type=mutex\n");
	(void)state;
}

static void reader_locks(void **state)
{
	holds(TOTAL FORKED "A lock r type=rwlock mode=read\nB lock r type=rwlock mode=read\nA unlock r type=rwlock\n"
		"B unlock r type=rwlock\n"
		"A lock r type=rwlock\nA unlock r type=rwlock\n");
	breaks(TOTAL FORKED "A lock r type=rwlock mode=read\nB lock r type=rwlock\n", RULE_LOCK);
	breaks(TOTAL FORKED "A lock r type=rwlock\nB lock r type=rwlock mode=read\n", RULE_LOCK);
	breaks(TOTAL FORKED "A lock r type=rwlock mode=read\nB unlock r type=rwlock\nB yield\n", RULE_LOCK);
	(void)state;
}

static void conditions(void **state)
{
	holds(TOTAL FORKED "A lock m type=mutex\nA cwait c lock=m\nB lock m type=mutex\nB csignal c\nB unlock m type=mutex\n"
		"A cwake c lock=m\n"
		"A unlock m type=mutex\n");
	breaks(TOTAL FORKED "A cwait c lock=m\n", RULE_COND);
	breaks(TOTAL FORKED "A lock m type=mutex\nA cwake c lock=m\n", RULE_COND);
	breaks(TOTAL FORKED "A lock m type=mutex\nA cwait c lock=m\nB lock m type=mutex\nA cwake c lock=m\n", RULE_LOCK);
	(void)state;
}

static void threads(void **state)
{
	holds(TOTAL FORKED "B end\nA join B\n");
	breaks(TOTAL "A begin\nB begin\nA fork B\n", RULE_THREAD);
	breaks(TOTAL FORKED "A join B\nB end\n", RULE_THREAD);
	breaks(TOTAL FORKED "B end\nB r x value=1\n", RULE_THREAD);
	breaks(TOTAL FORKED "B end\nA join B\nA join B\n", RULE_THREAD);
	breaks(TOTAL FORKED "B begin\n", RULE_THREAD);
	holds(TOTAL "A begin\nA fork B\nA fork B res=11\nA fork B\nB begin\n");
	(void)state;
}

static void barriers_and_semaphores(void **state)
{
	holds(TOTAL FORKED "A benter b\nB benter b\nA bleave b\nA benter b gen=1\nB bleave b res=-1\nB benter b gen=1\n"
		"B bleave b gen=1\nA bleave b gen=1\n");
	breaks(TOTAL FORKED "A benter b gen=1\nA bleave b gen=1\nB benter b gen=1\n", RULE_BARRIER);
	breaks(TOTAL FORKED "A bleave b\n", RULE_BARRIER);
	holds(TOTAL FORKED "A swait s\nA swait s\n");
	holds(TOTAL FORKED "A lockinit s type=sem\nA libwrite s len=32 bytes=01000000\nA swait s\nB spost s\nA swait s\n");
	breaks(TOTAL FORKED "A lockinit s type=sem\nA libwrite s len=32 bytes=01000000\nA swait s\nB swait s\n", RULE_SEM);
	(void)state;
}

static void versions(void **state)
{
	holds(NATIVE FORKED "A lock m type=mutex ver=2\nA unlock m type=mutex ver=4\nB lock m type=mutex ver=6\n");
	breaks(NATIVE FORKED "A lock m type=mutex ver=2\nA unlock m type=mutex ver=4\nB lock m type=mutex ver=4\n", RULE_VERSION);
	breaks(NATIVE FORKED "A lock m type=mutex ver=4\nA unlock m type=mutex ver=2\n", RULE_VERSION);
	holds(NATIVE FORKED "A rmw z value=0 new=1 ver=2\nB aload z value=1 ver=3\nA aload z value=1 ver=3\nB rmw z value=1 new=2 ver=4\n");
	breaks(NATIVE FORKED "A astore z value=0 ver=2\nA rmw z value=0 new=1 ver=4\nB aload z value=0 ver=5\n", RULE_VALUE);
	breaks(NATIVE FORKED "A astore z value=0 ver=2\nA rmw z value=0 new=1 ver=4\nB rmw z value=0 new=1 ver=6\n", RULE_VALUE);
	breaks(NATIVE FORKED "A astore z value=5 ver=2\nB cas z value=4 is=failed ver=4\n", RULE_VALUE);
	(void)state;
}

static void values_in_total_order(void **state)
{
	holds(TOTAL FORKED "A w x value=1\nB r x value=1\n");
	breaks(TOTAL FORKED "A w x value=1\nB w x value=2\nA r x value=1\n", RULE_VALUE);
	breaks(TOTAL FORKED "A r x value=1\nB r x value=2\n", RULE_VALUE);
	holds(TOTAL FORKED "A w x size=8 value=0x1122334455667788\nA r x+2 size=2 value=0x5566\nA w x+3 size=1 value=0\n"
		"B r x size=8 value=0x1122334400667788\n");
	breaks(TOTAL FORKED "A w x size=8 value=0x1122334455667788\nA w x+3 size=1 value=0\nB r x+2 size=4 value=0x33445566\n", RULE_VALUE);
	holds(TOTAL FORKED "A w x+6 size=4 value=0x01020304\nB r x+8 size=2 value=0x0102\nB r x+6 size=2 value=0x0304\n");
	holds(TOTAL FORKED "A w x size=16 value=0x20000000000000001\nB r x+8 size=8 value=2\n");
	assert_int_equal(cause(TOTAL FORKED "A r x value=3\n", BY_INITIAL), 1);
	(void)state;
}

static void races(void **state)
{
	holds(NATIVE FORKED "A w x value=1 time=5\nB r x value=0 time=9\n");
	holds(NATIVE FORKED "B r x value=1 time=5\nA w x value=1 time=9\n");
	holds(NATIVE "A begin\nA w x value=0\nA fork B\nB begin\nB r x value=7 time=5\nA w x value=7 time=9\n");
	breaks(NATIVE "A begin\nA w x value=0\nA fork B\nB begin\nB r x value=8 time=5\nA w x value=7 time=9\n", RULE_VALUE);
	breaks(NATIVE FORKED "B w x value=1\nB end\nA join B\nA r x value=2\n", RULE_VALUE);
	breaks(NATIVE FORKED "A lock m type=mutex ver=2\nA w x value=1\nA unlock m type=mutex ver=4\n"
		"B lock m type=mutex ver=6\nB r x value=0\nB unlock m type=mutex ver=8\n", RULE_VALUE);
	holds(NATIVE "A begin\nA w x value=0\nA fork B\nB begin\nA w x value=1 time=3\nA w x value=2 time=4\n"
		"B r x value=1 time=9\nB r x value=2 time=10\n");
	breaks(NATIVE "A begin\nA w x value=3\nA fork B\nB begin\nB r x value=3 time=3\nA lock m type=mutex ver=2 time=4\n"
		"A w x value=4 time=5\nA unlock m type=mutex ver=4 time=6\nB lock m type=mutex ver=6 time=7\n"
		"B r x value=3 time=9\n", RULE_VALUE);
	(void)state;
}

static void library_writes(void **state)
{
	holds(TOTAL FORKED "A libwrite x len=4 bytes=05000000\nA r x value=5\n");
	breaks(TOTAL FORKED "A libwrite x len=4 bytes=05000000\nA r x value=6\n", RULE_VALUE);
	holds(TOTAL FORKED "A libwrite x len=400 bytes=05000000 is=cut\nA r x+200 value=6\n");
	breaks(TOTAL FORKED "A libwrite x len=400 bytes=05000000 is=cut\nA r x+200 value=6\nB r x+200 value=7\n", RULE_VALUE);
	breaks(TOTAL FORKED "A libwrite x len=400 bytes=01010101 is=cut name=memset\nA r x+200 value=6\n", RULE_VALUE);
	holds(TOTAL FORKED "A copy x len=4 bytes=004000000000000005000000\nA r x value=5\n");
	breaks(TOTAL FORKED "A w x value=5\nA libread x len=4 bytes=06000000\n", RULE_VALUE);
	holds(TOTAL FORKED "A alloc 0x10000 len=20000 res=1\nA r 0x12340 value=0\nA w 0x12340 value=1\nA free 0x10000\n"
		"B alloc 0x10000 len=20000\nB r 0x12340 value=99\n");
	breaks(TOTAL FORKED "A alloc 0x10000 len=20000 res=1\nA r 0x12340 value=3\n", RULE_VALUE);
	(void)state;
}

#define REAL "module: /bin/x base=0x1000 low=0x1000 high=0x9000 is=instrumented\n"

static void unseen_code(void **state)
{
	static const char start[] = TOTAL REAL FORKED "A enter in=main\nB enter in=f\n";
	char twin[1024];
	struct { const char *call; bool seen; } calls[] = { { "name=printf", true }, { "name=mystery", false }, { "", false } };
	for (size_t i = 0; i < 3; i++) {
		snprintf(twin, sizeof twin, "%sA w 0x2000 value=1\nA call %s\nA r 0x2000 value=2\n", start, calls[i].call);
		if (calls[i].seen)
			breaks(twin, RULE_VALUE);
		else
			assert_int_equal(cause(twin, BY_UNSEEN), 1);
	}
	/* before the write, it explains nothing */
	snprintf(twin, sizeof twin, "%sA call name=mystery\nA w 0x2000 value=1\nA r 0x2000 value=2\n", start);
	breaks(twin, RULE_VALUE);
	/* an instrumented function is no unseen code */
	snprintf(twin, sizeof twin, "%splace: 1 f.c:1 link=f\nA w 0x2000 value=1\nA call name=f\nA enter at=f.c:1#1\nA leave\n"
		"A r 0x2000 value=2\n", start);
	breaks(twin, RULE_VALUE);
	/* a call nobody came back from */
	snprintf(twin, sizeof twin, "%sA w 0x2000 value=1\nB call name=mystery\nA r 0x2000 value=2\n", start);
	assert_int_equal(cause(twin, BY_UNSEEN), 1);
	/* another thread's, still under way when the read comes */
	snprintf(twin, sizeof twin, "%sA w 0x2000 value=1\nB call name=mystery\nA r 0x2000 value=2\nB leave\nB end\n", start);
	assert_int_equal(cause(twin, BY_UNSEEN), 1);
	(void)state;
}

static void stacks(void **state)
{
	static const char start[] = TOTAL REAL FORKED "B enter in=f\nA stack 0x70000 len=0x10000\nA enter in=main\nA w 0x7fff0 value=1\n";
	char twin[1024];
	/* written in this frame */
	snprintf(twin, sizeof twin, "%sA enter in=f\nA w 0x7ff00 value=1\nA r 0x7ff00 value=2\n", start);
	breaks(twin, RULE_VALUE);
	/* what an earlier frame left there */
	snprintf(twin, sizeof twin, "%sA enter in=f\nA w 0x7ff00 value=1\nA leave\nA enter in=g\nA r 0x7ff00 value=2\n", start);
	assert_int_equal(cause(twin, BY_FRESH), 1);
	/* the caller's, touched by the caller */
	snprintf(twin, sizeof twin, "%sA w 0x7ff00 value=1\nA enter in=f\nA leave\nA enter in=g\nA r 0x7ff00 value=2\n", start);
	breaks(twin, RULE_VALUE);
	(void)state;
}

static void handlers(void **state)
{
	holds(TOTAL "A begin\nA w x value=1\nA sigenter 10 nest=1\nA w x value=2 nest=1\nA sigleave 10 nest=1\nA r x value=1\n");
	holds(TOTAL "A begin\nA w x value=1\nA sigenter 10 nest=1\nA r x value=7 nest=1\nA sigleave 10 nest=1\n");
	(void)state;
}

static void flight_recordings(void **state)
{
	holds("order: per-object\nflags: last\nthread: A\nthread: B\nA unlock m type=mutex ver=8 time=3\nB w x value=1 time=4\n"
		"B r x value=2 time=5\nA w x value=2 time=9\n");
	holds("order: per-object\nflags: last\nthread: A\nthread: B\nB w x value=1 time=4\nB r x value=2 time=5\nA yield time=9\n");
	(void)state;
}

static void writers_are_named(void **state)
{
	struct verify *v = verdict(TOTAL FORKED "A w x value=1 at=f.c:7\nB r x value=2 at=g.c:9 name=x\n");
	assert_int_equal(v->problem_count, 1);
	const struct verify_problem *p = &v->problems.at[0];
	assert_int_equal(p->value, 2);
	assert_int_equal(p->expected, 1);
	assert_int_equal(p->writer.i, 0);
	assert_int_equal(p->thread.i, 1);
	assert_non_null(p->writer_place);
	verify_free(v);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(locks), cmocka_unit_test(reader_locks), cmocka_unit_test(conditions),
		cmocka_unit_test(threads), cmocka_unit_test(barriers_and_semaphores), cmocka_unit_test(versions),
		cmocka_unit_test(values_in_total_order), cmocka_unit_test(races), cmocka_unit_test(library_writes),
		cmocka_unit_test(unseen_code), cmocka_unit_test(stacks), cmocka_unit_test(handlers), cmocka_unit_test(flight_recordings),
		cmocka_unit_test(writers_are_named) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
