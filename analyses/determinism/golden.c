/* analyses/determinism/golden.c -- runs of one program that should do the same: where does one part from the first?
 *
 * Threads are matched by their paths, their events one by one: kind, place, size, value.  What differs between any two runs is passed
 * over: addresses (and values that look like one), times, where memory was mapped, what the library does inside, who blocked.
 * Cost: both traces once. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/determinism/determinism.h"

/* Is it something the program does, the same in every run that does the same? */
static bool counts(const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_MAP: case EV_UNMAP: case EV_MODULE: case EV_TIME: case EV_KEYFRAME: case EV_FRAMES: case EV_SHUT: case EV_OPENED:
	case EV_BLOCK: case EV_LOST: case EV_NAME: case EV_FLUSH: case EV_LEFT: case EV_LOCAL:
		return false;
	case EV_ALLOC: case EV_FREE: case EV_REALLOC: case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY:
		return *ev->place->file != 0;
	default:
		return true;
	}
}

static bool has_value(const struct event *ev)
{
	bool address = ev->size == 8 && ev->arg >> 32 && !(ev->arg >> 47);
	bool access = ev->kind == EV_READ || ev->kind == EV_WRITE;
	bool atomic = ev->kind >= EV_ALOAD && ev->kind <= EV_CAS;
	return (((access && ev->has_value) || atomic) && !address) || ev->kind == EV_OUTPUT || ev->kind == EV_INPUT || ev->kind == EV_EXIT;
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->column == b->column && !strcmp(a->file, b->file) && !strcmp(a->function, b->function);
}

/* The next event that counts: 1, 0 end, -1 and why. */
static int next(struct lane *l, struct event *ev, struct err *why)
{
	int got;
	while ((got = lane_next(l, ev, why)) > 0 && !counts(ev))
		;
	return got;
}

static void tell_event(const struct event *ev, int got, char *into, size_t room)
{
	char where[160];
	if (!got) {
		snprintf(into, room, "nothing");
		return;
	}
	place_short(ev->place, where, sizeof where);
	int at = snprintf(into, room, "%s%s%s", event_word((enum event_kind)ev->kind), *where ? " at " : "", where);
	if (has_value(ev) && at > 0 && (size_t)at < room)
		snprintf(into + at, room - (size_t)at, " (%" PRIu64 ")", ev->arg);
}

/* What it met is nobody's business, and nobody is told. */
static bool is_update(const struct determinism_updates *updates, const struct event *ev)
{
	struct commute *c = updates ? updates->open(updates->with) : NULL;
	return c && commute_may(c, ev);
}

/* 1 they are alike, 0 they part: text; -1 and why. */
static int compare_lanes(struct lane *a, struct lane *b, const char *path, const struct determinism_updates *updates, char *text, size_t room, struct err *why)
{
	struct event x, y;
	char here[200], there[200];
	for (;;) {
		int got[2] = { next(a, &x, why), 0 };
		if (got[0] < 0 || (got[1] = next(b, &y, why)) < 0)
			return -1;
		if (!got[0] && !got[1])
			return 1;
		bool alike = got[0] && got[1] && x.kind == y.kind && x.size == y.size && same_place(x.place, y.place) &&
			has_value(&x) == has_value(&y);
		if (alike && (!has_value(&x) || x.arg == y.arg || is_update(updates, &x)))
			continue;
		tell_event(&x, got[0], here, sizeof here);
		tell_event(&y, got[1], there, sizeof there);
		snprintf(text, room, "%s does %s, in the first run %s", path, there, here);
		return 0;
	}
}

static int compare_thread(struct trace *a, struct trace *b, struct thread_id id, const struct determinism_updates *updates, char *text, size_t room, struct err *why)
{
	struct lane *x, *y;
	const char *path = trace_thread(a, id)->path;
	struct thread_id other = { 0 };
	while (other.i < trace_thread_count(b) && strcmp(trace_thread(b, other)->path, path))
		other.i++;
	if (other.i == trace_thread_count(b)) {
		snprintf(text, room, "there is no thread %s", path);
		return 0;
	}
	if (lane_open(&x, a, id, why) < 0)
		return -1;
	int got = lane_open(&y, b, other, why);
	if (got == 0) {
		got = compare_lanes(x, y, path, updates, text, room, why);
		lane_close(y);
	}
	lane_close(x);
	return got;
}

int golden_compare(struct trace *first, struct trace *other, const struct determinism_updates *updates, char *text, size_t room, struct err *why)
{
	int got = 1;
	for (uint32_t t = 0; t < trace_thread_count(first) && got == 1; t++)
		got = compare_thread(first, other, (struct thread_id){ t }, updates, text, room, why);
	if (got == 1 && trace_thread_count(first) != trace_thread_count(other)) {
		snprintf(text, room, "there are %u threads, in the first run %u", trace_thread_count(other), trace_thread_count(first));
		got = 0;
	}
	return got;
}
