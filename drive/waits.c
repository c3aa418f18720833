/* drive/waits.c -- who waits for whom.  Each thread notes before it blocks what it waits for, and which locks it holds. */
#include "drive/waits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cxx.h"
#include "trace/reader.h"

#define NAME_MOST 256

static bool holds(const struct thread_area *a, uint64_t lock)
{
	for (uint32_t i = 0; i < a->held_count && i < AREA_HELD; i++)
		if (a->held[i] == lock)
			return true;
	return false;
}

static bool lives_in(const struct thread_area *a, uint32_t process)
{
	return a->state == AREA_LIVE && a->process == process;
}

static void print_holders(const struct ring *r, uint32_t process, const struct thread_area *waiter)
{
	for (uint32_t i = 0, count = ring_area_count(r); i < count; i++) {
		const struct thread_area *a = ring_area(r, i);
		if (!lives_in(a, process) || a == waiter)
			continue;
		if (waiter->waits_kind == EV_JOIN ? a->thread == waiter->waits_for : holds(a, waiter->waits_for))
			fprintf(stderr, waiter->waits_kind == EV_JOIN ? " %.63s" : ", held by %.63s", a->path);
	}
}

static void print_object(const struct thread_area *a, name_at name, void *who)
{
	char shown[NAME_MOST];
	uint64_t offset = 0;
	const char *known = name(who, a->waits_for, &offset);
	if (a->waits_kind == EV_JOIN)
		return;
	if (known && cxx_name(known, shown, sizeof shown))
		known = shown;
	if (known && offset)
		fprintf(stderr, " '%s'+%" PRIu64, known, offset);
	else if (known)
		fprintf(stderr, " '%s'", known);
	else
		fprintf(stderr, " at 0x%" PRIx64, a->waits_for);
}

static void print_one(const struct ring *r, uint32_t process, const struct thread_area *a, name_at name, void *who)
{
	char shown[NAME_MOST];
	uint64_t offset;
	fprintf(stderr, "  %.63s waits for %s", a->path, wait_words(a->waits_kind));
	print_object(a, name, who);
	print_holders(r, process, a);
	const char *function = name(who, a->waits_pc, &offset);
	if (function)
		fprintf(stderr, ", in %s", cxx_name(function, shown, sizeof shown) ? shown : function);
	fputc('\n', stderr);
}

void waits_print(const struct ring *r, uint32_t process, name_at name, void *who)
{
	unsigned waiting = 0, alive = 0;
	for (uint32_t i = 0, count = ring_area_count(r); i < count; i++) {
		const struct thread_area *a = ring_area(r, i);
		alive += lives_in(a, process);
		waiting += lives_in(a, process) && a->waits_kind != 0;
	}
	if (!waiting)
		return;
	fprintf(stderr, "raddle: %u of %u threads wait:\n", waiting, alive);
	for (uint32_t i = 0, count = ring_area_count(r); i < count; i++) {
		const struct thread_area *a = ring_area(r, i);
		if (lives_in(a, process) && a->waits_kind)
			print_one(r, process, a, name, who);
	}
}
