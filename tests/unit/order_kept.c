/* tests/unit/order_kept.c -- what comes behind what where all reads keep their values, by the table there is of that (order/kept.c): each rule, and where it must not be taken to hold.  Two events of each run
 * are asked about, a of T_0_0 and b of T_0_1, by the places in their lines: can both be next at once?  The table may say no only where the engine does. */
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

#define HEAD "order: total\nthread: T_0\nthread: T_0_0 parent=T_0\nthread: T_0_1 parent=T_0\nthread: T_0_2 parent=T_0\nT_0 begin\nT_0_0 begin\nT_0_1 begin\nT_0_2 begin\n"

/* apart: the table says that the two at a.c:1 and a.c:2 cannot be next at once. */
static void is_apart(const char *events, bool apart)
{
	char path[] = "/tmp/raddle-unit-XXXXXX";
	struct err why = { 0 };
	struct trace *trace;
	struct merged *m;
	const struct event *ev;
	uint32_t node[2] = { NO_NODE, NO_NODE };
	FILE *out = fdopen(mkstemp(path), "w");
	fprintf(out, HEAD "%s", events);
	fclose(out);
	assert_int_equal(trace_open(&trace, path, &(struct trace_options){ 0 }, &why), 0);
	assert_int_equal(merged_open(&m, trace, &why), 0);
	struct order *o = order_new(trace);
	while (merged_next_in_place(m, &ev, &why) > 0) {
		bool access = ev->kind == EV_READ || ev->kind == EV_WRITE;
		uint32_t at = access ? order_note_access(o, ev) : (order_note(o, ev), NO_NODE);
		if (ev->place && ev->place->line >= 1 && ev->place->line <= 2)
			node[ev->place->line - 1] = at;
	}
	merged_close(m);
	order_seal(o);
	assert_true(node[0] != NO_NODE && node[1] != NO_NODE);
	struct order_node a = order_node(o, node[0]), b = order_node(o, node[1]);
	struct spot both[2] = { { a.thread, a.at }, { b.thread, b.at } };
	struct question q = { .reach = both, .reach_count = 2, .limit = both, .limit_count = 2 };
	assert_int_equal(order_kept_apart(o, &q, NULL), apart);
	assert_int_equal(order_ask_keeping(o, &q, &(struct order_read){ .bold = true }), apart ? ORDER_NO : ORDER_YES);
	order_free(o);
	trace_close(trace);
	unlink(path);
}

static void a_read_is_behind_the_write(void **state)
{
	(void)state;
	is_apart("T_0_0 w x value=1 at=a.c:1\nT_0_0 w flag value=5\nT_0_1 r flag value=5\nT_0_1 r x value=1 at=a.c:2\n", true);
	is_apart("T_0_0 w x value=1 at=a.c:1\nT_0_0 w flag value=5\nT_0_1 r x value=1 at=a.c:2\nT_0_1 r flag value=5\n", false);                         /* it is read later */
	is_apart("T_0_2 w flag value=5\nT_0_0 w x value=1 at=a.c:1\nT_0_0 w flag value=5\nT_0_1 r flag value=5\nT_0_1 r x value=1 at=a.c:2\n", false);    /* another wrote the same */
	is_apart("T_0_0 w x value=1 at=a.c:1\nT_0_0 w flag value=5\nT_0_1 r flag value=5\nT_0_1 r x value=1 at=a.c:2\nT_0_2 w flag value=5\n", false);    /* though later */
	is_apart("T_0_0 w x value=1 at=a.c:1\nT_0_0 w flag value=5\nT_0_2 r flag value=5\nT_0_2 w other value=7\nT_0_1 r other value=7\nT_0_1 r x value=1 at=a.c:2\n", true);
}

static void a_wait_is_behind_a_signal(void **state)
{
	(void)state;
	static const char waits[] = "T_0_1 lock m type=mutex\nT_0_1 cwait c lock=m\n", ends[] = "T_0_1 cwake c lock=m\nT_0_1 unlock m type=mutex\nT_0_1 r x value=1 at=a.c:2\n";
	char text[800];
	for (int kind = 0; kind < 2; kind++) {
		const char *word = kind ? "cbroadcast" : "csignal";
		snprintf(text, sizeof text, "%sT_0_0 w x value=1 at=a.c:1\nT_0_0 %s c\n%s", waits, word, ends);
		is_apart(text, true);
		snprintf(text, sizeof text, "%sT_0_0 w x value=1 at=a.c:1\nT_0_0 csignal c\nT_0_2 %s c\n%s", waits, word, ends);          /* of another one */
		is_apart(text, false);
		snprintf(text, sizeof text, "%sT_0_0 w x value=1 at=a.c:1\nT_0_0 csignal c\n%sT_0_2 %s c\n", waits, ends, word);         /* that came later */
		is_apart(text, false);
	}
}

static void a_section_is_behind_the_whole_of_another(void **state)
{
	(void)state;
	static const char first[] = "T_0_0 lock m type=mutex\nT_0_0 w flag value=5\nT_0_0 w x value=1 at=a.c:1\nT_0_0 unlock m type=mutex\n";
	char text[800];
	snprintf(text, sizeof text, "%sT_0_1 lock m type=mutex\nT_0_1 r flag value=5\nT_0_1 unlock m type=mutex\nT_0_1 r x value=1 at=a.c:2\n", first);
	is_apart(text, true);
	snprintf(text, sizeof text, "%sT_0_1 lock n type=mutex\nT_0_1 r flag value=5\nT_0_1 unlock n type=mutex\nT_0_1 r x value=1 at=a.c:2\n", first);     /* of another lock */
	is_apart(text, false);
	static const char early[] = "T_0_0 w x value=1 at=a.c:1\nT_0_0 lock m type=mutex\nT_0_0 w flag value=5\nT_0_0 unlock m type=mutex\n";
	snprintf(text, sizeof text, "%sT_0_1 lock m type=mutex\nT_0_1 r x value=1 at=a.c:2\nT_0_1 r flag value=5\nT_0_1 unlock m type=mutex\n", early);     /* it has not read it yet */
	is_apart(text, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_read_is_behind_the_write), cmocka_unit_test(a_wait_is_behind_a_signal),
		cmocka_unit_test(a_section_is_behind_the_whole_of_another) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
