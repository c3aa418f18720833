/* tests/unit/order_stores.c -- what reads can return under SC, TSO and PSO, asked of the order engine: the shapes the models are told apart by, whose
 * answers are known from the models' definitions (docs/memory-models.md), and what the oracles of tests/order have none of: stores of
 * more than a word, of many places, and such as nobody asked about that keep others in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "order/order.h"
#include "trace/text.h"

#define MOST 64

struct shape { struct trace *trace; struct order *order; uint32_t nodes[2][MOST]; };

/* unnoted: an event of T_0 that is not noted as an access; 0: none. */
static void shape_open(struct shape *s, enum order_model model, const char *events, unsigned unnoted)
{
	char *text;
	size_t length;
	struct err why = { 0 };
	struct merged *m;
	struct event ev;
	FILE *out = open_memstream(&text, &length);
	fprintf(out, "order: total\nthread: T_0\nthread: T_0_0 parent=T_0\nT_0 begin\nT_0_0 begin\n%s", events);
	fclose(out);
	memset(s, 0xff, sizeof *s);
	assert_int_equal(text_load(&s->trace, "shape", text, length, &(struct trace_options){ 0 }, &why), 0);
	free(text);
	s->order = order_new_stores(s->trace, model);
	assert_int_equal(merged_open(&m, s->trace, &why), 0);
	while (merged_next(m, &ev, &why) > 0) {
		bool access = ev.kind == EV_READ || ev.kind == EV_WRITE;
		assert_true(ev.index < MOST);
		if (access && !(unnoted && ev.thread.i == 0 && ev.index == unnoted))
			s->nodes[ev.thread.i][ev.index] = order_note_access(s->order, &ev);
		else
			order_note(s->order, &ev);
	}
	merged_close(m);
	for (uint64_t at = 0x1000; at < 0x1200; at++)
		order_first_values(s->order, at, (const uint8_t[]){ 0 }, 1);
	order_seal(s->order);
}

/* Can event `read` of a thread return this, all reads before it keeping their values?  Under SC, TSO, PSO: a letter each, y n u. */
static void returns(const char *events, const char *expected, unsigned thread, unsigned read, uint64_t value, unsigned unnoted)
{
	static const char letters[] = { [ORDER_NO] = 'n', [ORDER_YES] = 'y', [ORDER_STUCK] = 's', [ORDER_UNKNOWN] = 'u' };
	char got[4] = "";
	for (enum order_model m = ORDER_SC; m <= ORDER_PSO; m++) {
		struct shape s;
		uint8_t bytes[16] = { 0 };
		memcpy(bytes, &value, sizeof value);
		shape_open(&s, m, events, unnoted);
		got[m] = letters[order_reads(s.order, &(struct order_read){ .read = s.nodes[thread][read], .from = NO_NODE, .value = bytes }, NULL, NULL)];
		order_free(s.order);
		trace_close(s.trace);
	}
	assert_string_equal(got, expected);
}

static void store_buffering(void **state)
{
	(void)state;
	static const char plain[] = "T_0 w 0x1000 size=4 value=1\nT_0 r 0x1010 size=4 value=0\nT_0_0 w 0x1010 size=4 value=1\nT_0_0 r 0x1000 size=4 value=1\n";
	static const char witness[] = "T_0 w 0x1000 size=4 value=1\nT_0 r 0x1010 size=4 value=0\nT_0 w 0x1020 size=4 value=1\n"
		"T_0_0 r 0x1020 size=4 value=1\nT_0_0 w 0x1010 size=4 value=1\nT_0_0 r 0x1000 size=4 value=1\n";
	returns(plain, "yyy", 1, 2, 0, 0);              /* T_0 need not have begun */
	returns(witness, "nny", 1, 3, 0, 0);            /* it has: 0x1020 says so, which only PSO lets go first */
}

static void message_passing(void **state)
{
	(void)state;
	static const char plain[] = "T_0 w 0x1000 size=4 value=1\nT_0 w 0x1010 size=4 value=1\nT_0_0 r 0x1010 size=4 value=1\nT_0_0 r 0x1000 size=4 value=1\n";
	static const char fenced[] = "T_0 w 0x1000 size=4 value=1\nT_0 fence order=release\nT_0 w 0x1010 size=4 value=1\nT_0_0 r 0x1010 size=4 value=1\n"
		"T_0_0 r 0x1000 size=4 value=1\n";
	returns(plain, "nny", 1, 2, 0, 0);
	returns(fenced, "nnn", 1, 2, 0, 0);
}

/* A thread returns its own store while it waits, and others do not see it: with what it read after it kept, the other's store came later than that. */
static void forwarding(void **state)
{
	(void)state;
	static const char own[] = "T_0 w 0x1000 size=4 value=1\nT_0 r 0x1000 size=4 value=1\nT_0 w 0x1010 size=4 value=1\n"
		"T_0_0 r 0x1010 size=4 value=1\nT_0_0 r 0x1000 size=4 value=1\n";
	static const char half[] = "T_0 w 0x1000 size=4 value=258\nT_0 w 0x1000 size=1 value=7\nT_0 r 0x1000 size=4 value=263\nT_0_0 w 0x1000 size=4 value=0\n";
	returns(own, "nny", 1, 2, 0, 0);
	returns(own, "nnn", 0, 2, 0, 0);
	returns(half, "nnn", 0, 3, 258, 0);             /* the byte it wrote last is its own */
	returns(half, "yyy", 0, 3, 0, 0);
}

/* One of 16 bytes comes as two words: half of it can be there, which no order of whole stores has. */
static void torn(void **state)
{
	(void)state;
	static const char wide[] = "T_0 w 0x1000 size=16 value=0x00000000000000010000000000000001\nT_0_0 r 0x1000 size=8 value=1\nT_0_0 r 0x1008 size=8 value=1\n";
	returns(wide, "nuu", 1, 2, 0, 0);
}

/* Stores to more places than are kept apart: no wrong no, and no wrong yes. */
static void many_places(void **state)
{
	(void)state;
	char text[4000];
	int at = 0;
	for (int i = 0; i < 20; i++)
		at += snprintf(text + at, sizeof text - (size_t)at, "T_0 w 0x%x size=4 value=1\n", 0x1000 + 8 * i);
	snprintf(text + at, sizeof text - (size_t)at, "T_0_0 r 0x1020 size=4 value=1\nT_0_0 r 0x1010 size=4 value=1\n");
	returns(text, "nny", 1, 2, 0, 0);
	snprintf(text + at, sizeof text - (size_t)at, "T_0_0 r 0x1098 size=4 value=1\nT_0_0 r 0x1090 size=4 value=1\n");
	returns(text, "nnu", 1, 2, 0, 0);
}

/* The store in the middle overlaps both others, which do not overlap: under PSO too they stay in order, although nobody asked about it. */
static void between(void **state)
{
	(void)state;
	static const char text[] = "T_0 w 0x1000 size=4 value=1\nT_0 w 0x1002 size=4 value=0\nT_0 w 0x1005 size=1 value=1\n"
		"T_0_0 r 0x1005 size=1 value=1\nT_0_0 r 0x1000 size=1 value=1\n";
	returns(text, "nnn", 1, 2, 0, 0);
	returns(text, "nnu", 1, 2, 0, 2);               /* how wide it was is not known any more */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(store_buffering), cmocka_unit_test(message_passing), cmocka_unit_test(forwarding),
		cmocka_unit_test(torn), cmocka_unit_test(many_places), cmocka_unit_test(between) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
