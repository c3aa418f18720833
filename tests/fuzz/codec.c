/* tests/fuzz/codec.c -- two ways: any bytes as the stored form of records; any bytes as records, which must come back. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/made.h"
#include "tests/unit/steered.h"
#include "trace/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct program program;
static struct sites *sites;
static struct codec *codec, *total;
static struct decoded decoded;

static void begin(void)
{
	struct err why;
	program_make(&program);
	sites = sites_new();
	codec = codec_new(ORDER_PER_OBJECT);
	total = codec_new(ORDER_TOTAL);
	if (sites_add(sites, MADE_AT, program.m.all.at, program.m.all.count, true, &why))
		abort();
}

static void come_back(struct codec *codec, const uint8_t *data, size_t size)
{
	struct err why;
	if (!size)
		return;
	struct coded c = codec_encode_as(codec, sites, CODING_PREDICT, data, size);
	if (c.count == 0)
		return;
	if (codec_decode(codec, sites, CODING_PREDICT, c.bytes, c.count, size, &decoded, &why) ||
		memcmp(decoded.bytes, data, size) != 0)
		abort();
}

/* Bytes of the input choose sites, so that the fuzzer need not guess addresses. */
static void from_script(const uint8_t *data, size_t size)
{
	const uint64_t site[] = { program.sum, program.copy, program.chase, program.vector, program.wide, program.landed, program.enter };
	const unsigned words[] = { 4, 3, 3, 3, 3, 1, 0 };
	made_bytes r = { 0 };
	for (size_t at = 0; at < size;) {
		unsigned what = data[at++] % 8;
		if (what == 7) {
			made_word(&r, RECORD_CONTROL);
			for (unsigned i = 0; i < 39 && at < size; i++)
				vec_push(&r, data[at++]);
			while (r.count % 8)
				vec_push(&r, 0);
			continue;
		}
		made_word(&r, site[what]);
		for (unsigned i = 0; i < words[what] * 8; i++)
			vec_push(&r, at < size ? data[at++] : 0);
	}
	come_back(codec, r.at, r.count);
	come_back(total, r.at, r.count);
	vec_release(&r);
}

/* Plain accesses of a steered run: from four bytes each, and what the next eight say when the first asks for it. */
static void steered(const uint8_t *data, size_t size)
{
	const uint64_t site[] = { program.sum, program.copy, program.chase, program.vector };
	made_bytes r = { 0 };
	uint64_t number = 0;
	for (size_t at = 0; at + 12 <= size;) {
		const uint8_t *d = data + at;
		uint64_t any;
		memcpy(&any, d + 4, 8);
		number += 2 + (d[0] >> 6 == 3 ? any % 512 : 0);
		at += d[0] & 32 ? 12 : 4;
		if ((d[0] & 24) == 24)
			put_touch(&r, EV_READ + (d[0] & 1), any & RECORD_ADDRESS_MASK, number, d[1] % 4, site[d[1] >> 6], d, d[2],
				d[3] % 5);
		else if ((d[0] & 24) == 16)
			made_control(&r, d[1] % 128, d[2] % 128 & ~RECORD_PAYLOAD, d[3] * 8u, any, number, any >> 32, any);
		else
			put_plain(&r, EV_READ + (d[0] & 1), 0x7f0000000000 + d[1] * 8u + (d[0] & 32 ? any : 0) % 4096, d[2], number,
				d[3] % 5, d[3] >> 2, site[d[0] >> 1 & 3]);
	}
	come_back(total, r.at, r.count);
	vec_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err why;
	if (!codec)
		begin();
	if (size < 4)
		return 0;
	size_t claimed = data[0] | (size_t)data[1] << 8;
	codec_decode(data[3] & 1 ? total : codec, sites, data[2] % 4, data + 4, size - 4, claimed, &decoded, &why);
	come_back(codec, data, size);
	come_back(total, data, size);
	steered(data, size);
	from_script(data, size);
	return 0;
}
