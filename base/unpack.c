/* base/unpack.c -- see unpack.h. */
#include "base/unpack.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

#define SKIPPED      0x184d2a50u        /* RFC 8878: begins a frame that holds no data; its size follows */
#define SKIPPED_HEAD 8u

static uint64_t limit;
static _Atomic uint64_t taken;

void unpack_set_limit(uint64_t bytes)
{
	limit = bytes;
}

static uint64_t limit_now(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	if (limit)
		return limit;
	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 : 1ull << 30;
}

bool unpack_ratio_fits(uint64_t packed, uint64_t unpacked)
{
	return unpacked / UNPACK_RATIO <= packed;
}

int unpack_take(uint64_t bytes, const char *what, struct err *why)
{
	char need[STR_NUMBER], most[STR_NUMBER];
	uint64_t now = atomic_fetch_add(&taken, bytes) + bytes, allowed = limit_now();
	if (now <= allowed && now >= bytes)
		return 0;
	unpack_give(bytes);
	err_set(why, "%s needs %s of memory to be read, %s are allowed", what, str_bytes(need, now), str_bytes(most, allowed));
	err_hint(why, "--max-memory=<size> allows more, if you trust the file");
	why->code = 3;
	return -1;
}

void unpack_give(uint64_t bytes)
{
	atomic_fetch_sub(&taken, bytes);
}

size_t unpack_pad(uint8_t *frames, size_t packed, size_t room, uint64_t unpacked)
{
	uint64_t least = unpacked / UNPACK_RATIO + 1;
	if (packed >= least)
		return packed;
	if (least < packed + SKIPPED_HEAD)
		least = packed + SKIPPED_HEAD;
	if (least > room)
		return packed;
	uint32_t head[2] = { SKIPPED, (uint32_t)(least - packed - SKIPPED_HEAD) };
	memcpy(frames + packed, head, sizeof head);
	memset(frames + packed + SKIPPED_HEAD, 0, head[1]);
	return least;
}
