/* tests/unit/order_again.c -- a no is found once: the same question asked again costs nothing and is explained in the same words; another one is searched for itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "order/order.h"

/* Two accesses of each thread inside a section of one lock, never next to each other's; and one of each outside of it. */
static const char guarded[] = "order: total\nthread: T_0\nthread: T_0_0 parent=T_0\nT_0 begin\nT_0_0 begin\n"
	"T_0 lock m\nT_0 w x\nT_0 w y\nT_0 unlock m\nT_0 w z\nT_0_0 lock m\nT_0_0 w x\nT_0_0 w y\nT_0_0 unlock m\nT_0_0 w z\n";

static char *explained(struct order *o, uint64_t index, enum order_answer expected, uint64_t *cost)
{
	struct spot at[] = { order_spot(o, 0, index), order_spot(o, 1, index) };
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	uint64_t before = order_spent(o);
	struct question q = { .reach = at, .reach_count = 2, .limit = at, .limit_count = 2, .explain = out };
	assert_int_equal(order_ask(o, &q), expected);
	*cost = order_spent(o) - before;
	fclose(out);
	return text;
}

static void is_found_once(void **state)
{
	char path[] = "/tmp/raddle-unit-XXXXXX";
	struct err why = { 0 };
	struct trace *trace;
	struct merged *m;
	struct event ev;
	uint64_t first, second, third, other;
	(void)state;
	FILE *out = fdopen(mkstemp(path), "w");
	fputs(guarded, out);
	fclose(out);
	assert_int_equal(trace_open(&trace, path, &(struct trace_options){ 0 }, &why), 0);
	assert_int_equal(merged_open(&m, trace, &why), 0);
	struct order *o = order_new(trace);
	while (merged_next(m, &ev, &why) > 0)
		order_note(o, &ev);
	merged_close(m);
	order_seal(o);
	char *one = explained(o, 2, ORDER_NO, &first), *again = explained(o, 2, ORDER_NO, &second), *like = explained(o, 3, ORDER_NO, &third);
	assert_true(strstr(one, "sections of a lock") != NULL);
	assert_string_equal(one, again);
	assert_string_equal(one, like);
	assert_true(first > 1);
	assert_int_equal(second, 1);
	assert_int_equal(third, 1);
	free(explained(o, 5, ORDER_YES, &other));
	free(one);
	free(again);
	free(like);
	order_free(o);
	trace_close(trace);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(is_found_once) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
