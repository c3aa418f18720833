/* tests/unit/trace_objects.c -- what lies at an address: how far around it the answer holds is never said to be more than it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/objects.h"

#define BASE   0x10000000ull
#define ROOM   (64ull << 10)
#define ROUNDS 4000u
#define LOOKS  24u

static uint64_t state = 88172645463325252ull;

static uint64_t drawn(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* Blocks, mappings and stacks that overlap each other as no real program has them; some are given back. */
static void note_one(struct objects *o, uint64_t *starts, unsigned n)
{
	static const unsigned kinds[] = { EV_ALLOC, EV_ALLOC, EV_ALLOC, EV_FREE, EV_MAP, EV_STACK, EV_UNMAP, EV_FREE };
	struct event ev = { .kind = kinds[drawn(8)] };
	bool goes = ev.kind == EV_FREE || ev.kind == EV_UNMAP;
	ev.object = goes ? starts[drawn(16)] : BASE + drawn(ROOM) / (drawn(4) ? 16 : 1) * (drawn(4) ? 16 : 1) % ROOM;
	ev.arg = drawn(8) ? 1 + drawn(300) : 1 + drawn(48u << 10);
	if (!goes)
		starts[n % 16] = ev.object;
	objects_note(o, &ev);
}

static void around_is_what_at_says(void **unused)
{
	(void)unused;
	struct objects *o = objects_new(NULL);
	uint64_t starts[16] = { 0 }, low, high;
	for (unsigned n = 0; n < ROUNDS; n++) {
		note_one(o, starts, n);
		for (unsigned i = 0; i < LOOKS; i++) {
			uint64_t address = BASE + drawn(ROOM + (48u << 10));
			const struct object *there = objects_around(o, address, &low, &high);
			assert_ptr_equal(there, objects_at(o, address));
			assert_true(low <= address && address < high);
			for (unsigned k = 0; there && k < LOOKS; k++)
				assert_ptr_equal(objects_at(o, low + drawn(high - low)), there);
			if (there)
				assert_ptr_equal(objects_at(o, high - 1), there);
		}
	}
	objects_free(o);
}

/* A mapping where a stack was that nobody took back: what lies there is the mapping, beside it what is left of the stack. */
static void newer_hides_older(void **unused)
{
	(void)unused;
	struct objects *o = objects_new(NULL);
	objects_note(o, &(struct event){ .kind = EV_STACK, .object = BASE + 0x10000, .arg = 0x100000 });
	objects_note(o, &(struct event){ .kind = EV_MAP, .object = BASE + 0x8000, .arg = 0x10000 });
	assert_int_equal(objects_at(o, BASE + 0x8000)->kind, OBJECT_MAP);
	assert_int_equal(objects_at(o, BASE + 0x10000)->kind, OBJECT_MAP);
	assert_int_equal(objects_at(o, BASE + 0x17fff)->kind, OBJECT_MAP);
	assert_int_equal(objects_at(o, BASE + 0x18000)->kind, OBJECT_STACK);
	assert_int_equal(objects_at(o, BASE + 0x10ffff)->kind, OBJECT_STACK);
	assert_null(objects_at(o, BASE + 0x110000));
	objects_note(o, &(struct event){ .kind = EV_MAP, .object = BASE, .arg = 0x200000 });
	assert_int_equal(objects_at(o, BASE + 0x18000)->bytes, 0x200000);
	objects_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(around_is_what_at_says), cmocka_unit_test(newer_hides_older) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
