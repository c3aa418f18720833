/* analyses/predict/written.c -- see written.h.  Cost: a look at a table for each write to marked memory; a question some hundred for each thread. */
#include "analyses/predict/written.h"

#include <string.h>

#define ANY_SITE (NONE - 1)

struct write_to { uint64_t word; uint32_t thread, site; uint64_t mask; };

static void put(struct written_by *w, uint64_t word, uint32_t thread, uint32_t site, unsigned mask)
{
	const struct write_to name = { word, thread, site, mask };
	names_put(&w->seen, (const char *)&name, sizeof name);
}

static bool has(const struct written_by *w, uint64_t word, uint32_t thread, uint32_t site, unsigned mask)
{
	const struct write_to name = { word, thread, site, mask };
	return names_get(&w->seen, (const char *)&name, sizeof name) != NO_NAME;
}

void written_begin(struct written_by *w, struct model *model, uint32_t threads)
{
	w->model = model;
	for (uint32_t i = 0; i < threads; i++)
		vec_push(&w->begins, NULL);
}

/* The bytes of a word that lie in a range. */
static unsigned mask_of(uint64_t word, uint64_t start, uint64_t end)
{
	unsigned mask = 0;
	for (unsigned i = 0; i < 8; i++)
		mask |= word + i >= start && word + i < end ? 1u << i : 0;
	return mask;
}

/* What a library function wrote has a line and no site: it may be any call of that line. */
static void note_range(struct written_by *w, const struct event *ev, uint32_t site, const struct touched *range)
{
	uint64_t end = range->start + (range->bytes < SCREEN_RANGE ? range->bytes : SCREEN_RANGE);
	for (uint64_t word = range->start & ~7ull; word < end; word += 8) {
		unsigned mask = mask_of(word, range->start, end);
		uint32_t by;
		put(w, word, 0, ANY_SITE, mask);
		for (uint32_t n = 0; (by = site == NONE ? model_call_at(w->model, ev->place->file, ev->place->line, n) : n ? NONE : site) != NONE; n++)
			put(w, word, ev->thread.i, by, mask);
	}
}

/* Can the thread learn nothing of the others by it, as long as what memory it reads is not marked? */
static bool tells_nothing(const struct event *ev, bool marked)
{
	if (ev->nest || ev->failed || (ev->result && event_class(ev->kind) != CLASS_OBJECT))
		return false;
	switch (ev->kind) {
	case EV_READ: case EV_ALOAD: case EV_RMW: case EV_CAS: case EV_LIBREAD: case EV_COPY:
		return !marked;
	case EV_BEGIN: case EV_END: case EV_FORK: case EV_JOIN: case EV_NAME: case EV_WRITE: case EV_ASTORE: case EV_FENCE:
	case EV_LIBWRITE: case EV_LOCK: case EV_UNLOCK: case EV_BLOCK: case EV_LOCKINIT: case EV_LOCKDEAD:
	case EV_CSIGNAL: case EV_CBROADCAST: case EV_SPOST: case EV_ALLOC: case EV_FREE: case EV_REALLOC: case EV_STACK: case EV_TLS:
	case EV_ENTER: case EV_LEAVE: case EV_CALL: case EV_BRANCH: case EV_LANDED: case EV_OUTPUT: case EV_KEYFRAME: case EV_TIME: case EV_MODULE:
	case EV_LABEL: case EV_IGNORE: case EV_ATOMIC: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_RESULT: case EV_ARGUMENT:
		return true;
	default:
		return false;
	}
}

static void note_first(struct written_by *w, const struct event *ev, bool marked)
{
	w->told |= w->others && !tells_nothing(ev, marked);
	w->others += ev->kind == EV_FORK;
	w->others -= ev->kind == EV_JOIN && w->others;
}

void written_note(struct written_by *w, const struct trace *t, const struct event *ev, uint32_t site, bool marked)
{
	struct touched range[2];
	if (ev->kind == EV_BEGIN && ev->thread.i < w->begins.count && ev->object)
		w->begins.at[ev->thread.i] = trace_function_at(t, ev->object);
	if (ev->thread.i == 0)
		note_first(w, ev, marked);
	uint32_t count = marked && (event_is_access(ev) || ev->kind == EV_INPUT) ? event_touches(ev, NULL, range) : 0;
	for (uint32_t i = 0; i < count; i++)
		if (range[i].writes)
			note_range(w, ev, site, &range[i]);
}

/* ---- asked ---- */

struct asked { const struct written_by *w; struct steady *s; struct depend *d; uint64_t word; unsigned want; uint32_t made; const struct writer *writer; bool all; };

static bool wrote_all(const struct asked *a, uint32_t thread)
{
	for (unsigned mask = 1; mask < 256; mask++)
		if ((mask & a->want) == a->want && has(a->w, a->word, thread, a->writer->by, mask))
			return true;
	return false;
}

/* Is it come to, and does it write there, whatever is read of others? */
static bool is_steady(const struct asked *a)
{
	bool steady = steady_event(a->s, NULL, a->writer->by, PART_REACH | PART_ADDRESS);
	for (uint32_t i = 0; i < a->writer->count && steady; i++)
		steady = steady_event(a->s, NULL, a->writer->via[i], PART_REACH | PART_ADDRESS);
	return steady;
}

/* NONE: the first thread. */
static void look_at_beginning(void *with, uint32_t function)
{
	struct asked *a = with;
	const struct code *c = model_code(a->w->model);
	const char *name = function == NONE ? NULL : code_text(c, c->functions.at[function].name);
	bool any = false;
	for (uint32_t t = 0; t < a->w->begins.count; t++) {
		const char *begins = a->w->begins.at[t];
		bool known = t == 0 || begins;
		if (known && (function == NONE ? t != 0 : t == 0 || strcmp(begins, name)))
			continue;
		any = true;
		a->all &= known && wrote_all(a, t);
	}
	a->all &= any ? !depend_repeats(a->d, a->writer->via, a->writer->count, a->made, function) || is_steady(a) :
		function != NONE && !a->w->told && depend_first_begins(a->d, function);
}

static void look_at_writer(void *with, const struct writer *writer)
{
	struct asked *a = with;
	a->writer = writer;
	if (a->all && !depend_begins(a->d, writer->via, writer->count, look_at_beginning, a))
		a->all = false;
}

bool written_is_all(const struct written_by *w, struct steady *s, struct depend *d, const struct written_read *read, uint32_t made)
{
	uint64_t word = read->address & ~7ull;
	struct asked a = { w, s, d, word, mask_of(word, read->address, read->address + read->bytes), made, NULL, true };
	if ((read->address & 7) + read->bytes > 8)
		return false;
	for (unsigned mask = 1; mask < 256; mask++)
		if (mask & a.want && (mask & a.want) != a.want && has(w, a.word, 0, ANY_SITE, mask))
			return false;
	return depend_writers(d, read->site, read->call, look_at_writer, &a) && a.all;
}

void written_release(struct written_by *w)
{
	names_release(&w->seen);
	vec_release(&w->begins);
	*w = (struct written_by){ 0 };
}
