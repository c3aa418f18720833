/* tests/unit/trace_codec.c -- every coding gives back every bit: of realistic records, of random ones, of garbage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/made.h"
#include "trace/codec.h"

struct bench { struct program program; struct sites *sites; struct codec *codec; struct decoded out; };

static int begin(void **state)
{
	struct bench *b = mem_take(sizeof *b);
	struct err why;
	program_make(&b->program);
	b->sites = sites_new();
	b->codec = codec_new(ORDER_PER_OBJECT);
	*state = b;
	srand(1);
	return sites_add(b->sites, MADE_AT, b->program.m.all.at, b->program.m.all.count, true, &why);
}

static int end(void **state)
{
	struct bench *b = *state;
	made_release(&b->program.m);
	sites_free(b->sites);
	codec_free(b->codec);
	decoded_release(&b->out);
	mem_free(b);
	return 0;
}

/* Encodes, decodes, compares; stored bytes, 0 if this coding refuses. */
static size_t round_trip(struct bench *b, enum block_coding coding, const made_bytes *r)
{
	struct err why;
	uint8_t *exact = mem_take(r->count);            /* no slack behind it: ASan sees an over-read */
	memcpy(exact, r->at, r->count);
	struct coded c = codec_encode_as(b->codec, b->sites, coding, exact, r->count);
	uint8_t *stored = mem_take(c.count);
	if (c.count)
		memcpy(stored, c.bytes, c.count);
	mem_free(exact);
	if (c.count == 0) {
		mem_free(stored);
		return 0;
	}
	if (codec_decode(b->codec, b->sites, c.coding, stored, c.count, r->count, &b->out, &why))
		fail_msg("%s", why.text);
	assert_memory_equal(b->out.bytes, r->at, r->count);
	mem_free(stored);
	return c.count;
}

static uint64_t random64(void)
{
	return (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
}

/* A loop over an array, a list walked, locks taken, memory allocated: what programs do. */
static void realistic(const struct program *p, made_bytes *r, unsigned rounds)
{
	uint64_t sum = 0, clock = 1000000, version = 0;
	for (unsigned i = 0; i < rounds; i++) {
		made_word(r, p->enter);
		for (unsigned k = 0; k < 50; k++) {
			uint64_t v = k * 3 + i % 7;
			sum += v;
			put_sum(p, r, 0x7f0000000000 + 8 * k, v, sum, k % 5 == 0);
			if (k % 5 == 0)
				put_copy(p, r, 0x7f0000100000 + 4 * k, 0x7f0000200000 + 4 * k, (uint32_t)rand());
		}
		for (uint64_t k = 0; k < 20; k++)
			put_chase(p, r, 0x7f0000300000 + 64 * (k * 7 % 20), (uint32_t)k, 0x7f0000300000 + 64 * ((k + 1) * 7 % 20),
				(uint32_t)k + 1);
		clock += (unsigned)rand() % 1000;
		made_control(r, EV_LOCK, 0, 0x600000, 0x100, version += 2, clock, 0x401234);
		made_control(r, EV_RMW, 0, 0x600040, i, version += 2, i + 1, p->fetch_add);
		made_control(r, EV_UNLOCK, 0, 0x600000, 0x100, version += 2, clock += 20, 0x401256);
		made_control(r, EV_OUTPUT, RECORD_PAYLOAD, 1, 5, 0, clock += 9, 5ull << 48 | 0x401300);
		made_put(r, "hello\0\0\0", 8);
		made_word(r, p->leave);
	}
}

static void gives_back_realistic_records(void **state)
{
	struct bench *b = *state;
	made_bytes r = { 0 };
	realistic(&b->program, &r, 200);
	size_t plain = round_trip(b, CODING_PLAIN, &r), zstd = round_trip(b, CODING_ZSTD, &r), best = round_trip(b, CODING_PREDICT, &r);
	assert_int_equal(plain, r.count);
	assert_true(zstd > 0 && zstd < plain);
	assert_true(best > 0 && best < zstd);
	struct coded c = codec_encode(b->codec, b->sites, r.at, r.count);
	assert_int_equal(c.coding, CODING_PREDICT);
	assert_int_equal(c.events, 200 * (1 + 50 * 3 + 10 * 2 + 20 * 3 + 4 + 1));
	vec_release(&r);
}

/* Sections of two locks over and over, now and then one that differs in a single word. */
static void gives_back_repeated_records(void **state)
{
	struct bench *b = *state;
	made_bytes r = { 0 };
	uint64_t versions[2] = { 0 }, clock = 1000000;
	unsigned sections = 2000, odd = 0;
	for (unsigned i = 0; i < sections; i++) {
		uint64_t lock = i & 1, object = 0x600000 + 64 * lock, arg = 0x100, result = 0;
		unsigned how = i % 50 ? 0 : 1 + odd++ % 5;
		object += how == 1 ? 8 : 0;
		arg += how == 2;
		versions[lock] += how == 3 ? 10 : 0;
		result = how == 4 ? 1ull << 48 : 0;
		clock += how == 5 ? 777 : 0;
		made_control(&r, EV_LOCK, 0, object, arg, versions[lock] += 2, clock, result | 0x401234);
		made_control(&r, EV_UNLOCK, 0, object, arg, versions[lock] += 2, clock, 0x401256);
	}
	size_t stored = round_trip(b, CODING_PREDICT, &r);
	assert_true(stored > 0 && stored < sections);           /* a nibble each, and little for those that differ */
	struct coded c = codec_encode(b->codec, b->sites, r.at, r.count);
	assert_int_equal(c.events, 2 * sections);
	vec_release(&r);
}

/* Any bits in any slot, padding and unused bits included. */
static void gives_back_random_slots(void **state)
{
	struct bench *b = *state;
	const struct program *p = &b->program;
	const struct { uint64_t site; unsigned words; } kinds[] = { { p->sum, 4 }, { p->copy, 3 }, { p->chase, 3 }, { p->enter, 0 },
		{ p->vector, 3 }, { p->wide, 3 }, { p->landed, 1 }, { p->call, 0 } };
	for (unsigned round = 0; round < 300; round++) {
		made_bytes r = { 0 };
		unsigned count = 1 + (unsigned)rand() % 60;
		for (unsigned i = 0; i < count; i++) {
			unsigned k = (unsigned)rand() % 9;
			if (k == 8) {
				unsigned payload = (unsigned)rand() % 30, flags = (unsigned)rand() & 127;
				made_control(&r, (unsigned)rand() & 127, flags, random64() & RECORD_ADDRESS_MASK, random64(), random64(),
					random64(), (uint64_t)payload << 48 | (random64() & RECORD_ADDRESS_MASK));
				for (unsigned j = 0; flags & RECORD_PAYLOAD && j < (payload + 7) / 8 * 8; j++)
					vec_push(&r, rand() % 3 && j >= payload ? 0 : (uint8_t)rand());
				continue;
			}
			made_word(&r, kinds[k].site);
			for (unsigned w = 0; w < kinds[k].words; w++)
				made_word(&r, random64() >> (unsigned)rand() % 64 << (unsigned)rand() % 8 * 8);
		}
		assert_true(round_trip(b, CODING_PREDICT, &r) > 0);
		vec_release(&r);
	}
}

/* Strides, repeats and small steps in all directions: the paths of the coder that random bits do not reach. */
static void gives_back_random_walks(void **state)
{
	struct bench *b = *state;
	const struct program *p = &b->program;
	for (unsigned round = 0; round < 200; round++) {
		made_bytes r = { 0 };
		uint64_t a = random64() >> 16, v = random64(), s = 0;
		for (unsigned i = 0; i < 400; i++) {
			switch (rand() % 8) {
			case 0: a += 8u * (unsigned)rand() % 4096; break;
			case 1: a -= (unsigned)rand() % 100000; break;
			case 2: v = random64() >> 32 << 32; break;
			case 3: v = random64() >> 48 << 48; break;
			case 4: v += (unsigned)rand() % 70000; break;
			case 5: a += random64() >> (unsigned)rand() % 64; break;
			default: a += 8;
			}
			if (rand() % 3)
				put_sum(p, &r, a, v, s += v, rand() % 20 ? rand() & 1 : rand() & 255);
			else if (rand() % 2) {
				uint64_t next = rand() % 4 ? v : a + 64;
				put_chase(p, &r, a, (uint32_t)v, next, (uint32_t)s);
				a = next;
			}
			else
				made_control(&r, EV_CAS, 0, a & RECORD_ADDRESS_MASK, v, i * 2, v + 1, p->fetch_add);
		}
		assert_true(round_trip(b, CODING_PREDICT, &r) > 0);
		vec_release(&r);
	}
}

/* Not records at all: the coder must refuse or give them back; the door takes anything. */
static void gives_back_garbage(void **state)
{
	struct bench *b = *state;
	made_bytes real = { 0 };
	realistic(&b->program, &real, 2);
	for (unsigned round = 0; round < 300; round++) {
		made_bytes r = { 0 };
		if (round % 2)
			made_put(&r, real.at, real.count);
		for (unsigned i = 1 + (unsigned)rand() % 300; i; i--)
			vec_push(&r, (uint8_t)rand());
		for (unsigned i = round % 7; i; i--)
			r.at[(unsigned)rand() % r.count] = (uint8_t)rand();
		round_trip(b, CODING_PREDICT, &r);
		struct coded c = codec_encode(b->codec, b->sites, r.at, r.count);
		assert_true(c.count <= r.count);
		if (c.coding == CODING_PLAIN)
			assert_memory_equal(c.bytes, r.at, r.count);
		vec_release(&r);
	}
	vec_release(&real);
}

/* Damaged stored bytes: decoded to something or refused, never a crash; with ASan this is the proof. */
static void survives_damage(void **state)
{
	struct bench *b = *state;
	made_bytes r = { 0 };
	realistic(&b->program, &r, 3);
	struct coded c = codec_encode_as(b->codec, b->sites, CODING_PREDICT, r.at, r.count);
	size_t count = c.count;
	uint8_t *stored = mem_take(count);
	memcpy(stored, c.bytes, count);
	for (size_t i = 0; i < count * 8; i++) {
		struct err why;
		stored[i / 8] ^= (uint8_t)(1u << i % 8);
		codec_decode(b->codec, b->sites, CODING_PREDICT, stored, count, r.count, &b->out, &why);
		stored[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	for (size_t cut = 0; cut < count; cut++) {
		struct err why;
		assert_int_equal(codec_decode(b->codec, b->sites, CODING_PREDICT, stored, cut, r.count, &b->out, &why), -1);
	}
	mem_free(stored);
	vec_release(&r);
}

static void takes_nothing(void **state)
{
	struct bench *b = *state;
	struct err why;
	struct coded c = codec_encode(b->codec, b->sites, (const uint8_t *)"", 0);
	assert_int_equal(c.count, 0);
	assert_int_equal(codec_decode(b->codec, b->sites, c.coding, c.bytes, 0, 0, &b->out, &why), 0);
	assert_int_equal(b->out.record_count, 0);
	assert_int_equal(codec_decode(b->codec, b->sites, 9, c.bytes, 0, 0, &b->out, &why), -1);
	assert_string_equal(why.text, "its coding 9 is not known");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(gives_back_realistic_records, begin, end),
		cmocka_unit_test_setup_teardown(gives_back_repeated_records, begin, end),
		cmocka_unit_test_setup_teardown(gives_back_random_slots, begin, end),
		cmocka_unit_test_setup_teardown(gives_back_random_walks, begin, end),
		cmocka_unit_test_setup_teardown(gives_back_garbage, begin, end),
		cmocka_unit_test_setup_teardown(survives_damage, begin, end),
		cmocka_unit_test_setup_teardown(takes_nothing, begin, end) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
