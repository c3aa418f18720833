/* drive/steer_waits.c -- a deadlock explained: who waits for what, who has it, and where each thread stands.
 *
 * Each waiting thread has at most one thread it waits for (who holds the lock; whom it joins), so a cycle is found by
 * walking on from each thread until one is met again. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drive/steer_inside.h"
#include "trace/reader.h"

#define FRAMES_SHOWN 20u

static uint32_t next_of(const struct steer_result *r, uint32_t i)
{
	return r->threads.at[i].waits ? r->threads.at[i].waits_for : NO_PART;
}

bool steer_stands_back(const struct steer_thread *reader, const struct steer_thread *writer)
{
	uint32_t both = POINT_SHARES | POINT_STANDS_BACK;
	return reader->waits && writer->waits && reader->kind == EV_LOCK && writer->kind == EV_LOCK && reader->object == writer->object &&
		(reader->how & both) == both && (writer->how & both) == POINT_STANDS_BACK;
}

static bool stands_back(const struct steer_result *r, uint32_t i)
{
	return next_of(r, i) != NO_PART && steer_stands_back(&r->threads.at[i], &r->threads.at[next_of(r, i)]);
}

uint32_t steer_circle(const struct steer_result *r)
{
	for (uint32_t i = 0; i < r->threads.count; i++) {
		uint32_t at = next_of(r, i);
		for (size_t steps = 0; at != NO_PART && at != i && steps < r->threads.count; steps++)
			at = next_of(r, at);
		if (at == i)
			return i;
	}
	return NO_PART;
}

static bool on_cycle(const struct steer_result *r, uint32_t start, uint32_t i)
{
	uint32_t at = start;
	if (start == NO_PART)
		return false;
	do {
		if (at == i)
			return true;
		at = next_of(r, at);
	} while (at != start);
	return false;
}

static const char *cycle_name(const struct steer_result *r, uint32_t start)
{
	bool joins = false, others = false, back = false;
	uint32_t at = start;
	do {
		joins |= r->threads.at[at].kind == EV_JOIN;
		others |= r->threads.at[at].kind != EV_JOIN;
		back |= stands_back(r, at);
		at = next_of(r, at);
	} while (at != start);
	if (next_of(r, start) == start)
		return joins ? "a thread joins itself" : "a thread locks again what it holds";
	if (back)
		return "a reader waits behind a writer, which waits for readers";
	return !others ? "join cycle" : joins ? "a cycle of locks and joins" : "a cycle of locks";
}

static bool any_waits(const struct steer_result *r, uint32_t kind)
{
	for (size_t i = 0; i < r->threads.count; i++)
		if (r->threads.at[i].waits && !r->threads.at[i].usual && r->threads.at[i].kind == kind)
			return true;
	return false;
}

static bool holder_has_ended(const struct steer_result *r)
{
	for (size_t i = 0; i < r->threads.count; i++) {
		const struct steer_thread *t = &r->threads.at[i];
		if (t->waits && t->kind != EV_JOIN && t->waits_for != NO_PART && r->threads.at[t->waits_for].state == STRAND_ENDED)
			return true;
	}
	return false;
}

/* Does one wait for a condition with a lock another one waits for? */
static bool keeps_others_out(const struct steer_result *r)
{
	for (size_t i = 0; i < r->threads.count; i++) {
		const struct steer_thread *t = &r->threads.at[i], *holder = t->waits_for != NO_PART ? &r->threads.at[t->waits_for] : NULL;
		if (t->waits && !t->usual && t->kind == EV_LOCK && holder && holder->waits && !holder->usual && holder->kind == EV_CWAKE)
			return true;
	}
	return false;
}

const char *steer_deadlock(const struct steer_result *r)
{
	if (r->outcome != OUTCOME_DEADLOCK)
		return "";
	uint32_t start = steer_circle(r);
	if (start != NO_PART)
		return cycle_name(r, start);
	if (holder_has_ended(r))
		return "missing unlock";
	if (keeps_others_out(r))
		return "a wait for a condition that keeps a lock others wait for";
	if (any_waits(r, EV_CWAKE))
		return "lost wake-up";
	if (any_waits(r, EV_SWAIT))
		return "a semaphore nobody posts";
	if (any_waits(r, EV_BLEAVE) || any_waits(r, EV_BENTER))
		return "a barrier too few threads come to";
	if (any_waits(r, EV_FWAIT))
		return "a futex nobody wakes";
	return "every thread waits";
}

/* ---------------------------------------------------------------- printing */

static const char *waits_word(uint32_t kind)
{
	switch (kind) {
	case EV_LOCK:   return "lock";
	case EV_CWAKE:
	case EV_CWAIT:  return "condition";
	case EV_BLEAVE:
	case EV_BENTER: return "barrier";
	case EV_SWAIT:  return "semaphore";
	case EV_JOIN:   return "the end of";
	case EV_ONCE:   return "once";
	case EV_FWAIT:  return "futex";
	case EV_INPUT:
	case EV_OUTPUT: return "";
	default:        return "object";
	}
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void print_source(FILE *out, const struct source *at)
{
	if (*at->function)
		fprintf(out, " in %s", at->function);
	if (*at->file)
		fprintf(out, " at %s:%" PRIu32, file_name(at->file), at->line);
}

static void print_waits(FILE *out, struct steer_result *r, const struct steer_thread *t)
{
	char object[256];
	const struct steer_thread *other = t->waits_for == NO_PART ? NULL : &r->threads.at[t->waits_for];
	fprintf(out, " waits for %s", waits_word(t->kind));
	if (t->kind == EV_JOIN) {
		fprintf(out, " %s", other ? other->path : "a thread");
		return;
	}
	if (t->kind == EV_INPUT || t->kind == EV_OUTPUT) {
		if (t->object)
			fprintf(out, "descriptor %" PRIu64, t->object - 1);
		else
			fputs("a signal or one of several descriptors", out);
		return;
	}
	fprintf(out, " '%s'", places_object(r->places, t->object, object, sizeof object));
	if (other && steer_stands_back(t, other))
		fprintf(out, ", behind %s, which waits to write it", other->path);
	else if (other)
		fprintf(out, " held by %s%s", other->path, other->state == STRAND_ENDED ? ", which has ended" : "");
	else if (t->kind == EV_LOCK)
		fprintf(out, " held by nobody known");
	else if (t->kind == EV_CWAKE && r->outcome == OUTCOME_DEADLOCK)
		fprintf(out, ", which nobody can signal any more");
}

static void print_stack(FILE *out, struct steer_result *r, const struct steer_thread *t)
{
	struct source at, callers[FRAMES_SHOWN];
	if (places_source(r->places, t->place, &at)) {
		fputs("   ", out);
		print_source(out, &at);
		putc('\n', out);
	}
	if (t->depth > t->frames.count)
		fprintf(out, "    ... %zu more\n", (size_t)t->depth - t->frames.count);
	unsigned count = places_callers(r->places, t->place, t->frames.at, t->frames.count, callers, FRAMES_SHOWN);
	for (unsigned i = 0; i < count; i++) {
		fprintf(out, "    from %s", *callers[i].function ? callers[i].function : "an unknown function");
		if (callers[i].line)
			fprintf(out, " at %s:%" PRIu32, file_name(callers[i].file), callers[i].line);
		putc('\n', out);
	}
}

/* Was it asked who waits?  A program that was killed, or went on for too long, was not. */
static bool waits_known(const struct steer_result *r)
{
	return r->outcome != OUTCOME_NONE && r->outcome != OUTCOME_EXIT && r->outcome != OUTCOME_SIGNAL && r->outcome != OUTCOME_LIVELOCK;
}

static void print_thread(FILE *out, struct steer_result *r, const struct steer_thread *t)
{
	fprintf(out, "  %s", t->path);
	if (*t->name)
		fprintf(out, " '%s'", t->name);
	if (t->waits)
		print_waits(out, r, t);
	else if (t->state == STRAND_RUNNING)
		fprintf(out, " runs; the last it did: %s", event_said(t->kind) ? event_said(t->kind) : "nothing");
	else
		fprintf(out, " %s: %s", waits_known(r) ? "could go on; next" : "stands before", event_said(t->kind) ? event_said(t->kind) : "not known");
	putc('\n', out);
	print_stack(out, r, t);
}

static void print_party(FILE *out, struct steer_result *r, const char *what, uint32_t strand, uint64_t place)
{
	struct source at;
	if (strand == 0 || strand > r->threads.count)
		return;
	fprintf(out, ", %s %s", what, r->threads.at[strand - 1].path);
	if (places_source(r->places, place, &at))
		print_source(out, &at);
}

/* "  48 bytes into a heap block of 64, given to T_0 in main at queue.c:12, freed by T_0_1 in stop at queue.c:40" */
static void print_block(FILE *out, struct steer_result *r)
{
	const struct steer_block *b = &r->block;
	if ((r->outcome != OUTCOME_MEMORY && !steer_unmapped(r)) || !b->at)
		return;
	if (steer_left(r) && !b->freed_place && b->freed_by <= r->threads.count) {      /* no local, but all its thread had */
		fprintf(out, "  memory of %s, which has ended\n", r->threads.at[b->freed_by - 1].path);
		return;
	}
	bool before = r->address < b->at;
	const char *what = steer_unmapped(r) ? "mapping" : steer_left(r) ? "local" : "heap block";
	fprintf(out, "  %" PRIu64 " bytes %s a %s of %" PRIu64, before ? b->at - r->address : r->address - b->at,
		before ? "in front of" : "into", what, b->bytes);
	print_party(out, r, "given to", b->given_by, b->given_place);
	print_party(out, r, steer_unmapped(r) ? "unmapped by" : steer_left(r) ? "left by" : "freed by", b->freed_by, b->freed_place);
	putc('\n', out);
}

void steer_print_threads(struct steer_result *r, FILE *out)
{
	print_block(out, r);
	uint32_t start = steer_circle(r), at = start;
	if (start != NO_PART)
		do {
			print_thread(out, r, &r->threads.at[at]);
			at = next_of(r, at);
		} while (at != start);
	for (uint32_t i = 0; i < r->threads.count; i++)
		if ((r->threads.at[i].state == STRAND_AT_POINT || r->threads.at[i].state == STRAND_RUNNING) && !on_cycle(r, start, i))
			print_thread(out, r, &r->threads.at[i]);
}
