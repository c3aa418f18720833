/* analyses/epa/memory.c -- see memory.h.
 *
 * Live objects are trace/objects.h's, those that ever were and those a thread has heard of known.h's; what each is called hangs on its id.  Globals are found
 * by symbol.  Tables that are kept small by address (near, ranges, recent, line_near) only save looking again: what is not in them is found all the same. */
#include "analyses/epa/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/known.h"
#include "base/str.h"
#include "wire/ring.h"

#define RANGES   256u                           /* of globals, kept by address */
#define NEAR     256u                           /* pieces of live objects, kept by address */
#define PAGES    64u
#define PAGE     4096ull
#define RECENT   1024u
#define NO_ID    UINT32_MAX                     /* it lies in no object */
#define LOWEST   65536ull                       /* nothing lies below */
#define MOVED_MOST 65536ull                     /* bytes of one copy in which pointers are followed */
#define HALVES   16u                            /* of a word, in a line */
#define LINES    256u                           /* of halves, kept by address */
#define OPENING  8u                             /* events in which a thread says where its memory is */

struct range { uint64_t low, high; uint32_t thing, id; uint64_t origin; };      /* offset = address - origin */
struct near { struct range range; uint64_t when; };                             /* good as long as changes is that */
struct named_spot { uint32_t thing, id; uint64_t offset; };                     /* and the object it is in, or NO_ID */
struct stored { uint64_t value; struct named_spot is; };                        /* a pointer in memory */
struct held { uint32_t when; struct named_spot is; };                           /* good until known has something newer there */
struct line { uint64_t at; uint32_t halves[HALVES]; uint32_t written; };        /* what was written by four bytes there: one bit a half */
struct recent { const struct place *place; const char *name; uint32_t number; };
struct loaded_file { uint64_t low, high, base; uint32_t thing, text; bool instrumented; };

struct thread_memory {
	uint32_t path, thread_thing;
	bool has_stack, has_tls;
	struct event stack, tls;
	struct map made;                        /* place -> how many objects it made there */
	struct known known;                     /* objects it made or read pointers to */
	struct near near[NEAR];                 /* what it calls some pieces of them */
	uint64_t changes[PAGES];                /* of known, by page, counted from 1 */
	struct map held;                        /* value -> index in kept + 1, 0 none: values it read last that known has another name for */
	VEC(struct held) kept;
	struct stored freed;                    /* the block it gave back last */
	uint64_t moved_to;                      /* where realloc moved a block a moment ago */
	const char *called;                     /* a function that has not returned anything yet */
	uint32_t children;                      /* it made so far */
	bool stack_lies, tls_lies;              /* there since it said so, or since it was made */
	uint32_t tls_id;                        /* what its handle is in, for who reads that before the thread says anything; NO_ID none */
	uint64_t wrote_at;                      /* where libc wrote a word for it a moment ago: a handle, if it makes a thread now; 0 */
};

struct memory {
	struct trace *trace;
	struct names_book *book;
	struct objects *live;
	struct known gone;                      /* what lay there last, and */
	VEC(uint32_t) leaving;                  /* what is to be put there before it is asked */
	VEC(struct range) named;                /* by id of the object */
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
	struct map handles;                     /* where libc put the handle of a thread -> its number + 1 */
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
	m->arguments = (struct range){ stack, strings, book_thing(m->book, (struct named){ .kind = NAMED_ARGUMENTS }), NO_ID, stack };
	m->strings = (struct range){ strings, strings + MAIN_UNIT * 16, book_thing(m->book, (struct named){ .kind = NAMED_STRINGS }), NO_ID, strings };
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

static void add_object(struct memory *m, uint32_t by, const struct event *ev, uint32_t thing, uint64_t origin);

static void stack_comes(struct memory *m, uint32_t i)
{
	struct thread_memory *t = &m->threads[i];
	uint64_t top = i == 0 && m->main_top ? m->main_top : t->stack.object + t->stack.arg;
	if (t->has_stack && !t->stack_lies)
		add_object(m, i, &t->stack, book_thing(m->book, (struct named){ .kind = NAMED_STACK, .text = t->path }), top);
	t->stack_lies = true;
}

static struct range tls_range(struct memory *m, const struct thread_memory *t)
{
	uint64_t end = t->tls.object > UINT64_MAX - t->tls.arg ? UINT64_MAX : t->tls.object + t->tls.arg;
	return (struct range){ t->tls.object, end, book_thing(m->book, (struct named){ .kind = NAMED_TLS, .text = t->path }), NO_ID, end };
}

static void tls_comes(struct memory *m, uint32_t i)
{
	struct thread_memory *t = &m->threads[i];
	if (t->has_tls && !t->tls_lies) {
		struct range r = tls_range(m, t);
		add_object(m, i, &t->tls, r.thing, r.origin);
	}
	t->tls_lies = true;
}

static void thread_comes(struct memory *m, uint32_t i)
{
	stack_comes(m, i);
	tls_comes(m, i);
}

/* A thread is made.  Natively that is told before libc looks for a stack, which may be that of one that has not ended by then: what it has lies
 * there when it says so, in the order memory is given out; its handle has a name at once. */
static void thread_made(struct memory *m, uint64_t handle_at, uint32_t child)
{
	struct thread_memory *t = &m->threads[child];
	if (trace_order(m->trace) == ORDER_TOTAL) {
		thread_comes(m, child);
		return;
	}
	if (!t->has_tls || t->tls_id != NO_ID)
		return;
	struct range r = tls_range(m, t);
	r.id = t->tls_id = objects_pass(m->live);
	check(r.id == m->named.count);
	vec_push(&m->named, r);
	if (handle_at)
		*map_put(&m->handles, handle_at, NULL) = child + 1;
}

/* Is this word the handle of a thread, as libc put it there? */
static bool is_handle(struct memory *m, uint64_t address, uint64_t value, struct named_spot *out)
{
	const uint64_t *child = m->handles.count ? map_get(&m->handles, address) : NULL;
	const struct range *r = child && *child ? &m->named.at[m->threads[*child - 1].tls_id] : NULL;
	if (!r || value < r->low || value >= r->high)
		return false;
	*out = (struct named_spot){ r->thing, r->id, value - r->origin };
	return true;
}

int memory_open(struct memory **out, struct trace *t, struct names_book *b, struct err *why)
{
	struct memory *m = mem_take(sizeof *m);
	int got = 0;
	m->changes = 1;
	m->trace = t;
	m->book = b;
	m->live = objects_new(t);
	m->thread_count = trace_thread_count(t);
	m->threads = mem_take((m->thread_count + 1u) * sizeof *m->threads);
	for (uint32_t i = 0; i < m->thread_count; i++)
		m->threads[i].tls_id = NO_ID;
	for (uint32_t i = 0; i < m->thread_count * PAGES; i++)
		m->threads[i / PAGES].changes[i % PAGES] = 1;
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
	for (uint32_t i = 0; i < m->thread_count; i++) {
		map_release(&m->threads[i].made);
		map_release(&m->threads[i].held);
		vec_release(&m->threads[i].kept);
		known_release(&m->threads[i].known);
	}
	mem_free(m->threads);
	objects_free(m->live);
	known_release(&m->gone);
	vec_release(&m->leaving);
	vec_release(&m->named);
	vec_release(&m->files);
	map_release(&m->pointers);
	vec_release(&m->stored);
	map_release(&m->handles);
	map_release(&m->line_of);
	vec_release(&m->lines);
	map_release(&m->places);
	mem_free(m);
}

/* ---- objects come and go ---- */

static void learn(struct memory *m, struct thread_memory *t, uint32_t id)
{
	uint64_t low = m->named.at[id].low, high = m->named.at[id].high, pages = high / PAGE - low / PAGE + 1;  /* the one it ends in front of, too */
	known_put(&t->known, low, high, id);
	for (uint64_t i = 0; i < pages && i < PAGES; i++)
		t->changes[(low / PAGE + i) % PAGES]++;
}

/* Who makes an object knows it; what was there before it moved or went keeps its name for who does not. */
static void add_object(struct memory *m, uint32_t by, const struct event *ev, uint32_t thing, uint64_t origin)
{
	uint32_t id = (uint32_t)m->named.count;
	uint64_t end = ev->object > UINT64_MAX - ev->arg ? UINT64_MAX : ev->object + ev->arg;
	m->changes++;
	objects_note(m->live, ev);
	vec_push(&m->named, ((struct range){ ev->object, end, thing, id, origin }));
	learn(m, &m->threads[by], id);
}

static struct named_spot value_now(struct memory *m, uint64_t value);

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
		return freed->is.thing;                 /* it moved: given back a moment ago */
	const struct object *was = old ? objects_at(m->live, old) : NULL;
	return was && was->start == old ? m->named.at[was->id].thing : new_thing(m, ev, NAMED_HEAP);
}

static void goes(struct memory *m, uint64_t start)
{
	const struct object *o = start ? objects_at(m->live, start) : NULL;
	if (o && o->start == start && o->id < m->named.count)
		vec_push(&m->leaving, o->id);
}

/* What was in a block goes with it. */
static void move_block(struct memory *m, const struct event *ev)
{
	uint64_t old = 0;
	if (ev->byte_count >= 8)
		memcpy(&old, ev->bytes, 8);
	goes(m, old);
	if (old == ev->object)
		return;
	move_pointers(m, ev->object, old, ev->arg);
	m->threads[ev->thread.i].moved_to = ev->object;
}

/* Memory nobody has written yet: what is known of these bytes is of another object. */
static void add_fresh(struct memory *m, const struct event *ev, enum named_kind kind)
{
	add_object(m, ev->thread.i, ev, new_thing(m, ev, kind), ev->object);
	move_pointers(m, ev->object, 0, ev->arg);
}

void memory_note(struct memory *m, const struct event *ev)
{
	struct thread_memory *t = &m->threads[ev->thread.i];
	struct event noted = *ev;
	uint64_t from = 0, moved_to = t->moved_to, wrote_at = t->wrote_at;
	noted.arg = ev->arg ? ev->arg : 1;
	t->moved_to = t->wrote_at = 0;
	switch (ev->kind) {
	case EV_ALLOC: case EV_MAP:
		if (ev->kind == EV_MAP)                 /* what lies there, as one that grew where it is, is another now, as if it had moved */
			goes(m, ev->object);
		if (ev->object)
			add_fresh(m, &noted, ev->kind == EV_MAP ? NAMED_MAP : NAMED_HEAP);
		break;
	case EV_REALLOC:
		if (ev->object) {
			uint32_t thing = moved_thing(m, ev);
			move_block(m, ev);
			add_object(m, ev->thread.i, &noted, thing, ev->object);
		}
		break;
	case EV_FREE: case EV_UNMAP:
		t->freed = (struct stored){ ev->object, value_now(m, ev->object) };
		m->changes++;
		goes(m, ev->object);
		objects_note(m->live, ev);
		break;
	case EV_COPY:
		if (ev->byte_count >= 8)
			memcpy(&from, ev->bytes, 8);
		move_pointers(m, ev->object, from, ev->arg);
		break;
	case EV_LIBWRITE: case EV_INPUT:
		if (ev->object != moved_to)
			move_pointers(m, ev->object, 0, ev->arg);
		t->wrote_at = ev->kind == EV_LIBWRITE && ev->arg == 8 ? ev->object : 0;
		break;
	case EV_STACK:
		stack_comes(m, ev->thread.i);
		break;
	case EV_TLS:
		tls_comes(m, ev->thread.i);
		break;
	case EV_CALL:
		t->called = ev->name;
		break;
	case EV_ENTER:
		t->called = NULL;
		break;
	case EV_FORK:
		t->children++;
		if (ev->object < m->thread_count && ev->object != ev->thread.i)
			thread_made(m, wrote_at, (uint32_t)ev->object);
		break;
	}
}

/* ---- what lies there ---- */

static bool in_range(const struct range *r, uint64_t address)
{
	return address >= r->low && address < r->high;
}

static struct named_spot spot_in(const struct range *r, uint64_t address)
{
	return (struct named_spot){ r->thing, r->id, address - r->origin };
}

static struct named_spot in_file(struct memory *m, const struct loaded_file *f, uint64_t address)
{
	struct range *kept = &m->ranges[address >> 6 & (RANGES - 1)];
	uint64_t start, bytes;
	if (in_range(kept, address))
		return spot_in(kept, address);
	const char *symbol = trace_symbol_range(m->trace, address, &start, &bytes);
	if (!symbol || start < f->low || start >= f->high)
		return (struct named_spot){ f->thing, NO_ID, address - f->base };
	struct named named = { .kind = NAMED_GLOBAL, .text = book_text(m->book, trace_shown(m->trace, symbol)), .place = 0, .nth = start - f->base };
	*kept = (struct range){ start, start + bytes, book_thing(m->book, named), NO_ID, start };
	return in_range(kept, address) ? spot_in(kept, address) : (struct named_spot){ f->thing, NO_ID, address - f->base };
}

static struct named_spot spot_of(const struct memory *m, uint32_t id, uint64_t address)
{
	const struct range *named = &m->named.at[id];
	return (struct named_spot){ named->thing, id, address - named->origin };
}

/* Inside, or one past the end. */
static bool in_live(const struct memory *m, uint64_t address, struct named_spot *out)
{
	const struct object *o = objects_at(m->live, address);
	if (!o && (o = objects_at(m->live, address - 1)) && address - o->start != o->bytes)
		o = NULL;
	if (!o || o->id >= m->named.count)
		return false;
	*out = spot_of(m, o->id, address);
	return true;
}

static bool in_known(const struct memory *m, const struct known *k, uint64_t address, struct named_spot *out)
{
	struct known_part part;
	if (!known_at(k, address, &part) && !(known_at(k, address - 1, &part) && m->named.at[part.id].high == address))
		return false;
	*out = spot_of(m, part.id, address);
	return true;
}

static bool in_gone(struct memory *m, uint64_t address, struct named_spot *out)
{
	for (size_t i = 0; i < m->leaving.count; i++) {
		const struct range *left = &m->named.at[m->leaving.at[i]];
		known_put(&m->gone, left->low, left->high, left->id);
	}
	vec_clear(&m->leaving);
	return in_known(m, &m->gone, address, out);
}

/* Globals never move: near, too, for who points there. */
static void keep_file(struct memory *m, struct thread_memory *t, uint64_t address)
{
	const struct range *kept = &m->ranges[address >> 6 & (RANGES - 1)];
	if (in_range(kept, address))
		t->near[address >> 6 & (NEAR - 1)] = (struct near){ *kept, t->changes[address / PAGE % PAGES] };
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
	*near = (struct near){ { low, high, named->thing, named->id, named->origin }, m->changes };
}

static bool find_far(struct memory *m, uint64_t address, struct named_spot *out)
{
	for (size_t i = 0; i < m->files.count; i++)
		if (address >= m->files.at[i].low && address < m->files.at[i].high) {
			if (address == m->files.at[i].low && in_live(m, address, out))
				return true;            /* the end of what lies in front of it: nobody points to a file's head */
			*out = in_file(m, &m->files.at[i], address);
			return true;
		}
	if (m->strings.thing && address >= m->arguments.low && address < m->strings.high) {
		*out = spot_in(address < m->arguments.high ? &m->arguments : &m->strings, address);
		return true;
	}
	return in_live(m, address, out) || in_gone(m, address, out);
}

static inline bool find(struct memory *m, uint64_t address, struct named_spot *out)
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

static struct spot told(struct named_spot is)
{
	return (struct spot){ is.thing, is.offset };
}

struct spot memory_at(struct memory *m, uint64_t address)
{
	struct named_spot is = { 0, NO_ID, address };
	if (address >= LOWEST)
		find(m, address, &is);
	return told(is);
}

static bool may_point(uint64_t value)
{
	return value >= LOWEST && value >> 47 == 0;
}

static struct named_spot number(uint64_t value)
{
	return (struct named_spot){ 0, NO_ID, value };
}

/* What lies there now, whoever asks. */
static struct named_spot value_now(struct memory *m, uint64_t value)
{
	struct named_spot is = number(value);
	if (may_point(value))
		find(m, value, &is);
	return is;
}

struct spot memory_value(struct memory *m, uint64_t value)
{
	return told(value_now(m, value));
}

/* ---- what a thread calls it ---- */

static bool same_spot(struct named_spot a, struct named_spot b)
{
	return a.thing == b.thing && a.offset == b.offset;
}

static bool is_live(const struct memory *m, uint32_t id)
{
	const struct object *o = id == NO_ID ? NULL : objects_at(m->live, m->named.at[id].low);
	return o && o->id == id;
}

static void hold(struct thread_memory *t, uint64_t value, struct named_spot is)
{
	uint64_t *index = map_put(&t->held, value, NULL);
	if (!*index) {
		vec_add(&t->kept);
		*index = t->kept.count;
	}
	t->kept.at[*index - 1] = (struct held){ t->known.when, is };
}

static void let_go(struct thread_memory *t, uint64_t value)
{
	uint64_t *index = map_get(&t->held, value);
	if (index && *index)
		t->kept.at[*index - 1] = (struct held){ 0, number(0) };
}

/* Does it hold a value it read, other than what it knows there by now? */
static bool is_held(const struct thread_memory *t, uint64_t value, struct named_spot *out)
{
	const uint64_t *index = map_get(&t->held, value);
	struct known_part part;
	if (!index || !*index)
		return false;
	const struct held *h = &t->kept.at[*index - 1];
	if (!h->is.offset && !h->is.thing)
		return false;
	if (known_at(&t->known, value, &part) && part.when > h->when)
		return false;
	*out = h->is;
	return true;
}

/* Is there the end of an object the thread knows? */
static bool ends_at(const struct memory *m, const struct thread_memory *t, uint64_t address, uint32_t *id)
{
	struct known_part part;
	if (!known_at(&t->known, address - 1, &part) || m->named.at[part.id].high != address)
		return false;
	*id = part.id;
	return true;
}

/* The object the thread has heard of, if it has; kept near, as globals are. */
static bool find_known(struct memory *m, struct thread_memory *t, uint64_t value, struct named_spot *out)
{
	struct near *near = &t->near[value >> 6 & (NEAR - 1)];
	struct known_part part;
	uint32_t in_front = NO_ID;
	if (near->when == t->changes[value / PAGE % PAGES] && in_range(&near->range, value)) {
		*out = spot_in(&near->range, value);
		return true;
	}
	if (!known_at(&t->known, value, &part)) {
		bool ends = ends_at(m, t, value, &in_front) && !is_in_files(m, value, value + 1);
		*out = ends ? spot_of(m, in_front, value) : *out;
		return ends;
	}
	const struct range *named = &m->named.at[part.id];
	bool ends = ends_at(m, t, part.first, &in_front), beside = is_in_files(m, part.first, part.last + 1);
	if (beside && is_in_files(m, value, value + 1))
		return false;
	if (!beside)
		*near = (struct near){ { part.first + ends, part.last + 1, named->thing, part.id, named->origin }, t->changes[value / PAGE % PAGES] };
	ends = ends && value == part.first && is_live(m, in_front) && !is_live(m, part.id);
	*out = spot_of(m, ends ? in_front : part.id, value);            /* the end of what is there rather than something that is not */
	return true;
}

/* It has this pointer from memory, or from a function nobody watches: from now on that is what lies there, unless it is a pointer to something that is gone. */
static void hear(struct memory *m, struct thread_memory *t, uint64_t value, struct named_spot is)
{
	struct named_spot knew = number(value);
	bool known = find_known(m, t, value, &knew);
	if (t->held.count)
		let_go(t, value);
	if (known && same_spot(knew, is))
		return;
	if (is.id != NO_ID && (!known || is_live(m, is.id)))
		learn(m, t, is.id);
	else if (known || !is.thing)
		hold(t, value, is);
}

struct spot memory_read(struct memory *m, struct thread_id by, uint64_t address, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	uint64_t *index = map_get(&m->pointers, address);
	const struct stored *s = index ? &m->stored.at[*index - 1] : NULL;
	bool is_kept = s && s->value == value;
	struct named_spot is;
	uint64_t halves;
	if (is_kept)
		is = s->is;
	else if (!is_handle(m, address, value, &is))
		is = value_now(m, value);
	if (!is.thing)
		return told(is);
	if (!is_kept && has_halves(m, address, &halves) && halves == value)
		is = number(value);
	hear(m, &m->threads[by.i], value, is);
	return told(is);
}

static struct named_spot register_of(struct memory *m, struct thread_memory *t, uint64_t value)
{
	struct named_spot is = number(value);
	if (t->held.count && is_held(t, value, &is))
		return is;
	if (find_known(m, t, value, &is) || !find(m, value, &is))
		return is;
	if (is.id != NO_ID)
		learn(m, t, is.id);
	else
		keep_file(m, t, value);
	return is;
}

struct spot memory_register(struct memory *m, struct thread_id by, uint64_t value)
{
	return may_point(value) ? told(register_of(m, &m->threads[by.i], value)) : (struct spot){ 0, value };
}

static bool is_of(const char *name, const char *called)         /* strdup is called raddle_lib_strdup where it is watched */
{
	size_t length = strlen(name), end = strlen(called);
	return length >= end && !strcmp(name + length - end, called);
}

struct spot memory_result(struct memory *m, struct thread_id by, const char *name, uint64_t value)
{
	struct thread_memory *t = &m->threads[by.i];
	const char *called = t->called;
	t->called = NULL;
	if (!may_point(value))
		return (struct spot){ 0, value };
	struct named_spot is = called && name && is_of(name, called) ? value_now(m, value) : number(value);
	if (is_live(m, is.id))
		hear(m, t, value, is);
	return told(register_of(m, t, value));
}

struct spot memory_wrote(struct memory *m, struct thread_id by, uint64_t address, uint64_t value)
{
	if (!may_point(value))
		return (struct spot){ 0, value };
	struct named_spot is = register_of(m, &m->threads[by.i], value), two;
	if (is.thing)
		*store_for(m, address) = (struct stored){ value, is };
	else if (is_held(&m->threads[by.i], value, &two))
		wrote_halves(m, address, value);                /* it was two numbers where it was read */
	return told(is);
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
