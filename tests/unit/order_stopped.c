/* tests/unit/order_stopped.c -- a question that is being thought about can be stopped: then its answer is unknown, and the next one is asked as ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "order/order.h"

/* Both inside a section of one lock: never, which takes a search to say. */
static const char guarded[] = "order: total\nthread: T_0\nthread: T_0_0 parent=T_0\nT_0 begin\nT_0_0 begin\n"
	"T_0 lock m\nT_0 w x\nT_0 unlock m\nT_0_0 lock m\nT_0_0 w x\nT_0_0 unlock m\n";

struct asked { unsigned times, most; };

static bool goes_on(void *with)
{
	struct asked *a = with;
	return a->times++ < a->most;
}

static void answers(unsigned most, enum order_answer expected, unsigned least_times)
{
	char path[] = "/tmp/raddle-unit-XXXXXX";
	struct err why = { 0 };
	struct trace *trace;
	struct order *order;
	struct merged *m;
	struct event ev;
	struct asked asked = { .most = most };
	FILE *out = fdopen(mkstemp(path), "w");
	fputs(guarded, out);
	fclose(out);
	assert_int_equal(trace_open(&trace, path, &(struct trace_options){ 0 }, &why), 0);
	assert_int_equal(merged_open(&m, trace, &why), 0);
	order = order_new(trace);
	while (merged_next(m, &ev, &why) > 0)
		order_note(order, &ev);
	merged_close(m);
	order_seal(order);
	struct stand one = order_stand_at(order_spot(order, 0, 2)), other = order_stand_at(order_spot(order, 1, 2));
	order_watch(order, goes_on, &asked);
	assert_int_equal(order_adjacent(order, one, other, NULL), expected);
	assert_true(asked.times >= least_times);
	order_watch(order, NULL, NULL);
	assert_int_equal(order_adjacent(order, one, other, NULL), ORDER_NO);
	order_free(order);
	trace_close(trace);
	unlink(path);
}

static void is_stopped(void **state)
{
	(void)state;
	answers(0, ORDER_UNKNOWN, 1);
	answers(1000000, ORDER_NO, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(is_stopped) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
