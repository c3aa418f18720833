/* drive/races.c -- see races.h: threads, and which event touches what.
 *
 * Memory that becomes somebody else's (allocated, mapped, the stack of a new thread) is forgotten: what was done to it before is
 * of another object.  Giving it back is a write of all of it. */
#include <string.h>

#include "drive/races_inside.h"
#include "wire/ring.h"

#define ACCESSES (4u << 20)
#define CHUNKS   (1u << 18)
#define A_WORD   12u
#define EDGES    (64u << 20)
#define PAIRS    1000u
#define LIBRARY_MAX (64ull << 20)       /* bytes of one library call that are looked at */

static uint32_t or_else(uint32_t given, uint32_t otherwise)
{
	return given ? given : otherwise;
}

struct races *races_new(const struct race_limits *limits, const struct race_names *names)
{
	struct race_limits l = limits ? *limits : (struct race_limits){ 0 };
	struct races *r = mem_take(sizeof *r);
	r->limits = (struct race_limits){ or_else(l.accesses, ACCESSES), or_else(l.chunks, CHUNKS), or_else(l.a_word, A_WORD),
		or_else(l.edges, EDGES), or_else(l.pairs, PAIRS) };
	r->objects = objects_new(NULL);
	if (names)
		r->names = *names;
	r->held = held_new();
	races_begin(r);
	return r;
}

/* Everything but what was found. */
static void forget_run(struct races *r)
{
	clocks_clear(&r->clocks);
	links_clear(&r->links);
	r->racer_count = 0;
	r->dead = NONE;
	objects_clear(r->objects);
	vec_clear(&r->seen);
	r->seen_spare = r->last_chunk = NONE;
	r->seen_live = r->hand = 0;
	vec_clear(&r->chunks);
	vec_clear(&r->chunk_spare);
	slots_clear(&r->chunk_index);
	vec_clear(&r->syncs);
	vec_clear(&r->sync_spare);
	slots_clear(&r->sync_index);
	held_clear(r->held);
	vec_clear(&r->held_back);
	vec_clear(&r->held_spare);
	memset(r->signals, 255, sizeof r->signals);
	vec_clear(&r->numbers);
	r->unseen = r->events = 0;
	r->stopped = NULL;
}

void races_begin(struct races *r)
{
	forget_run(r);
	pairs_clear(r);
}

void races_next(struct races *r)
{
	pairs_run_ends(r);
	forget_run(r);
}

void races_free(struct races *r)
{
	if (!r)
		return;
	clocks_release(&r->clocks);
	vec_release(&r->links.all);
	slots_release(&r->links.index);
	vec_release(&r->racers);
	objects_free(r->objects);
	vec_release(&r->seen);
	vec_release(&r->chunks);
	vec_release(&r->chunk_spare);
	slots_release(&r->chunk_index);
	vec_release(&r->syncs);
	vec_release(&r->sync_spare);
	slots_release(&r->sync_index);
	pairs_release(r);
	held_free(r->held);
	vec_release(&r->held_back);
	vec_release(&r->held_spare);
	vec_release(&r->numbers);
	mem_free(r);
}

uint64_t races_memory(const struct races *r)
{
	return r->clocks.numbers * sizeof(uint32_t) + r->links.all.room * sizeof(struct link) + r->seen.room * sizeof(struct seen) +
		r->chunks.room * sizeof(struct chunk) + r->syncs.room * sizeof(struct sync) +
		(r->chunk_index.room + r->sync_index.room + r->links.index.room) * (uint64_t)sizeof(struct slot);
}

/* ---------------------------------------------------------------- threads */

/* False: there are too many of them, and nothing more is looked at. */
static bool racer_made(struct races *r, uint32_t thread)
{
	if (thread >= RACERS_MAX) {
		r->stopped = "there are too many threads";
		return false;
	}
	while (r->racer_count <= thread) {
		if (r->racer_count == r->racers.count)
			vec_add(&r->racers);
		r->racers.at[r->racer_count++] = (struct racer){ .maker = NONE };
	}
	struct racer *t = racer(r, thread);
	if (t->known)
		return true;
	*t = (struct racer){ .known = true, .now = clock_take(&r->clocks), .fence = NONE, .loose = NONE, .held = NONE, .stack = NONE,
		.maker = NONE };
	clock_set(&r->clocks, t->now, thread, 1);
	return true;
}

static void next_epoch(struct races *r, uint32_t thread)
{
	uint32_t now = racer(r, thread)->now;
	clock_set(&r->clocks, now, thread, clock_at(&r->clocks, now, thread) + 1);
}

/* Everything this thread has done is known to the other one from here on. */
static void tell(struct races *r, uint32_t thread, uint32_t other)
{
	clock_join(&r->clocks, racer(r, other)->now, racer(r, thread)->now);
	next_epoch(r, thread);
}

static void note_thread(struct races *r, const struct event *ev)
{
	uint32_t thread = ev->thread.i;
	if (ev->kind == EV_END) {
		sync_ended(r, thread);
		racer(r, thread)->ended = true;
		return;
	}
	if (ev->result || ev->object >= RACERS_MAX || ev->object == thread || !racer_made(r, (uint32_t)ev->object))
		return;
	uint32_t other = (uint32_t)ev->object;
	struct racer *o = racer(r, other);
	switch (ev->kind) {
	case EV_FORK:
		o->maker = thread;
		o->made_at = ev->place;
		tell(r, thread, other);
		break;
	case EV_CANCEL:
		if (!o->ended)
			tell(r, thread, other);
		break;
	case EV_JOIN:
		clock_join(&r->clocks, racer(r, thread)->now, o->now);
		break;
	}
}

/* ---------------------------------------------------------------- accesses */

static struct touch touch_of(struct races *r, const struct event *ev, uint8_t how, uint64_t address, uint64_t bytes)
{
	const struct racer *t = racer(r, ev->thread.i);
	return (struct touch){ .thread = ev->thread.i, .clock = clock_at(&r->clocks, t->now, ev->thread.i), .now = t->now,
		.address = address, .bytes = bytes, .place = ev->place, .stack = t->stack, .held = t->held, .nth = ev->points, .how = how,
		.kind = ev->kind };
}

static void touch(struct races *r, const struct event *ev, uint8_t how, uint64_t address, uint64_t bytes)
{
	struct touch t = touch_of(r, ev, how, address, bytes);
	t.waits = how == TOUCH_WRITES && held_plain(r, ev, bytes);
	if (address && bytes)
		bytes_touch(r, &t);
}

static void note_plain(struct races *r, const struct event *ev)
{
	if (!racer(r, ev->thread.i)->ignores)
		touch(r, ev, ev->kind == EV_WRITE ? TOUCH_WRITES : 0, ev->object, ev->size);
	else
		held_plain(r, ev, ev->size);
}

static void note_library(struct races *r, const struct event *ev)
{
	uint64_t from, bytes = ev->arg < LIBRARY_MAX ? ev->arg : LIBRARY_MAX;
	bool writes = ev->kind != EV_LIBREAD && ev->kind != EV_OUTPUT;
	if (ev->kind == EV_INPUT)
		sync_note(r, ev);
	if (racer(r, ev->thread.i)->ignores) {
		held_plain(r, ev, bytes);
		return;
	}
	r->unseen += ev->arg > LIBRARY_MAX;
	if (ev->kind == EV_COPY && ev->byte_count >= 8) {
		memcpy(&from, ev->bytes, 8);
		touch(r, ev, 0, from, bytes);
	}
	touch(r, ev, writes ? TOUCH_WRITES : 0, ev->object, bytes);
}

static void note_atomic(struct races *r, const struct event *ev)
{
	bool writes = ev->kind != EV_ALOAD && !(ev->kind == EV_CAS && ev->failed);
	sync_atomic_reads(r, ev);
	touch(r, ev, writes ? TOUCH_ATOMIC | TOUCH_WRITES : TOUCH_ATOMIC, ev->object, ev->size);
	sync_atomic_writes(r, ev);
}

/* A write of all of a block, as far as anybody has touched it. */
static void over_block(struct races *r, const struct event *ev, uint64_t start, uint64_t bytes)
{
	struct touch t = touch_of(r, ev, TOUCH_WRITES, start, bytes);
	bytes_over_known(r, &t);
}

/* glibc's functions that give back what a thread that has ended had for its thread-local variables: as it ends, when it is
 * joined, and when another thread is made on its stack. */
static bool is_of_dead_thread(const struct event *ev)
{
	static const char *const names[] = { "_dl_deallocate_tls", "pthread_create", "__pthread_create_2_1", "allocate_stack", "get_cached_stack" };
	const struct place *at = ev->place ? place_own(ev->place) : NULL;
	if (!at || at->ordinal != UINT32_MAX)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(at->function, names[i]) || !strcmp(at->linkage, names[i]))
			return true;
	return false;
}

/* Each once: what a thread knew at its end does not change. */
static void count_dead(struct races *r)
{
	if (r->dead == NONE)
		r->dead = clock_take(&r->clocks);
	for (uint32_t i = 0; i < r->racer_count; i++) {
		struct racer *t = racer(r, i);
		if (t->known && t->ended && !t->counted) {
			clock_join(&r->clocks, r->dead, t->now);
			t->counted = true;
		}
	}
}

/* It comes after the end of that thread, which libc waits for, and after the thread that made the block: libc keeps both in order by locks of its own,
 * which order nothing else. */
static void over_dead(struct races *r, const struct event *ev, const struct object *block)
{
	struct touch t = touch_of(r, ev, TOUCH_WRITES, block->start, block->bytes);
	uint32_t all = clock_take(&r->clocks), maker = block->thread.i;
	clock_copy(&r->clocks, all, t.now);
	count_dead(r);
	clock_join(&r->clocks, all, r->dead);
	if (maker < r->racer_count && racer(r, maker)->known)
		clock_join(&r->clocks, all, racer(r, maker)->now);
	t.now = all;
	bytes_over_known(r, &t);
	clock_drop(&r->clocks, all);
}

static void note_object(struct races *r, const struct event *ev)
{
	uint64_t begin = ev->object, bytes = ev->arg, old = 0;
	const struct object *block;
	switch (ev->kind) {
	case EV_FREE:
		block = objects_at(r->objects, ev->object);
		bytes = block && block->start == ev->object && block->kind == OBJECT_HEAP ? block->bytes : 0;
		if (bytes && is_of_dead_thread(ev))
			over_dead(r, ev, block);
		else
			over_block(r, ev, ev->object, bytes);
		break;
	case EV_UNMAP: case EV_LEFT:
		over_block(r, ev, ev->object, bytes);
		break;
	case EV_REALLOC:
		if (ev->byte_count >= 8)
			memcpy(&old, ev->bytes, 8);
		block = objects_at(r->objects, old);
		if (old == ev->object && block && block->start == old) {
			touch(r, ev, TOUCH_WRITES, old, block->bytes < LIBRARY_MAX ? block->bytes : LIBRARY_MAX);
			begin += block->bytes;                          /* what it grew by was somebody else's */
			bytes = bytes > block->bytes ? bytes - block->bytes : 0;
		}
		break;
	}
	bytes_forget(r, begin, bytes);
	objects_note(r->objects, ev);
}

/* The functions a thread is inside of, outermost first. */
static void note_frames(struct races *r, const struct event *ev)
{
	uint32_t row = NONE;
	struct area_frame frame;
	for (uint32_t i = 0; r->names.function && i + sizeof frame <= ev->byte_count; i += sizeof frame) {
		memcpy(&frame, ev->bytes + i, sizeof frame);
		const struct place *function = r->names.function(r->names.who, frame.entered);
		if (function)
			row = link_add(&r->links, row, frame.returns, function);
	}
	racer(r, ev->thread.i)->stack = row;
}

static void note_ignore(struct races *r, const struct event *ev)
{
	struct racer *t = racer(r, ev->thread.i);
	if (ev->arg)
		t->ignores++;
	else if (t->ignores)
		t->ignores--;
}

/* Locks and their like are memory, too: to make or destroy one is a plain write, whatever else is done with it an atomic access.  It comes before what is learnt from it: who locks what another thread initialises is not
 * ordered after that by the lock itself. */
static void note_lock_memory(struct races *r, const struct event *ev)
{
	switch (ev->kind) {
	case EV_LOCKINIT: case EV_LOCKDEAD:
		touch(r, ev, TOUCH_WRITES, ev->object, 1);
		return;
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_CWAIT: case EV_CSIGNAL: case EV_CBROADCAST: case EV_BENTER: case EV_SWAIT: case EV_SPOST:
		touch(r, ev, TOUCH_ATOMIC, ev->object, 1);
		return;
	}
}

void races_note(struct races *r, const struct event *ev)
{
	r->events++;
	if (r->stopped || !racer_made(r, ev->thread.i))
		return;
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: note_plain(r, ev); break;
	case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: note_atomic(r, ev); break;
	case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: case EV_INPUT: case EV_OUTPUT: note_library(r, ev); break;
	case EV_END: case EV_FORK: case EV_JOIN: case EV_CANCEL: note_thread(r, ev); break;
	case EV_ALLOC: case EV_FREE: case EV_REALLOC: case EV_MAP: case EV_UNMAP: case EV_LEFT: case EV_STACK: case EV_TLS: note_object(r, ev); break;
	case EV_FLUSH: held_note(r, ev); break;
	case EV_FRAMES: note_frames(r, ev); break;
	case EV_IGNORE: note_ignore(r, ev); break;
	default:
		if (!ev->in_flight && !racer(r, ev->thread.i)->ignores)
			note_lock_memory(r, ev);
		sync_note(r, ev);
		break;
	}
}

/* ---------------------------------------------------------------- a trace */

static const char *symbol_in(void *trace, uint64_t address, uint64_t *offset)
{
	const char *name = trace_symbol(trace, address, offset);
	return name ? trace_shown(trace, name) : NULL;
}

static const char *path_in(void *trace, uint32_t thread)
{
	return thread < trace_thread_count(trace) ? trace_thread(trace, (struct thread_id){ thread })->path : NULL;
}

static const struct place *function_in(void *trace, uint64_t descriptor)
{
	return trace_function(trace, descriptor);
}

static const struct place *call_in(void *trace, uint64_t returns)
{
	return trace_call_place(trace, returns);
}

/* Of the language's own libraries all that synchronises is watched. */
static bool is_watched(const char *path)
{
	static const char *const watched[] = { "libc.", "ld-linux", "libm.", "libpthread.", "librt.", "libdl.", "libgcc_s.", "libstdc++.", "libraddle-rt.",
		"[vdso]", "linux-vdso" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
		if (!strncmp(name, watched[i], strlen(watched[i])))
			return true;
	return false;
}

/* Libc and runtime are part of the program. */
static bool is_static(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_module_count(t); i++)
		if (strstr(trace_module(t, i)->path, "/libc."))
			return false;
	return true;
}

/* In an object built with raddle it is a function that was not, assembly perhaps. */
const char *race_library(const struct trace *t, uint64_t address)
{
	for (uint32_t i = 0; i < trace_module_count(t); i++) {
		const struct trace_module *m = trace_module(t, i);
		const char *slash = strrchr(m->path, '/');
		if (address < m->low || address >= m->high)
			continue;
		if (m->instrumented)
			return is_static(t) ? NULL : trace_function_at(t, address);
		return is_watched(m->path) ? NULL : slash ? slash + 1 : m->path;
	}
	return NULL;
}

static const char *library_in(void *trace, uint64_t address)
{
	return race_library(trace, address);
}

int races_of_trace(struct trace *t, const struct race_limits *limits, struct race_list *out, struct err *why)
{
	struct race_names names = { t, symbol_in, path_in, function_in, call_in, library_in };
	const struct event *ev;
	struct merged *m;
	int got;
	if (merged_open(&m, t, why) < 0)
		return -1;
	struct races *r = races_new(limits, &names);
	while ((got = merged_next_in_place(m, &ev, why)) > 0)
		races_note(r, ev);
	merged_close(m);
	if (got == 0)
		races_take(r, out);
	races_free(r);
	return got;
}
