/* tests/unit/predict_dams.c -- which schedules of predict are known to be left where others were: in front of the outside, or of a lock that is held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyses/predict/dams.h"
#include "wire/steer.h"

#define ENOUGH 2u

/* Three threads, T_0, T_0_0, T_0_1; steps of up to four turns: thread, event; 0: no more. */
struct turn { uint32_t thread; uint64_t nth; };

static struct schedule script_of(const struct turn turns[4])
{
	struct schedule s;
	schedule_init(&s);
	schedule_thread_add(&s, "T_0_0", "");
	schedule_thread_add(&s, "T_0_1", "");
	for (int i = 0; i < 4 && turns[i].nth; i++)
		schedule_step_add(&s, STEP_RUN, turns[i].thread, turns[i].nth);
	return s;
}

/* A run that came through `used` of them, its threads so far; who waits for whom, NO_PART: nobody is known. */
static void left(struct work *w, const struct turn turns[4], uint64_t used, const uint64_t done[3], const char *text, uint32_t waits, uint32_t holder)
{
	static const char *const paths[] = { "T_0", "T_0_0", "T_0_1" };
	struct schedule script = script_of(turns);
	struct run_done run = { 0 };
	run.result.script_used = used;
	snprintf(run.result.text, sizeof run.result.text, "%s", text);
	for (uint32_t i = 0; i < 3; i++)
		vec_push(&run.result.threads, ((struct steer_thread){ .path = paths[i], .done = done[i], .kind = EV_LOCK, .waits = i == waits, .waits_for = i == waits ? holder : NO_PART }));
	dams_note(w, &script, &run, 7);
	vec_release(&run.result.threads);
	schedule_release(&script);
}

/* The step it will be left at, + 1; 0: that is not known. */
static size_t ahead(const struct work *w, const struct turn turns[4])
{
	struct schedule script = script_of(turns);
	size_t at = 0;
	uint64_t number = dams_ahead(w, &script, ENOUGH, &at);
	schedule_release(&script);
	assert_true(number == 0 || number == 7);
	return number ? at + 1 : 0;
}

static const char *const outside = LEFT_OUTSIDE ": T_0, event 20", *const stuck = "the thread cannot go on: T_0, event 20";

/* T_0 was to go through its event 20, stands in front of the 15th, and T_0_0 has done 10, T_0_1 30. */
static const struct turn went[4] = { { 1, 10 }, { 2, 30 }, { 0, 20 } };
static const uint64_t far[3] = { 14, 10, 30 };

static void who_sent_no_more_is_answered_no_more(void **state)
{
	(void)state;
	struct predict out = { .recordings = 1 };
	struct work w = { .out = &out };
	left(&w, went, 2, far, outside, 0, NO_PART);
	assert_int_equal(ahead(&w, went), 0);                                                            /* one run is not enough */
	left(&w, went, 2, far, outside, 0, NO_PART);
	assert_int_equal(ahead(&w, went), 3);
	assert_int_equal(ahead(&w, (struct turn[4]){ { 1, 10 }, { 0, 15 } }), 2);                         /* less has been done, and past the same event */
	assert_int_equal(ahead(&w, (struct turn[4]){ { 0, 12 }, { 2, 5 }, { 0, 33 } }), 3);
	assert_int_equal(ahead(&w, (struct turn[4]){ { 1, 11 }, { 0, 20 } }), 0);                         /* one has done more: it may have sent something */
	assert_int_equal(ahead(&w, (struct turn[4]){ { 0, 14 }, { 1, 11 } }), 0);                         /* it need not go past it */
	assert_int_equal(ahead(&w, (struct turn[4]){ { 2, 31 }, { 0, 16 }, { 1, 2 }, { 0, 20 } }), 0);    /* it was past it by then */
	assert_int_equal(ahead(&w, (struct turn[4]){ { 1, 40 }, { 2, 20 } }), 0);                         /* another thread */
	out.recordings = 2;
	assert_int_equal(ahead(&w, went), 0);                                                            /* the same numbers of another recording */
	dams_release(&w);
}

static void who_stands_where_it_holds_a_lock_holds_it(void **state)
{
	(void)state;
	struct predict out = { .recordings = 1 };
	struct work w = { .out = &out };
	left(&w, went, 2, far, stuck, 0, 1);
	left(&w, went, 2, far, stuck, 0, 1);
	assert_int_equal(ahead(&w, went), 3);
	assert_int_equal(ahead(&w, (struct turn[4]){ { 2, 99 }, { 1, 10 }, { 0, 15 } }), 3);               /* what others do does not matter */
	assert_int_equal(ahead(&w, (struct turn[4]){ { 2, 30 }, { 1, 9 }, { 0, 20 } }), 0);                /* it need not have the lock yet, */
	assert_int_equal(ahead(&w, (struct turn[4]){ { 2, 30 }, { 1, 11 }, { 0, 20 } }), 0);               /* or no longer */
	dams_release(&w);
}

static void what_is_waited_for_must_be_known(void **state)
{
	(void)state;
	struct predict out = { .recordings = 1 };
	struct work w = { .out = &out };
	for (int i = 0; i < 3; i++) {
		left(&w, went, 2, far, stuck, 0, NO_PART);                      /* nobody has it: a signal, a post */
		left(&w, went, 2, far, stuck, 1, 2);                            /* it does not wait, another one does */
		left(&w, went, 2, far, "another kind of event came: T_0, event 20", 2, NO_PART);
	}
	assert_int_equal(ahead(&w, went), 0);
	dams_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(who_sent_no_more_is_answered_no_more), cmocka_unit_test(who_stands_where_it_holds_a_lock_holds_it),
		cmocka_unit_test(what_is_waited_for_must_be_known) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
