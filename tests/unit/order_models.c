/* tests/unit/order_models.c -- the shapes memory models are told apart by, asked of the order engine: which of them can happen is known
 * from the models' definitions (docs/memory-models.md), not from the engine.
 * A shape is a text twin; events of it are named by thread and number. */
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

#define MOST 16

struct shape { struct trace *trace; struct order *order; struct event events[2][MOST]; };

static void shape_open(struct shape *s, const char *text)
{
	char path[] = "/tmp/raddle-unit-XXXXXX";
	struct err why = { 0 };
	struct merged *m;
	struct event ev;
	FILE *out = fdopen(mkstemp(path), "w");
	fprintf(out, "order: total\nthread: T_0\nthread: T_0_0 parent=T_0\nT_0 begin\nT_0_0 begin\n%s", text);
	fclose(out);
	memset(s, 0, sizeof *s);
	assert_int_equal(trace_open(&s->trace, path, &(struct trace_options){ 0 }, &why), 0);
	unlink(path);
	s->order = order_new_weak(s->trace);
	assert_int_equal(merged_open(&m, s->trace, &why), 0);
	while (merged_next(m, &ev, &why) > 0) {
		assert_true(ev.index < MOST);
		order_note(s->order, &ev);
		s->events[ev.thread.i][ev.index] = ev;
	}
	merged_close(m);
	order_seal(s->order);
}

static void shape_close(struct shape *s)
{
	order_free(s->order);
	trace_close(s->trace);
}

/* Can both reached events have come while neither of the open ones has happened?  Under SC, TSO, PSO: a letter each, y n u. */
static void can(const char *text, const char *expected, unsigned open0, unsigned reached0, unsigned open1, unsigned reached1)
{
	static const char letters[] = { [ORDER_NO] = 'n', [ORDER_YES] = 'y', [ORDER_STUCK] = 's', [ORDER_UNKNOWN] = 'u' };
	struct shape s;
	char got[4] = "";
	shape_open(&s, text);
	const struct event *open[2] = { &s.events[0][open0], &s.events[1][open1] };
	const struct event *reached[2] = { &s.events[0][reached0], &s.events[1][reached1] };
	for (enum order_model m = ORDER_SC; m <= ORDER_PSO; m++)
		got[m] = letters[order_moment(s.order, m, reached, 2, open, 2, NULL)];
	assert_string_equal(got, expected);
	shape_close(&s);
}

/* Can the thread's later store be in memory while the earlier one is not? */
static void overtakes(const char *text, const char *expected, unsigned first, unsigned second)
{
	static const char letters[] = { [ORDER_NO] = 'n', [ORDER_YES] = 'y', [ORDER_STUCK] = 's', [ORDER_UNKNOWN] = 'u' };
	struct shape s;
	char got[3] = "";
	shape_open(&s, text);
	const struct event *open = &s.events[0][first], *reached = &s.events[0][second];
	for (enum order_model m = ORDER_TSO; m <= ORDER_PSO; m++)
		got[m - ORDER_TSO] = letters[order_moment(s.order, m, &reached, 1, &open, 1, NULL)];
	assert_string_equal(got, expected);
	shape_close(&s);
}

/* Store buffering: both stores wait while both threads have come to their second event, the load (SC is asked of the stores' own places). */
static void store_buffering(void **state)
{
	(void)state;
	can("T_0 w v100@0x100 size=4 value=1\nT_0 rmw v200@0x200 size=4 value=0 new=1 op=add order=relaxed\nT_0 r v300@0x300 size=4 value=0\n"
		"T_0_0 w v300@0x300 size=4 value=1\nT_0_0 r v100@0x100 size=4 value=0\n", "nnn", 1, 3, 1, 2);
	can("T_0 w v100@0x100 size=4 value=1\nT_0 aload v200@0x200 size=4 value=0 order=acquire\n"
		"T_0 fence order=acq_rel\nT_0 r v300@0x300 size=4 value=0\n"
		"T_0_0 w v300@0x300 size=4 value=1\n"
		"T_0_0 aload v400@0x400 size=4 value=0 order=acquire\nT_0_0 fence order=acq_rel\nT_0_0 r v100@0x100 size=4 value=0\n", "nyy", 1, 4, 1, 4);
	can("T_0 w v100@0x100 size=4 value=1\nT_0 fence order=seq_cst\nT_0 r v300@0x300 size=4 value=0\n"
		"T_0_0 w v300@0x300 size=4 value=1\nT_0_0 fence order=acq_rel\nT_0_0 r v100@0x100 size=4 value=0\n", "nnn", 1, 3, 1, 3);
}

/* Message passing: the flag is in memory and the data is not. */
static void message_passing(void **state)
{
	(void)state;
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 w v200@0x200 size=4 value=1\n", "ny", 1, 2);
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 astore v200@0x200 size=4 value=1 order=relaxed\n", "ny", 1, 2);
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 astore v200@0x200 size=4 value=1 order=release\n", "nn", 1, 2);
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 fence order=release\nT_0 astore v200@0x200 size=4 value=1 order=relaxed\n", "nn", 1, 3);
	overtakes("T_0 astore v100@0x100 size=4 value=1 order=release\nT_0 w v200@0x200 size=4 value=1\n", "ny", 1, 2);
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 w v102@0x102 size=4 value=1\n", "nn", 1, 2);
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 lock m@0x500\nT_0 unlock m@0x500\nT_0 w v200@0x200 size=4 value=1\n", "nn", 1, 4);
}

/* A store between two others that covers bytes of both keeps them in order, which is not followed through: it is said. */
static void stores_of_mixed_sizes(void **state)
{
	(void)state;
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 w v100@0x100 size=8 value=1\nT_0 w v104@0x104 size=4 value=1\n", "nu", 1, 3);
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 w v200@0x200 size=8 value=1\nT_0 w v104@0x104 size=4 value=1\n", "ny", 1, 3);
	overtakes("T_0 astore v100@0x100 size=4 value=1 order=release\nT_0 w v100@0x100 size=8 value=1\nT_0 w v104@0x104 size=4 value=1\n", "nn", 1, 3);
}

/* A library function that writes other than by copying is taken to empty the buffer. */
static void library_calls(void **state)
{
	(void)state;
	overtakes("T_0 w v100@0x100 size=4 value=1\nT_0 libwrite v600@0x600 len=8\nT_0 w v200@0x200 size=4 value=1\n", "nn", 1, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(store_buffering),
		cmocka_unit_test(message_passing),
		cmocka_unit_test(stores_of_mixed_sizes),
		cmocka_unit_test(library_calls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
