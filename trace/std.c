/* trace/std.c -- see std.h.
 *
 * Import: thread, lock and variable names are kept as they are; locations that are numbers become lines of a file of no
 * name, others functions.
 * Export: a condition wait is a release, its end an acquire; an atomic change is a read and a write under a lock of its
 * own ("atomic:X"), as RAPID knows no atomics; read locks are left out; locations are numbered in order of appearance. */
#include "trace/std.h"

#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/memory.h"
#include "trace/text_words.h"

/* ---- reading ---- */

static const struct { const char *word; uint8_t kind; } std_words[] = {
	{ "acq", EV_LOCK }, { "rel", EV_UNLOCK }, { "r", EV_READ }, { "w", EV_WRITE }, { "fork", EV_FORK }, { "join", EV_JOIN },
	{ "begin", EV_ENTER }, { "end", EV_LEAVE }, { "lock", EV_LOCK }, { "unlock", EV_UNLOCK }, { "acquire", EV_LOCK },
	{ "release", EV_UNLOCK }, { "read", EV_READ }, { "write", EV_WRITE },
};

struct piece { const char *at; size_t length; };

struct std_reader {
	struct builder *builder;
	const char *path;
	uint64_t line;
	struct names threads, objects;
	struct err *why;
};

static int wrong(struct std_reader *r, const char *what, struct piece p)
{
	int n = p.length < 60 ? (int)p.length : 60;
	err_set(r->why, "'%.90s' line %llu: %s '%.*s'", r->path, (unsigned long long)r->line, what, n, p.at);
	err_hint(r->why, "a line is <thread>|<op>(<object>)|<location>, op one of acq rel r w fork join begin end");
	r->why->code = 3;
	return -1;
}

static struct piece trimmed(const char *from, const char *to)
{
	while (from < to && isspace((unsigned char)*from))
		from++;
	while (to > from && isspace((unsigned char)to[-1]))
		to--;
	return (struct piece){ from, (size_t)(to - from) };
}

bool std_is(const char *bytes, size_t count)
{
	for (const char *at = bytes, *end, *stop = bytes + count; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		end = end ? end : stop;
		struct piece line = trimmed(at, end);
		if (!line.length || *line.at == '#')
			continue;
		const char *bar = memchr(line.at, '|', line.length), *rest = line.at + line.length;
		const char *bracket = bar ? memchr(bar, '(', (size_t)(rest - bar)) : NULL;
		return bracket && memchr(bracket, '|', (size_t)(rest - bracket)) && !memchr(line.at, ' ', (size_t)(bar - line.at));
	}
	return false;
}

static uint32_t std_thread(struct std_reader *r, struct piece p, uint32_t parent)
{
	uint32_t before = (uint32_t)r->threads.count, id = names_put(&r->threads, p.at, p.length);
	if (id == before) {
		struct trace_thread like = { .path = names_text(&r->threads, id), .name = "", .uid = id + 1, .parent = { parent } };
		builder_thread(r->builder, &like);
	} else if (parent != NO_THREAD.i && parent != id) {
		struct trace_thread *have = builder_thread_edit(r->builder, (struct thread_id){ id });
		have->parent.i = have->parent.i == NO_THREAD.i ? parent : have->parent.i;
	}
	return id;
}

/* Locks and variables have names of their own: of a lock and a variable of one name the later is told apart by a tail. */
static uint64_t std_object(struct std_reader *r, struct piece p, uint8_t kind)
{
	bool lock = kind == EV_LOCK || kind == EV_UNLOCK;
	char *name = mem_take(p.length + 8);
	memcpy(name + 1, p.at, p.length);
	for (size_t i = 1; i <= p.length; i++)
		name[i] = (unsigned char)name[i] < ' ' ? '?' : name[i];
	name[0] = lock ? 'V' : 'L';
	bool twice = names_get(&r->objects, name, p.length + 1) != NO_NAME;
	name[0] = lock ? 'L' : 'V';
	uint32_t before = (uint32_t)r->objects.count, id = names_put(&r->objects, name, p.length + 1);
	uint64_t address = FAKE_BASE + id * FAKE_STEP;
	if (twice)
		strcpy(name + 1 + p.length, lock ? ".lock" : ".var");
	if (id == before)
		builder_symbol(r->builder, name + 1, address, FAKE_STEP);
	mem_free(name);
	return address;
}

static const struct place *std_place(struct std_reader *r, struct piece p)
{
	struct place like = { .ordinal = UINT32_MAX };
	uint64_t line = 0;
	size_t i = 0;
	for (; i < p.length && isdigit((unsigned char)p.at[i]) && line < UINT32_MAX / 10; i++)
		line = line * 10 + (uint64_t)(p.at[i] - '0');
	if (!p.length)
		return NULL;
	if (i == p.length) {
		like.file = "std";
		like.line = (uint32_t)line;
	} else {
		like.function = builder_string(r->builder, p.at, p.length);
	}
	return builder_place(r->builder, &like);
}

static int std_line(struct std_reader *r, const char *at, const char *end)
{
	struct event ev = { 0 };
	struct piece whole = trimmed(at, end);
	if (!whole.length || whole.at[0] == '#')
		return 0;
	end = whole.at + whole.length;
	if (memchr(whole.at, 0, whole.length))
		return wrong(r, "a zero byte in", whole);
	const char *bar = memchr(whole.at, '|', whole.length);
	const char *bar2 = bar ? memchr(bar + 1, '|', (size_t)(end - bar - 1)) : NULL;
	if (!bar)
		return wrong(r, "not an STD line:", whole);
	struct piece op = trimmed(bar + 1, bar2 ? bar2 : end), object = { "", 0 };
	const char *open = memchr(op.at, '(', op.length);
	if (open && op.at[op.length - 1] == ')') {
		object = trimmed(open + 1, op.at + op.length - 1);
		op.length = (size_t)(open - op.at);
	}
	for (size_t i = 0; i < sizeof std_words / sizeof *std_words && !ev.kind; i++)
		if (strlen(std_words[i].word) == op.length && !memcmp(std_words[i].word, op.at, op.length))
			ev.kind = std_words[i].kind;
	if (!ev.kind)
		return wrong(r, "unknown operation", op);
	struct piece thread = trimmed(whole.at, bar);
	if (!thread.length)
		return wrong(r, "no thread in", whole);
	ev.thread.i = std_thread(r, thread, NO_THREAD.i);
	if (!object.length && ev.kind != EV_ENTER && ev.kind != EV_LEAVE)
		return wrong(r, "no object in", whole);
	if (ev.kind == EV_FORK || ev.kind == EV_JOIN)
		ev.object = std_thread(r, object, ev.kind == EV_FORK ? ev.thread.i : NO_THREAD.i);
	else if (ev.kind != EV_ENTER && ev.kind != EV_LEAVE)
		ev.object = std_object(r, object, ev.kind);
	ev.size = ev.kind == EV_READ || ev.kind == EV_WRITE ? SIZE_DEFAULT : 0;
	if (bar2)
		ev.place = std_place(r, trimmed(bar2 + 1, end));
	builder_event(r->builder, &ev);
	return 0;
}

int std_load(struct trace **out, const char *path, const char *bytes, size_t count, struct err *why)
{
	struct std_reader r = { .builder = builder_new(path, ORDER_TOTAL), .path = path, .why = why };
	int got = 0;
	if (!count) {
		got = err_set(why, "'%s' is empty", path);
		why->code = 3;
	}
	for (const char *at = bytes, *stop = bytes + count, *end; at < stop && got == 0; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		end = end ? end : stop;
		r.line++;
		got = std_line(&r, at, end);
	}
	if (got == 0)
		*out = builder_finish(r.builder);
	else
		builder_drop(r.builder);
	names_release(&r.threads);
	names_release(&r.objects);
	return got;
}

/* ---- writing ---- */

struct std_printer {
	struct trace *trace;
	FILE *out;
	struct map places;              /* address of a place -> number */
	struct map depth;               /* lock -> how often it is held, by the one who holds it */
};

struct std_printer *std_printer_open(struct trace *t, FILE *out)
{
	struct std_printer *p = mem_take(sizeof *p);
	p->trace = t;
	p->out = out;
	return p;
}

void std_printer_close(struct std_printer *p)
{
	if (!p)
		return;
	map_release(&p->places);
	map_release(&p->depth);
	mem_free(p);
}

static uint64_t place_number(struct std_printer *p, const struct event *ev)
{
	uint64_t *n = map_put(&p->places, (uintptr_t)ev->place, NULL);
	if (!*n)
		*n = p->places.count;
	return *n;
}

/* A name without the bytes that have a meaning in a line. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(strchr("|() \t\n", *name) || (unsigned char)*name < ' ' ? '_' : *name, out);
}

static void print_object(struct std_printer *p, uint64_t address)
{
	uint64_t offset = 0;
	const char *name = trace_symbol(p->trace, address, &offset);
	if (name)
		print_name(p->out, name);
	if (name && offset)
		fprintf(p->out, "+%llu", (unsigned long long)offset);
	if (!name)
		fprintf(p->out, "0x%llx", (unsigned long long)address);
}

static void print_line(struct std_printer *p, const struct event *ev, const char *op, const char *prefix, uint64_t object)
{
	print_name(p->out, trace_thread(p->trace, ev->thread)->path);
	fprintf(p->out, "|%s(%s", op, prefix);
	print_object(p, object);
	fprintf(p->out, ")|%llu\n", (unsigned long long)place_number(p, ev));
}

static bool print_pair(struct std_printer *p, const struct event *ev)
{
	if (ev->object >= trace_thread_count(p->trace) || ev->result)
		return false;
	print_name(p->out, trace_thread(p->trace, ev->thread)->path);
	fprintf(p->out, "|%s(", ev->kind == EV_FORK ? "fork" : "join");
	print_name(p->out, trace_thread(p->trace, (struct thread_id){ (uint32_t)ev->object })->path);
	fprintf(p->out, ")|%llu\n", (unsigned long long)place_number(p, ev));
	return true;
}

static void print_atomic(struct std_printer *p, const struct event *ev)
{
	print_line(p, ev, "acq", "atomic:", ev->object);
	if (ev->kind != EV_ASTORE)
		print_line(p, ev, "r", "", ev->object);
	if (ev->kind == EV_ASTORE || ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed))
		print_line(p, ev, "w", "", ev->object);
	print_line(p, ev, "rel", "atomic:", ev->object);
}

/* STD locks are neither recursive nor shared: the outermost acquisition counts, read locks are left out. */
static bool print_lock(struct std_printer *p, const struct event *ev)
{
	if (ev->in_flight || (ev->kind == EV_UNLOCK && ev->result) || (ev->arg & LOCK_FOR_READING))
		return false;
	uint64_t *depth = map_put(&p->depth, ev->object, NULL);
	bool outermost = ev->kind == EV_LOCK ? (*depth)++ == 0 : *depth > 0 && --*depth == 0;
	if (outermost)
		print_line(p, ev, ev->kind == EV_LOCK ? "acq" : "rel", "", ev->object);
	return outermost;
}

bool std_print(struct std_printer *p, const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ:
	case EV_LIBREAD:
		print_line(p, ev, "r", "", ev->object);
		return true;
	case EV_WRITE:
	case EV_LIBWRITE:
	case EV_COPY:
		print_line(p, ev, "w", "", ev->object);
		return true;
	case EV_ALOAD:
	case EV_ASTORE:
	case EV_RMW:
	case EV_CAS:
		print_atomic(p, ev);
		return true;
	case EV_LOCK:
	case EV_UNLOCK:
		return print_lock(p, ev);
	case EV_CWAIT:
	case EV_CWAKE:
		*map_put(&p->depth, ev->arg, NULL) = ev->kind == EV_CWAKE;
		print_line(p, ev, ev->kind == EV_CWAIT ? "rel" : "acq", "", ev->arg);
		return true;
	case EV_FORK:
	case EV_JOIN:
		return print_pair(p, ev);
	default:
		return false;
	}
}
