/* analyses/epa/memory.c -- see memory.h; what is kept is in memory_inside.h.  Here: where files, arguments and threads lie, and how objects come,
 * move and go. */
#include "analyses/epa/memory_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "wire/ring.h"

#define MOVED_MOST 65536ull                     /* bytes of one copy in which pointers are followed */
#define OPENING  8u                             /* events in which a thread says where its memory is */

#define ARGUMENTS_MOST (MAIN_UNIT * 64)

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
	uint64_t stack = fact(m->trace, "stack_at"), strings = fact(m->trace, "strings_at"), main_to = fact(m->trace, "main_to");
	if (stack < LOWEST || strings <= stack)
		return;
	m->main_top = main_to ? main_to + 1 : main_below(stack);
	uint64_t end = strings - stack > ARGUMENTS_MOST ? stack + ARGUMENTS_MOST : strings;      /* a trace that says memory lies elsewhere has them far apart */
	m->arguments = (struct range){ stack, end, book_thing(m->book, (struct named){ .kind = NAMED_ARGUMENTS }), NO_ID, stack };
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

/* A thread is made.  That is told before libc looks for a stack, which may be that of one that has not ended by then: what it has lies
 * there when it says so, in the order memory is given out; its handle has a name at once. */
static void thread_made(struct memory *m, uint64_t handle_at, uint32_t child)
{
	struct thread_memory *t = &m->threads[child];
	if (!t->has_tls || t->tls_id != NO_ID)
		return;
	struct range r = tls_range(m, t);
	r.id = t->tls_id = objects_pass(m->live);
	check(r.id == m->named.count);
	vec_push(&m->named, r);
	if (handle_at)
		*map_put(&m->handles, handle_at, NULL) = child + 1;
}

/* Is this word the handle of a thread, as libc put it there?  One whose stack is a variable has it in that, which is what everybody calls it. */
bool memory_is_handle(struct memory *m, uint64_t address, uint64_t value, struct named_spot *out)
{
	const uint64_t *child = m->handles.count ? map_get(&m->handles, address) : NULL;
	const struct range *r = child && *child ? &m->named.at[m->threads[*child - 1].tls_id] : NULL;
	if (!r || value < r->low || value >= r->high || memory_is_in_files(m, value, value + 1))
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
	vec_release(&m->left);
	vec_release(&m->named);
	vec_release(&m->files);
	map_release(&m->pointers);
	vec_release(&m->stored);
	map_release(&m->handles);
	halves_release(&m->halves);
	map_release(&m->places);
	mem_free(m);
}

/* ---- objects come and go ---- */

void memory_teach(struct memory *m, struct thread_memory *t, uint32_t id)
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
	memory_teach(m, &m->threads[by], id);
}

struct stored *memory_store_for(struct memory *m, uint64_t address)
{
	uint64_t *index = map_put(&m->pointers, address, NULL);
	if (!*index) {
		vec_add(&m->stored);
		*index = m->stored.count;
	}
	return &m->stored.at[*index - 1];
}

void memory_wrote_half(struct memory *m, uint64_t address, uint32_t value)
{
	halves_put(&m->halves, address, value);
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
	for (uint64_t at = (to + 7) & ~7ull; (m->pointers.count || m->halves.lines.count) && bytes >= 8 && at - to <= bytes - 8 && at - to < MOVED_MOST; at += 8) {
		uint64_t *source = from ? map_get(&m->pointers, at - to + from) : NULL, *target = map_get(&m->pointers, at);
		struct stored moved = source ? m->stored.at[*source - 1] : (struct stored){ 0 };
		uint64_t halves;
		if (from && halves_word(&m->halves, at - to + from, &halves))
			halves_put_word(&m->halves, at, halves);
		if (target)
			m->stored.at[*target - 1] = moved;
		else if (source)
			*memory_store_for(m, at) = moved;
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

static void is_left(struct memory *m, uint32_t id)
{
	while (m->left.count <= id)
		vec_push(&m->left, false);
	m->left.at[id] = true;
}

/* What the thread gives back may be covered by a stack that was laid into it. */
static void goes(struct memory *m, const struct thread_memory *by, uint64_t start)
{
	const struct object *o = start ? objects_at(m->live, start) : NULL;
	struct known_part part;
	if (o && o->start == start && o->id < m->named.count) {
		vec_push(&m->leaving, o->id);
		is_left(m, o->id);
	}
	if (o && (o->kind == OBJECT_STACK || o->kind == OBJECT_TLS) && known_at(&by->known, start, &part) && m->named.at[part.id].low == start)
		is_left(m, part.id);
}

/* What was in a block goes with it. */
static void move_block(struct memory *m, const struct event *ev)
{
	uint64_t old = 0;
	if (ev->byte_count >= 8)
		memcpy(&old, ev->bytes, 8);
	goes(m, &m->threads[ev->thread.i], old);
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
			goes(m, t, ev->object);
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
		t->freed = (struct stored){ ev->object, memory_now(m, ev->object) };
		m->changes++;
		goes(m, t, ev->object);
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

struct spot memory_thread(struct memory *m, uint64_t index)
{
	if (index >= m->thread_count)
		return (struct spot){ 0, 0 };
	return (struct spot){ m->threads[index].thread_thing, 0 };
}

struct spot memory_child(struct memory *m, struct thread_id parent)
{
	char path[512];
	snprintf(path, sizeof path, "%s_%" PRIu32, trace_thread(m->trace, parent)->path, m->threads[parent.i].children - 1);
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
