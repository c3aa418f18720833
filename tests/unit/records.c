/* tests/unit/records.c -- segments of a run that goes on, taken in their order: states are looked at one by one, and what is seen of them
 * need not have been true at one time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drive/records.h"

static struct ring ring;
static struct records *records;

static int begin(void **state)
{
	struct err why;
	(void)state;
	assert_int_equal(ring_make(&ring, RING_STREAM, 0, 16 * SEGMENT_BYTES, false, &why), 0);
	ring.head->queue_head = 16;             /* all of them are handed out */
	records = records_new();
	records_begin(records, &ring);
	return 0;
}

static int end(void **state)
{
	(void)state;
	records_free(records);
	ring_release(&ring);
	return 0;
}

/* The `seq`th of thread 1 lies in that segment, without a record. */
static void put(uint32_t segment, uint32_t seq, uint32_t segment_state)
{
	struct segment_head *head = (struct segment_head *)ring_segment(&ring, segment);
	*head = (struct segment_head){ .thread = 1, .seq = seq, .used = SEGMENT_HEAD };
	__atomic_store_n(ring_state(&ring, segment), segment_state, __ATOMIC_RELEASE);
}

static uint32_t state_of(uint32_t segment)
{
	return __atomic_load_n(ring_state(&ring, segment), __ATOMIC_ACQUIRE);
}

static void one_filled_meanwhile(void **state)
{
	(void)state;
	put(0, 0, SEG_OWNED);                   /* as the look saw it: it was filled before its successor was taken */
	put(1, 1, SEG_FULL);
	assert_int_equal(records_step(records), 0);
	assert_int_equal(state_of(1), SEG_FULL);
	put(0, 0, SEG_FULL);
	put(2, 2, SEG_OWNED);                   /* and once more */
	put(3, 3, SEG_FULL);
	assert_int_equal(records_step(records), 2);
	assert_int_equal(state_of(0), SEG_FREE);
	assert_int_equal(state_of(1), SEG_FREE);
	assert_int_equal(state_of(3), SEG_FULL);
	put(2, 2, SEG_FULL);
	assert_int_equal(records_step(records), 2);
}

static void one_that_never_comes(void **state)
{
	(void)state;
	put(0, 3, SEG_FULL);
	assert_int_equal(records_step(records), 0);
	assert_int_equal(records_step(records), 1);
	assert_int_equal(state_of(0), SEG_FREE);
	assert_int_equal(records_step(records), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_filled_meanwhile, begin, end),
		cmocka_unit_test_setup_teardown(one_that_never_comes, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
