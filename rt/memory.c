/* rt/memory.c -- memory moved in bulk by instrumented code: done here, noted with its first bytes. */
#include <string.h>

#include "rt/left.h"
#include "rt/lib.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/sys.h"
#include "wire/hooks.h"

#define BULK_LIMIT 256          /* bytes of contents kept of one operation */

static bool recording_accesses(void)
{
	return raddle_tls.mode >= MODE_ACCESS && raddle_tls.inside == 0;
}

/* A COPY record: source address, then what was copied, as it stands at the destination now. */
static void note_copy(const void *to, const void *from, uint64_t bytes, const void *site)
{
	char payload[8 + BULK_LIMIT];
	uint64_t keep = bytes < BULK_LIMIT ? bytes : BULK_LIMIT;
	copy_bytes(payload, &from, 8);
	copy_bytes(payload + 8, to, keep);
	rt_event_bytes(EV_COPY, (uint64_t)to, bytes, 0, payload, 8 + bytes, 8 + keep, (uint64_t)site);
}

static void check_bulk(const void *to, const void *from, uint64_t bytes)
{
	if (!bytes || !recording_accesses())
		return;
	if (from)
		memory_check_range(from, bytes, false);
	memory_check_range(to, bytes, true);
}

/* One event, however long it is. */
static void bulk_point(enum event_kind kind, const void *at, uint64_t bytes, const void *site)
{
	if (bytes)
		steer_point(kind, (uint64_t)at, (uint64_t)site);
}

RT_EXPORT void *raddle_memcpy(void *to, const void *from, uint64_t bytes, const void *site)
{
	bulk_point(EV_COPY, to, bytes, site);
	check_bulk(to, from, bytes);
	lib_before(to, bytes);
	memcpy(to, from, bytes);
	buffer_after(to, bytes);
	if (bytes && recording_accesses())
		note_copy(to, from, bytes, site);
	return to;
}

RT_EXPORT void *raddle_memmove(void *to, const void *from, uint64_t bytes, const void *site)
{
	bulk_point(EV_COPY, to, bytes, site);
	check_bulk(to, from, bytes);
	lib_before(to, bytes);
	memmove(to, from, bytes);
	buffer_after(to, bytes);
	if (bytes && recording_accesses())
		note_copy(to, from, bytes, site);
	return to;
}

RT_EXPORT void *raddle_memset(void *to, int byte, uint64_t bytes, const void *site)
{
	bulk_point(EV_LIBWRITE, to, bytes, site);
	check_bulk(to, NULL, bytes);
	lib_before(to, bytes);
	memset(to, byte, bytes);
	buffer_after(to, bytes);
	if (bytes && recording_accesses())
		rt_event_bytes(EV_LIBWRITE, (uint64_t)to, bytes, 0, to, bytes, BULK_LIMIT, (uint64_t)site);
	return to;
}

RT_EXPORT void raddle_range(const void *address, uint64_t bytes, uint32_t is_write, const void *site)
{
	bulk_point(is_write ? EV_LIBWRITE : EV_LIBREAD, address, bytes, site);
	if (bytes && recording_accesses())
		rt_event_bytes(is_write ? EV_LIBWRITE : EV_LIBREAD, (uint64_t)address, bytes, 0, address, bytes, BULK_LIMIT,
			(uint64_t)site);
}
