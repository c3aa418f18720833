/* analyses/epa/memory.c -- see memory.h.
 *
 * Live objects, and beside them those that are gone, are trace/objects.h's; what each is called hangs on its id.  Globals are found by symbol and kept
 * in a small table by address, since they never move. */
#include "analyses/epa/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "wire/ring.h"

#define RANGES   256u                           /* of globals, kept by address */
#define NEAR     256u                           /* pieces of live objects, kept by address */
#define RECENT   1024u
#define HELD     16u                            /* pointers a thread read last */
#define LOWEST   65536ull                       /* nothing lies below */
#define MOVED_MOST 65536ull                     /* bytes of one copy in which pointers are followed */
#define HALVES   16u                            /* of a word, in a line */
#define LINES    256u                           /* of halves, kept by address */
#define OPENING  8u                             /* events in which a thread says where its memory is */

struct range { uint64_t low, high; uint32_t thing; uint64_t origin; };          /* offset = address - origin */
struct near { struct range range; uint64_t when; };                             /* good as long as memory.changes is that */
struct stored { uint64_t value; struct spot spot; };                            /* a pointer in memory */
struct line { uint64_t at; uint32_t halves[HALVES]; uint32_t written; };        /* what was written by four bytes there: one bit a half */
struct recent { const struct place *place; const char *name; uint32_t number; };
struct loaded_file { uint64_t low, high, base; uint32_t thing, text; bool instrumented; };

struct thread_memory {
	uint32_t path, thread_thing;
	bool has_stack, has_tls;
	struct event stack, tls;
	struct map made;                        /* place -> how many objects it made there */
	struct stored held[HELD];
	struct stored freed;                    /* the block it gave back last */
	uint32_t children;                      /* it made so far */
};

struct memory {
	struct trace *trace;
	struct names_book *book;
	struct objects *live, *gone;
	VEC(struct range) named;                /* by id of the object; live's and gone's are the same */
	struct range ranges[RANGES];
	struct near near[NEAR];
	uint64_t changes;                       /* of live, counted from 1 */
	VEC(struct loaded_file) files;
	struct range arguments, strings;        /* of the first thread; thing 0: not known */
	uint64_t main_top;                      /* the first thread's frames are below; 0 not known */
	uint32_t thread_count;
	struct thread_memory *threads;
	struct map pointers;                    /* address -> index in stored + 1 */
	VEC(struct stored) stored;
	struct map line_of;                     /* address / 64 -> index in lines + 1; */
	VEC(struct line) lines;
	uint32_t line_near[LINES];              /* some of these */
	struct map places;                      /* place and name -> number in the book; */
	struct recent recent[RECENT];           /* some of them, by where the place lies */
};

/* ---- at the beginning ---- */

static void find_files(struct memory *m)
{
	for (uint32_t i = 0; i < trace_module_count(m->trace); i++) {
		const struct trace_module *x = trace_module(m->trace, i);
		const char *slash = strrchr(x->path, '/');
		uint32_t text = book_text(m->book, slash ? slash + 1 : x->path);
		struct named named = { .kind = NAMED_MODULE, .text = text };
		vec_push(&m->files, ((struct loaded_file){ x->low, x->high, x->base, book_thing(m->book, named), text, x->instrumented }));
	}
}

static uint64_t fact(const struct trace *t, const char *key)
{
	uint64_t value = 0;
	const char *text = trace_fact(t, key);
	return text && str_number(text, &value) ? value : 0;
}

static void find_arguments(struct memory *m)
{
	uint64_t stack = fact(m->trace, "stack_at"), strings = fact(m->trace, "strings_at");
	if (stack < LOWEST || strings <= stack || strings - stack > MAIN_UNIT * 64)
		return;
	m->main_top = main_below(stack);
	m->arguments = (struct range){ stack, strings, book_thing(m->book, (struct named){ .kind = NAMED_ARGUMENTS }), stack };
	m->strings = (struct range){ strings, strings + MAIN_UNIT * 16, book_thing(m->book, (struct named){ .kind = NAMED_STRINGS }), strings };
}

/* Where its memory lies is the first thing a thread says. */
static int look_at_thread(struct memory *m, uint32_t i, struct err *why)
{
	struct thread_memory *t = &m->threads[i];
	struct lane *lane;
	struct event ev;
	int got = 1;
	t->path = book_text(m->book, trace_thread(m->trace, (struct thread_id){ i })->path);
	t->thread_thing = book_thing(m->book, (struct named){ .kind = NAMED_THREAD, .text = t->path });
	if (lane_open(&lane, m->trace, (struct thread_id){ i }, why) < 0)
		return -1;
	for (unsigned n = 0; n < OPENING && got > 0; n++) {
		got = lane_next(lane, &ev, why);
		if (got > 0 && ev.kind == EV_STACK && !t->has_stack)
			t->has_stack = true, t->stack = ev;
		else if (got > 0 && ev.kind == EV_TLS && !t->has_tls)
			t->has_tls = true, t->tls = ev;
	}
	lane_close(lane);
	return got < 0 ? -1 : 0;
}

static void add_object(struct memory *m, const struct event *ev, uint32_t thing, uint64_t origin);

/* Stack and thread-local block of a thread that is about to be. */
static void thread_comes(struct memory *m, uint32_t i)
{
	struct thread_memory *t = &m->threads[i];
	uint64_t top = i == 0 && m->main_top ? m->main_top : t->stack.object + t->stack.arg;
	if (t->has_stack)
		add_object(m, &t->stack, book_thing(m->book, (struct named){ .kind = NAMED_STACK, .text = t->path }), top);
	if (t->has_tls)
		add_object(m, &t->tls, book_thing(m->book, (struct named){ .kind = NAMED_TLS, .text = t->path }), t->tls.object + t->tls.arg);
}

int memory_open(struct memory **out, struct trace *t, struct names_book *b, struct err *why)
{
	struct memory *m = mem_take(sizeof *m);
	int got = 0;
	m->changes = 1;
	m->trace = t;
	m->book = b;
	m->live = objects_new(t);
	m->gone = objects_new(t);
	m->thread_count = trace_thread_count(t);
	m->threads = mem_take((m->thread_count + 1u) * sizeof *m->threads);
	find_files(m);
	find_arguments(m);
	for (uint32_t i = 0; i < m->thread_count && got == 0; i++)
		got = look_at_thread(m, i, why);
	for (uint32_t i = 0; i < m->thread_count && got == 0; i++)
		if (trace_thread(t, (struct thread_id){ i })->parent.i >= m->thread_count)
			thread_comes(m, i);
	if (got < 0) {
		memory_close(m);
		m = NULL;
	}
	*out = m;
	return got;
}

void memory_close(struct memory *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->thread_count; i++)
		map_release(&m->threads[i].made);
	mem_free(m->threads);
	objects_free(m->live);
	objects_free(m->gone);
	vec_release(&m->named);
	vec_release(&m->files);
	map_release(&m->pointers);
	vec_release(&m->stored);
	map_release(&m->line_of);
	vec_release(&m->lines);
	map_release(&m->places);
	mem_free(m);
}

/* ---- objects come and go ---- */

static void add_object(struct memory *m, const struct event *ev, uint32_t thing, uint64_t origin)
{
	struct event stays = *ev;
	if (ev->kind == EV_REALLOC)
		stays.kind = EV_ALLOC;                  /* what was there before it moved keeps its name */
	m->changes++;
	objects_note(m->live, ev);
	objects_note(m->gone, &stays);
	vec_push(&m->named, ((struct range){ ev->object, ev->object + ev->arg, thing, origin }));
}

static struct stored *store_for(struct memory *m, uint64_t address)
{
	uint64_t *index = map_put(&m->pointers, address, NULL);
	if (!*index) {
		vec_add(&m->stored);
		*index = m->stored.count;
	}
	return &m->stored.at[*index - 1];
}

/* ---- numbers of four bytes ---- */

/* The line of this address; NULL: nothing was written there by four bytes. */
static struct line *line_at(struct memory *m, uint64_t address, bool make)
{
	uint64_t at = address / (4 * HALVES);
	uint32_t *near = &m->line_near[at & (LINES - 1)];
	if (*near && m->lines.at[*near - 1].at == at)
		return &m->lines.at[*near - 1];
	uint64_t *index = make ? map_put(&m->line_of, at, NULL) : map_get(&m->line_of, at);
	if (!index)
		return NULL;
	if (!*index) {
		vec_push(&m->lines, ((struct line){ .at = at }));
		*index = m->lines.count;
	}
	*near = (uint32_t)*index;
	return &m->lines.at[*near - 1];
}

void memory_wrote_half(struct memory *m, uint64_t address, uint32_t value)
{
	unsigned half = address / 4 % HALVES;
	if (address % 4)
		return;
	struct line *line = line_at(m, address, true);
	line->halves[half] = value;
	line->written |= 1u << half;
}

static void wrote_halves(struct memory *m, uint64_t address, uint64_t word)
{
	memory_wrote_half(m, address, (uint32_t)word);
	memory_wrote_half(m, address + 4, (uint32_t)(word >> 32));
}

/* Is the word there two numbers, both written by themselves? */
static bool has_halves(struct memory *m, uint64_t address, uint64_t *word)
{
	const struct line *line = address % 8 ? NULL : line_at(m, address, false);
	unsigned half = address / 4 % HALVES;
	if (!line || (line->written >> half & 3) != 3)
		return false;
	*word = line->halves[half] | (uint64_t)line->halves[half + 1] << 32;
	return true;
}

/* One key of two pointers: what lies near each other must not fall together. */
static uint64_t mixed(uint64_t place, uint64_t name)
{
	uint64_t hash = place * 0x9e3779b97f4a7c15ull;
	hash = ((hash ^ hash >> 29) + name) * 0xbf58476d1ce4e5b9ull;
	return hash ^ hash >> 32;
}

uint32_t memory_place(struct memory *m, const struct event *ev)
{
	struct recent *r = &m->recent[((uint64_t)ev->place >> 4 ^ (uint64_t)ev->place >> 12) & (RECENT - 1)];
	bool fresh;
	if (r->place == ev->place && r->name == ev->name)
		return r->number;
	uint64_t *number = map_put(&m->places, mixed((uint64_t)ev->place, (uint64_t)ev->name), &fresh);
	if (fresh)
		*number = book_place(m->book, ev->place, ev->name);
	*r = (struct recent){ ev->place, ev->name, (uint32_t)*number };
	return r->number;
}

/* What this thread got now is not what it once read from there. */
static void forget_held(struct memory *m, const struct event *ev)
{
	struct stored *held = m->threads[ev->thread.i].held;
	for (unsigned i = 0; i < HELD; i++)
		if (held[i].value - ev->object <= ev->arg)
			held[i] = (struct stored){ 0 };
}

/* Bytes went from one place to another, or came from nowhere (from 0): so did the pointers in them. */
static void move_pointers(struct memory *m, uint64_t to, uint64_t from, uint64_t bytes)
{
	for (uint64_t at = (to + 7) & ~7ull; (m->pointers.count || m->lines.count) && bytes >= 8 && at - to <= bytes - 8 && at - to < MOVED_MOST; at += 8) {
		uint64_t *source = from ? map_get(&m->pointers, at - to + from) : NULL, *target = map_get(&m->pointers, at);
		struct stored moved = source ? m->stored.at[*source - 1] : (struct stored){ 0 };
		uint64_t halves;
		if (from && m->lines.count && has_halves(m, at - to + from, &halves))
			wrote_halves(m, at, halves);
		if (target)
			m->stored.at[*target - 1] = moved;
		else if (source)
			*store_for(m, at) = moved;
	}
}

/* The n-th one this thread made here; calls from files not built with raddle are told apart by where in the file they stand. */
static uint32_t new_thing(struct memory *m, const struct event *ev, enum named_kind kind)
{
	struct event at = *ev;
	struct named named = { .kind = kind, .text = m->threads[ev->thread.i].path };
	at.name = NULL;
	named.place = memory_place(m, &at);
	named.nth = ++*map_put(&m->threads[ev->thread.i].made, (uint64_t)named.place << 8 | (uint64_t)kind, NULL);
	return book_thing(m->book, named);
}

/* The same object, wherever it lies now. */
static uint32_t moved_thing(struct memory *m, const struct event *ev)
{
	uint64_t old = 0;
	if (ev->byte_count >= 8)
		memcpy(&old, ev->bytes, 8);
	const struct stored *freed = &m->threads[ev->thread.i].freed;
	if (old && old != ev->object && freed->value == old)
		return freed->spot.thing;               /* it moved: given back a moment ago */
	const struct object *was = old ? objects_at(m->live, old) : NULL;
	return was && was->start == old ? m->named.at[was->id].thing : new_thing(m, ev, NAMED_HEAP);
}

void memory_note(struct memory *m, const struct event *ev)
{
	struct event noted = *ev;
	uint64_t from = 0;
	noted.arg = ev->arg ? ev->arg : 1;
	if (ev->kind == EV_ALLOC || ev->kind == EV_REALLOC || ev->kind == EV_MAP)
		forget_held(m, &noted);
	switch (ev->kind) {
	case EV_ALLOC:
		if (ev->object)
			add_object(m, &noted, new_thing(m, ev, NAMED_HEAP), ev->object);
		break;
	case EV_REALLOC:
		if (ev->object)
			add_object(m, &noted, moved_thing(m, ev), ev->object);
		break;
	case EV_MAP:
		if (ev->object)
			add_object(m, &noted, new_thing(m, ev, NAMED_MAP), ev->object);
		break;
	case EV_FREE: case EV_UNMAP:
		m->threads[ev->thread.i].freed = (struct stored){ ev->object, memory_at(m, ev->object) };
		m->changes++;
		objects_note(m->live, ev);
		break;
	case EV_COPY:
		if (ev->byte_count >= 8)
			memcpy(&from, ev->bytes, 8);
		move_pointers(m, ev->object, from, ev->arg);
		break;
	case EV_LIBWRITE: case EV_INPUT:
		move_pointers(m, ev->object, 0, ev->arg);
		break;
	case EV_FORK:
		m->threads[ev->thread.i].children++;
		if (ev->object < m->thread_count && ev->object != ev->thread.i)
			thread_comes(m, (uint32_t)ev->object);
		break;
	}
}

/* ---- what lies there ---- */

static bool in_range(const struct range *r, uint64_t address)
{
	return address >= r->low && address < r->high;
}

static struct spot spot_in(const struct range *r, uint64_t address)
{
	return (struct spot){ r->thing, address - r->origin };
}

static struct spot in_file(struct memory *m, const struct loaded_file *f, uint64_t address)
{
	struct range *kept = &m->ranges[address >> 6 & (RANGES - 1)];
	uint64_t start, bytes;
	if (in_range(kept, address))
		return spot_in(kept, address);
	const char *symbol = trace_symbol_range(m->trace, address, &start, &bytes);
	if (!symbol || start < f->low || start >= f->high)
		return (struct spot){ f->thing, address - f->base };
	struct named named = { .kind = NAMED_GLOBAL, .text = book_text(m->book, trace_shown(m->trace, symbol)), .place = 0, .nth = start - f->base };
	*kept = (struct range){ start, start + bytes, book_thing(m->book, named), start };
	return in_range(kept, address) ? spot_in(kept, address) : (struct spot){ f->thing, address - f->base };
}

/* Inside, or one past the end. */
static bool in_objects(const struct memory *m, const struct objects *all, uint64_t address, struct spot *out)
{
	const struct object *o = objects_at(all, address);
	if (!o && (o = objects_at(all, address - 1)) && address - o->start != o->bytes)
		o = NULL;
	if (!o || o->id >= m->named.count)
		return false;
	*out = spot_in(&m->named.at[o->id], address);
	return true;
}

static bool is_in_files(const struct memory *m, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < m->files.count; i++)
		if (low < m->files.at[i].high && high > m->files.at[i].low)
			return true;
	return m->strings.thing && low < m->strings.high && high > m->arguments.low;
}

static void keep_near(struct memory *m, struct near *near, uint64_t address)
{
	uint64_t low, high;
	const struct object *o = objects_around(m->live, address, &low, &high);
	if (!o || o->id >= m->named.count || is_in_files(m, low, high))
		return;
	const struct range *named = &m->named.at[o->id];
	*near = (struct near){ { low, high, named->thing, named->origin }, m->changes };
}

static bool find_far(struct memory *m, uint64_t address, struct spot *out)
{
	for (size_t i = 0; i < m->files.count; i++)
		if (address >= m->files.at[i].low && address < m->files.at[i].high) {
			if (address == m->files.at[i].low && in_objects(m, m->live, address, out))
				return true;            /* the end of what lies in front of it: nobody points to a file's head */
			*out = in_file(m, &m->files.at[i], address);
			return true;
		}
	if (m->strings.thing && address >= m->arguments.low && address < m->strings.high) {
		*out = spot_in(address < m->arguments.high ? &m->arguments : &m->strings, address);
		return true;
	}
	return in_objects(m, m->live, address, out) || in_objects(m, m->gone, address, out);
}

static inline bool find(struct memory *m, uint64_t address, struct spot *out)
{
	struct near *near = &m->near[address >> 6 & (NEAR - 1)];
	if (near->when != m->changes || !in_range(&near->range, address)) {
		keep_near(m, near, address);
		if (near->when != m->changes || !in_range(&near->range, address))
			return find_far(m, address, out);
	}
	*out = spot_in(&near->range, address);
	return true;
}

struct spot memory_at(struct memory *m, uint64_t address)
{
	struct spot spot = { 0, address };
	if (address >= LOWEST)
		find(m, address, &spot);
	return spot;
}

static bool may_point(uint64_t value)
{
	return value >= LOWEST && value >> 47 == 0;
}

struct spot memory_value(struct memory *m, uint64_t value)
{
	struct spot spot = { 0, value };
	if (may_point(value))
		find(m, value, &spot);
	return spot;
}

static struct stored *held(struct memory *m, struct thread_id by, uint64_t value)
{
	return &m->threads[by.i].held[(value * 0x9e3779b97f4a7c15ull >> 60) & (HELD - 1)];
}

struct spot memory_read(struct memory *m, struct thread_id by, uint64_t address, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	uint64_t *index = map_get(&m->pointers, address);
	const struct stored *s = index ? &m->stored.at[*index - 1] : NULL;
	struct spot spot = s && s->value == value ? s->spot : memory_value(m, value);
	uint64_t halves;
	if (!spot.thing)
		return spot;
	if (!(s && s->value == value) && has_halves(m, address, &halves) && halves == value)
		spot = (struct spot){ 0, value };
	*held(m, by, value) = (struct stored){ value, spot };
	return spot;
}

struct spot memory_register(struct memory *m, struct thread_id by, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	struct stored *h = held(m, by, value);
	struct spot spot = h->value == value ? h->spot : memory_value(m, value);
	if (spot.thing)
		*h = (struct stored){ value, spot };
	return spot;
}

struct spot memory_wrote(struct memory *m, struct thread_id by, uint64_t address, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	struct spot spot = memory_register(m, by, value);
	if (!spot.thing) {
		if (held(m, by, value)->value == value)
			wrote_halves(m, address, value);        /* it was two numbers where it was read */
		return spot;
	}
	*store_for(m, address) = (struct stored){ value, spot };
	return spot;
}

struct spot memory_thread(struct memory *m, uint64_t index)
{
	if (index >= m->thread_count)
		return (struct spot){ 0, 0 };
	return (struct spot){ m->threads[index].thread_thing, 0 };
}

struct spot memory_child(struct memory *m, struct thread_id parent)
{
	char path[512];
	const struct thread_memory *t = &m->threads[parent.i];
	snprintf(path, sizeof path, "%s_%" PRIu32, book_say(m->book, t->path), t->children - 1);
	uint32_t thing = book_thing(m->book, (struct named){ .kind = NAMED_THREAD, .text = book_text(m->book, path) });
	return (struct spot){ thing, 0 };
}

bool memory_is_foreign(const struct memory *m, uint64_t code)
{
	for (size_t i = 0; code && i < m->files.count; i++)
		if (code >= m->files.at[i].low && code < m->files.at[i].high)
			return !m->files.at[i].instrumented;
	return false;
}
