/* tests/unit/check_packed.c -- trees of threads as bytes and back (analyses/check/packed.h); bytes that were changed are refused, or the search over
 * what they say stays within its tables and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyses/check/explore.h"
#include "analyses/check/packed.h"

#define X 0x1000u
#define LOCK 0x2000u
#define BLOCK 0x3000u

static uint32_t does(struct threads *t, uint32_t at, struct node deed, uint64_t told, uint64_t written)
{
	struct node *n = &t->nodes.at[at];
	deed.parent = n->parent, deed.thread = n->thread, deed.told = n->told, deed.written = n->written, deed.first = n->first;
	deed.cell = deed.life = NO_CELL;
	deed.points = 1;
	*n = deed;
	uint32_t child = threads_child(t, at, told);
	t->nodes.at[child].written = written;
	if (t->nodes.at[at].first == NO_NODE)
		t->nodes.at[at].first = child;
	return child;
}

static void ends_there(struct threads *t, uint32_t at)
{
	does(t, at, (struct node){ .deed = DEED_END }, 0, 0);
}

static const struct node reads = { .deed = DEED_READ, .object = X, .size = 4 };

/* T_0 makes T_0_0, which waits in a loop until it reads 1, with a lock in between, and T_0_1, which writes it under the lock; and joins both. */
static void make_threads(struct threads *t)
{
	threads_init(t);
	names_put(&t->places, "a.c:1\tx", 7);
	uint32_t first = threads_thread(t, "T_0");
	uint32_t one = threads_thread(t, "T_0_0"), other = threads_thread(t, "T_0_1"), at = t->roots[first];
	at = does(t, at, (struct node){ .deed = DEED_CREATE, .other = one }, 0, 0);
	at = does(t, at, (struct node){ .deed = DEED_CREATE, .other = other }, 0, 0);
	at = does(t, at, (struct node){ .deed = DEED_JOIN, .other = one }, 0, 0);
	at = does(t, at, (struct node){ .deed = DEED_JOIN, .other = other }, 0, 0);
	does(t, at, (struct node){ .deed = DEED_EXIT }, 0, 0);
	uint32_t head = t->roots[one], seen = does(t, head, reads, 1, 1);
	ends_there(t, seen);
	uint32_t back = does(t, head, reads, 0, 0);
	t->nodes.at[head].is_head = true;
	t->nodes.at[back].deed = DEED_BACK;
	t->nodes.at[back].first = head;
	at = t->roots[other];
	at = does(t, at, (struct node){ .deed = DEED_LOCK, .object = LOCK }, 0, 0);
	at = does(t, at, (struct node){ .deed = DEED_UPDATE, .object = X, .size = 4 }, 0, 1);
	at = does(t, at, (struct node){ .deed = DEED_UNLOCK, .object = LOCK }, 0, 0);
	ends_there(t, at);
	threads_touch(t, one, X, 4, 0);
	threads_touch(t, other, X, 4, IS_WRITTEN);
	threads_uses_object(t, other, LOCK, 40);
	threads_block_add(t, BLOCK, 16);
	threads_block_add(t, BLOCK + 64, 8);
	for (uint32_t i = 0; i < 4; i++)
		*map_put(&t->initial, X + i, NULL) = 1;
}

static void make_parts(struct threads *t, struct ends *e, struct buffer parts[PACKED_PARTS])
{
	for (int i = 0; i < PACKED_PARTS; i++) {
		parts[i] = (struct buffer){ 0 };
		packed_make(t, e, (enum packed_part)i, &parts[i]);
	}
}

static void release(struct threads *t, struct ends *e, struct buffer parts[PACKED_PARTS])
{
	threads_release(t);
	ends_release(e);
	for (int i = 0; parts && i < PACKED_PARTS; i++)
		buffer_release(&parts[i]);
}

/* Answers of the search until it is done or knows no more, so many at most. */
static unsigned search(struct threads *t, enum explore_answer *last)
{
	struct explore *s = explore_new(t);
	struct explore_found f;
	unsigned classes = 0;
	for (unsigned i = 0; i < 1000; i++) {
		*last = explore_go(s, &f);
		classes += *last == EXPLORE_CLASS;
		if (*last == EXPLORE_DONE || *last == EXPLORE_UNKNOWN)
			break;
	}
	explore_free(s);
	return classes;
}

static void there_and_back(void **state)
{
	struct threads t, u;
	struct ends e = { 0 }, f = { 0 };
	struct buffer parts[PACKED_PARTS], again[PACKED_PARTS];
	struct run_end end = { .at = { 5, 0, 1 }, .count = 3 };
	enum explore_answer last;
	(void)state;
	make_threads(&t);
	end.at[1] = t.roots[1], end.at[2] = NO_NODE;
	ends_add(&e, &end, false);
	ends_add(&e, &end, true);
	make_parts(&t, &e, parts);
	threads_init(&u);
	assert_true(packed_take(parts, &u, &f));
	make_parts(&u, &f, again);
	for (int i = 0; i < PACKED_PARTS; i++) {
		assert_int_equal(parts[i].count, again[i].count);
		bool is_map = i == PACKED_BYTES || i == PACKED_INITIAL || i == PACKED_OBJECTS;         /* in any order */
		assert_true(!parts[i].count || is_map || !memcmp(parts[i].at, again[i].at, parts[i].count));
	}
	assert_int_equal(f.count, 1);
	assert_int_equal(search(&t, &last), 1);
	assert_int_equal(last, EXPLORE_DONE);
	assert_int_equal(search(&u, &last), 1);
	assert_int_equal(last, EXPLORE_DONE);
	release(&t, &e, parts);
	release(&u, &f, again);
}

/* Each byte changed in some ways, and each part cut everywhere. */
static void changed(void **state)
{
	static const uint8_t by[] = { 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff };
	struct threads t;
	struct ends e = { 0 };
	struct buffer parts[PACKED_PARTS];
	struct run_end end = { .count = 3 };
	unsigned refused = 0, taken = 0;
	enum explore_answer last;
	(void)state;
	make_threads(&t);
	for (uint32_t i = 0; i < 3; i++)
		end.at[i] = t.roots[i];
	ends_add(&e, &end, false);
	make_parts(&t, &e, parts);
	release(&t, &e, NULL);
	for (int i = 0; i < PACKED_PARTS; i++)
		for (size_t at = 0; at < parts[i].count; at++)
			for (size_t k = 0; k <= sizeof by; k++) {
				struct buffer whole = parts[i];
				uint8_t was = parts[i].at[at];
				if (k < sizeof by)
					parts[i].at[at] ^= by[k];
				else
					parts[i].count = at;
				threads_init(&t);
				if (packed_take(parts, &t, &e)) {
					search(&t, &last);
					taken++;
				} else {
					refused++;
				}
				release(&t, &e, NULL);
				parts[i] = whole;
				parts[i].at[at] = was;
			}
	assert_true(refused > 100 && taken > 100);
	for (int i = 0; i < PACKED_PARTS; i++)
		buffer_release(&parts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(there_and_back), cmocka_unit_test(changed) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
