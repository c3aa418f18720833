/* cli/interleaving.c -- see interleaving.h.
 * Shown are accesses to bytes that two threads touch and one writes, atomics or not, and whatever is done to locks and the like. */
#include "cli/interleaving.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/vec.h"
#include "cli/rerun.h"
#include "trace/objects.h"
#include "trace/live.h"
#include "trace/reader.h"

#define LINES_SHOWN  40u
#define COLUMNS_MOST 4u
#define COLUMN_WIDE  46u                /* more than that is cut */
#define BY_ANOTHER   (1u << 16)
#define IS_WRITTEN   (1u << 17)

struct drawn { uint32_t thread; char *text; };
struct drawing {
	struct trace *trace;
	struct map bytes;               /* who touched it + 1, and how */
	VEC(struct event) events;       /* that may be shown; their payload is not good */
	VEC(struct drawn) lines;
};

static bool is_access(uint8_t kind) { return kind == EV_READ || kind == EV_WRITE || (kind >= EV_ALOAD && kind <= EV_CAS); }

static bool may_be_shown(uint8_t kind)
{
	switch (kind) {
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST: case EV_BENTER: case EV_BLEAVE:
	case EV_SWAIT: case EV_SPOST: case EV_ONCERUN: case EV_FREE: case EV_FLUSH: case EV_CHOICE: case EV_EXIT: case EV_FAILURE:
		return true;
	default:
		return is_access(kind);
	}
}

static void touch(struct drawing *d, const struct event *ev)
{
	bool writes = ev->kind != EV_READ && ev->kind != EV_ALOAD && !ev->failed;
	for (uint32_t i = 0; i < ev->size; i++) {
		uint64_t *byte = map_put(&d->bytes, ev->object + i, NULL), me = ev->thread.i + 1u;
		*byte |= (*byte & 0xffff) && (*byte & 0xffff) != me ? BY_ANOTHER : me;
		*byte |= writes ? IS_WRITTEN : 0;
	}
}

static bool is_shared(const struct drawing *d, const struct event *ev)
{
	for (uint32_t i = 0; i < ev->size; i++) {
		const uint64_t *byte = map_get(&d->bytes, ev->object + i);
		if (byte && (*byte & BY_ANOTHER) && (*byte & IS_WRITTEN))
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- words */

static void add_object(struct drawing *d, const struct event *ev, struct buffer *out)
{
	uint64_t offset = 0;
	const char *name = ev->name && is_access(ev->kind) ? ev->name : NULL, *symbol = trace_symbol(d->trace, ev->object, &offset);
	if (symbol && !(name && !offset))
		buffer_print(out, offset ? "%s+%" PRIu64 : "%s", trace_shown(d->trace, symbol), offset);
	else if (name)
		buffer_print(out, "%s", name);
	else
		buffer_print(out, "%#" PRIx64, ev->object);
}

static void add_value(uint64_t value, uint32_t size, struct buffer *out)
{
	int64_t number = size >= 8 ? (int64_t)value : (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size);
	if (number > -100000 && number < 100000)
		buffer_print(out, "%" PRId64, number);
	else
		buffer_print(out, "%#" PRIx64, value);
}

static void add_access(struct drawing *d, const struct event *ev, struct buffer *out)
{
	add_object(d, ev, out);
	bool writes = ev->kind == EV_WRITE || ev->kind == EV_ASTORE, updates = ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed);
	buffer_print(out, writes ? " = " : updates ? ": " : " is ");
	add_value(ev->arg, ev->size, out);
	if (updates) {
		buffer_print(out, " -> ");
		add_value(ev->written, ev->size, out);
	}
	if (ev->kind == EV_CAS && ev->failed)
		buffer_print(out, ", left so");
	if (ev->waits)
		buffer_print(out, " (waits)");
}

static void add_words(struct drawing *d, const struct event *ev, struct buffer *out)
{
	static const char *const words[EV_COUNT] = { [EV_LOCK] = "lock ", [EV_UNLOCK] = "unlock ", [EV_TRYFAIL] = "does not get ", [EV_CWAIT] = "wait for ",
		[EV_CWAKE] = "wake from ", [EV_CSIGNAL] = "signal ", [EV_CBROADCAST] = "broadcast ", [EV_BENTER] = "arrive at ", [EV_BLEAVE] = "leave ",
		[EV_SWAIT] = "take ", [EV_SPOST] = "post ", [EV_ONCERUN] = "run once ", [EV_FREE] = "free " };
	if (is_access(ev->kind)) {
		add_access(d, ev, out);
	} else if (ev->kind == EV_FLUSH) {
		add_object(d, ev, out);
		buffer_print(out, " reaches memory");
	} else if (ev->kind == EV_CHOICE) {
		buffer_print(out, "chooses %" PRIu64, ev->arg);
	} else if (ev->kind == EV_EXIT) {
		buffer_print(out, "exit %" PRIu64, ev->arg);
	} else if (ev->kind == EV_FAILURE) {
		buffer_print(out, "fails");
	} else {
		buffer_print(out, "%s", words[ev->kind]);
		add_object(d, ev, out);
		if (ev->kind == EV_CWAKE && ev->result == ETIMEDOUT)
			buffer_print(out, ", too late");
		else if (ev->kind == EV_SWAIT && ev->result)
			buffer_print(out, ": in vain");
	}
}

static void add_line(struct drawing *d, const struct event *ev)
{
	char at[128];
	struct buffer text = { 0 };
	uint32_t thread = ev->kind == EV_FLUSH ? (uint32_t)ev->arg : ev->thread.i;
	place_short(ev->place, at, sizeof at);
	if ((is_access(ev->kind) || ev->kind == EV_FLUSH) && !is_shared(d, ev))
		return;
	if (ev->kind == EV_FREE && !*ev->place->file)
		return;
	if (thread >= trace_thread_count(d->trace))
		return;
	if (*at)
		buffer_print(&text, "%s: ", at);
	add_words(d, ev, &text);
	buffer_add(&text, "", 1);
	vec_push(&d->lines, ((struct drawn){ thread, (char *)text.at }));
}

/* ---------------------------------------------------------------- columns */

static size_t column_of(uint32_t thread, uint32_t *columns, size_t *count)
{
	size_t i = 0;
	while (i < *count && columns[i] != thread)
		i++;
	if (i == *count && i < COLUMNS_MOST)
		columns[(*count)++] = thread;
	return i;
}

static int width_of(const struct drawing *d, size_t from, uint32_t thread)
{
	size_t most = strlen(trace_thread(d->trace, (struct thread_id){ thread })->path);
	for (size_t i = from; i < d->lines.count; i++) {
		size_t length = strlen(d->lines.at[i].text);
		if (d->lines.at[i].thread == thread && length > most)
			most = length;
	}
	return (int)(most < COLUMN_WIDE ? most : COLUMN_WIDE);
}

/* More threads than columns: their names stand in front. */
static void draw_list(const struct drawing *d, size_t from)
{
	for (size_t i = from; i < d->lines.count; i++)
		printf("    %-8s  %s\n", trace_thread(d->trace, (struct thread_id){ d->lines.at[i].thread })->path, d->lines.at[i].text);
}

static void draw(const struct drawing *d)
{
	uint32_t columns[COLUMNS_MOST];
	int wide[COLUMNS_MOST];
	size_t count = 0, from = d->lines.count > LINES_SHOWN ? d->lines.count - LINES_SHOWN : 0;
	bool fits = true;
	for (size_t i = from; i < d->lines.count; i++)
		fits &= column_of(d->lines.at[i].thread, columns, &count) < count;
	printf("  what threads did that others notice%s:\n", from ? ", the last of it" : "");
	if (!fits) {
		draw_list(d, from);
		return;
	}
	for (size_t c = 0; c < count; c++) {
		wide[c] = width_of(d, from, columns[c]);
		printf(c + 1 < count ? "%s%-*s" : "%s%.*s", c ? "  " : "    ", c + 1 < count ? wide[c] : 99, trace_thread(d->trace, (struct thread_id){ columns[c] })->path);
	}
	putchar('\n');
	for (size_t i = from; i < d->lines.count; i++) {
		size_t mine = column_of(d->lines.at[i].thread, columns, &count);
		int before = 4;
		for (size_t c = 0; c < mine; c++)
			before += wide[c] + 2;
		printf("%*s%s\n", before, "", d->lines.at[i].text);
	}
}

/* ---------------------------------------------------------------- all of it */

static void take_events(struct drawing *d, struct live *events)
{
	struct event ev;
	d->trace = live_trace(events);
	while (live_next(events, UINT64_MAX, &ev)) {
		if (is_access(ev.kind))
			touch(d, &ev);
		if (may_be_shown(ev.kind))
			vec_push(&d->events, ev);
	}
	for (size_t i = 0; i < d->events.count; i++) {
		add_line(d, &d->events.at[i]);
		if (d->events.at[i].kind == EV_FAILURE || d->events.at[i].kind == EV_EXIT)
			break;
	}
}

static void take(void *with, struct live *events)
{
	struct drawing *d = with;
	take_events(d, events);
	if (d->lines.count)
		draw(d);
}

void interleaving_say(const char *schedule)
{
	struct drawing d = { 0 };
	rerun(schedule, take, &d);
	for (size_t i = 0; i < d.lines.count; i++)
		mem_free(d.lines.at[i].text);
	vec_release(&d.lines);
	vec_release(&d.events);
	map_release(&d.bytes);
}
