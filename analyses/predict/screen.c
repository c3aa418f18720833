/* analyses/predict/screen.c -- see screen.h: memory.  Locks: hot.c. */
#include "analyses/predict/screen.h"

#include <errno.h>

#include <string.h>

#include "trace/shadow.h"

#define PAGE_BYTES 4096u
#define PAGE_WATCHES (PAGE_BYTES / 8)
#define RECENT 256u                             /* pages found without asking the map */
#define MANY 63u                                /* the bit of all threads from this on */

enum { SEEN = 1, WRITTEN = 2, MORE_WRITES = 4, CONFLICT = 8, PLAIN = 16, MARKED = 32, ALONE = 64 };       /* ALONE: more is one thread's, */

struct watch {
	uint64_t more;                          /* threads behind the base, one bit each */
	uint32_t base_thread, base_at;
	uint32_t more_thread, more_at;          /* ALONE: this one's, and the last of them stood there */
	uint32_t more_locks;                    /* held by all of them */
	uint32_t all_locks : 24, flags : 8;     /* held by all there ever were */
};
_Static_assert(sizeof(struct watch) == 32, "the state of 8 bytes");

/* What must come before an access: the same whenever it is asked, so it can be asked later. */
static const uint32_t *row_of(const struct screen *s, const struct touch_later *now)
{
	return order_row(s->order, (struct spot){ now->thread, now->at });
}

/* ---- one access ---- */

static uint64_t bit_of(uint32_t thread)
{
	return 1ull << (thread < MANY ? thread : MANY);
}

/* Are all accesses of these threads so far ordered before now? */
static bool all_before(const struct screen *s, const struct watch *w, uint64_t threads, const struct touch_later *now)
{
	const uint32_t *row = row_of(s, now);
	if (w->flags & ALONE)
		return row[w->more_thread] > w->more_at;
	if (threads >> MANY)
		return false;
	for (; threads; threads &= threads - 1) {
		unsigned t = (unsigned)__builtin_ctzll(threads);
		if (row[t] <= s->touched[t])
			return false;
	}
	return true;
}

static inline void base_is(struct watch *w, const struct touch_later *now)
{
	w->base_thread = now->thread;
	w->base_at = now->at;
	w->more = 0;
	w->more_locks = LOCKS_ALL;
	w->flags &= (uint8_t)~(MORE_WRITES | ALONE);
}

/* What both hold; most hold nothing. */
static inline uint32_t meet(struct screen *s, uint32_t a, uint32_t b)
{
	return a && b ? locks_meet(&s->locks, a, b) : 0;
}

static inline void one_more(struct screen *s, struct watch *w, const struct touch_later *now)
{
	if (!w->more)
		w->flags |= ALONE;
	else if (w->more_thread != now->thread)
		w->flags &= (uint8_t)~ALONE;
	w->more |= bit_of(now->thread);
	w->more_thread = now->thread;
	w->more_at = now->at;
	w->more_locks = meet(s, w->more_locks, now->locks);
	if (now->writes)
		w->flags |= MORE_WRITES;
}

/* The state with one access more.  An access is a new base when all are ordered before it; of reads only the first, for a later one says less
 * than the write before it. */
static inline void watch_access(struct screen *s, struct watch *w, const struct touch_later *now)
{
	uint64_t others = w->flags & ALONE && w->more_thread == now->thread ? 0 : now->thread < MANY ? w->more & ~bit_of(now->thread) : w->more;
	bool seen = w->flags & SEEN, after_base = !seen || w->base_thread == now->thread || row_of(s, now)[w->base_thread] > w->base_at;
	if (!seen) {
		base_is(w, now);
		w->all_locks = LOCKS_ALL;
	} else if (!after_base) {
		if ((now->writes || w->flags & WRITTEN) && !meet(s, w->all_locks, now->locks))
			w->flags |= CONFLICT;
		one_more(s, w, now);
	} else if (!others || ((now->writes || w->flags & MORE_WRITES) && all_before(s, w, others, now))) {
		if (now->writes || !(w->flags & WRITTEN))
			base_is(w, now);
		else
			one_more(s, w, now);
	} else {
		if ((now->writes || w->flags & MORE_WRITES) && !meet(s, w->more_locks, now->locks))
			w->flags |= CONFLICT;
		one_more(s, w, now);
	}
	w->all_locks = meet(s, w->all_locks, now->locks);
	w->flags |= SEEN | (now->writes ? WRITTEN : 0) | (now->plain ? PLAIN : 0);
}

static inline void mark(struct screen *s, struct watch *w)
{
	if ((w->flags & (CONFLICT | MARKED)) == CONFLICT && (s->shared || w->flags & PLAIN)) {
		w->flags |= MARKED;
		s->marked++;
	}
}

/* ---- pages ---- */

static __attribute__((noinline)) struct watch *page_find(struct screen *s, uint64_t number, struct page_seen *seen)
{
	uint64_t *slot = map_put(&s->pages, number, NULL);
	if (!*slot)
		*slot = (uint64_t)(uintptr_t)mem_take(PAGE_WATCHES * sizeof(struct watch));
	*seen = (struct page_seen){ number, (struct watch *)(uintptr_t)*slot };
	return seen->page;
}

static inline struct watch *watch_of(struct screen *s, uint64_t address)
{
	uint64_t number = address / PAGE_BYTES;
	struct page_seen *seen = &s->recent[(number * 0x9e3779b97f4a7c15ull >> 32) % RECENT];
	struct watch *page = seen->number == number && seen->page ? seen->page : page_find(s, number, seen);
	return &page[address / 8 % PAGE_WATCHES];
}

/* ---- accesses, some behind where they are noted ---- */

static inline void look(struct screen *s)
{
	const struct touch_later *now = &s->later[s->done++ % SCREEN_AHEAD];
	s->touched[now->thread] = now->at;
	watch_access(s, now->watch, now);
	mark(s, now->watch);
}

void screen_catch_up(struct screen *s)
{
	while (s->done < s->noted)
		look(s);
}

static inline void touch(struct screen *s, uint64_t address, struct touch_later now)
{
	now.watch = watch_of(s, address);
	__builtin_prefetch(now.watch, 1);
	if (s->noted - s->done == SCREEN_AHEAD)
		look(s);
	s->later[s->noted++ % SCREEN_AHEAD] = now;
}

static void touch_range(struct screen *s, const struct touched *range, struct touch_later now)
{
	uint64_t bytes = range->bytes > SCREEN_RANGE ? SCREEN_RANGE : range->bytes, end = range->start + bytes;
	now.writes = range->writes;
	for (uint64_t at = range->start & ~7ull; bytes && at < end; at += 8)
		touch(s, at, now);
}

/* Of memory that is unmapped what somebody has touched; it is not laid out for that. */
static void touch_known(struct screen *s, const struct touched *range, struct touch_later now)
{
	screen_catch_up(s);
	now.writes = true;
	for (uint64_t at = range->start & ~7ull, end = range->start + range->bytes; at < end;) {
		const uint64_t *slot = map_get(&s->pages, at / PAGE_BYTES);
		const struct watch *w = slot ? (const struct watch *)(uintptr_t)*slot + at / 8 % PAGE_WATCHES : NULL;
		if (w && w->flags & SEEN)
			touch(s, at, now);
		at = slot ? at + 8 : (at / PAGE_BYTES + 1) * PAGE_BYTES;
	}
}

/* These bytes begin a new life: what touched them before touched something else.  What is marked stays so. */
static void forget(struct screen *s, uint64_t start, uint64_t bytes)
{
	uint64_t last = start + (bytes ? bytes - 1 : 0);
	bool few = last / PAGE_BYTES - start / PAGE_BYTES <= s->pages.room;
	if (!bytes || last < start)
		return;
	for (uint64_t i = 0, count = few ? last / PAGE_BYTES - start / PAGE_BYTES + 1 : s->pages.room; i < count; i++) {
		uint64_t number = few ? start / PAGE_BYTES + i : s->pages.cells[i].key, *slot = few ? map_get(&s->pages, number) : NULL;
		if (!few && s->pages.cells[i].used)
			slot = &s->pages.cells[i].value;
		if (!slot || number < start / PAGE_BYTES || number > last / PAGE_BYTES)
			continue;
		uint64_t from = number == start / PAGE_BYTES ? start % PAGE_BYTES / 8 : 0;
		uint64_t to = number == last / PAGE_BYTES ? last % PAGE_BYTES / 8 : PAGE_WATCHES - 1;
		for (struct watch *page = (struct watch *)(uintptr_t)*slot; from <= to; from++)
			page[from].flags &= MARKED;
	}
}

/* ---- what an event touches ---- */

static uint64_t word_of(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, 8);
	return word;
}

static uint32_t one(struct touched *out, uint64_t start, uint64_t bytes, bool writes)
{
	*out = (struct touched){ start, start ? bytes : 0, writes };
	return 1;
}

static const struct object *block_given_back(const struct event *ev, const struct objects *objects)
{
	return objects_at(objects, ev->kind == EV_FREE ? ev->object : ev->byte_count >= 8 ? word_of(ev->bytes) : 0);
}

static uint32_t given_back(const struct event *ev, const struct objects *objects, struct touched *out)
{
	const struct object *in = block_given_back(ev, objects);
	return in && in->bytes <= SCREEN_RANGE ? one(out, in->start, in->bytes, true) : 0;
}

/* shmdt does not say how much. */
static uint32_t unmapped(const struct event *ev, const struct objects *objects, struct touched *out)
{
	const struct object *in = ev->arg ? NULL : objects_at(objects, ev->object);
	uint64_t bytes = in ? in->bytes : ev->arg;
	return one(out, ev->object, bytes < SCREEN_UNMAPPED ? bytes : SCREEN_UNMAPPED, true);
}

/* A block that grows or shrinks where it is lives on: new is what it grew by. */
struct touched event_renews(const struct event *ev, const struct objects *objects)
{
	const struct object *in = ev->kind == EV_REALLOC ? block_given_back(ev, objects) : NULL;
	uint64_t old = in && in->start == ev->object ? WHOLE_WORDS(in->bytes) : 0;
	switch (ev->kind) {
	case EV_REALLOC: case EV_ALLOC: case EV_MAP: case EV_STACK: case EV_TLS:
		return (struct touched){ ev->object + old, ev->arg > old ? ev->arg - old : 0, true };
	default:
		return (struct touched){ 0 };
	}
}

uint32_t event_touches(const struct event *ev, const struct objects *objects, struct touched out[2])
{
	switch (ev->kind) {
	case EV_READ: case EV_ALOAD:
		return one(out, ev->object, ev->size, false);
	case EV_WRITE: case EV_ASTORE: case EV_RMW:
		return one(out, ev->object, ev->size, true);
	case EV_CAS:
		return one(out, ev->object, ev->size, !ev->failed);
	case EV_LIBREAD: case EV_OUTPUT:
		return one(out, ev->object, ev->arg, false);
	case EV_LIBWRITE: case EV_INPUT:
		return one(out, ev->object, ev->arg, true);
	case EV_COPY:
		if (ev->byte_count >= 8)
			return one(out, word_of(ev->bytes), ev->arg, false) + one(out + 1, ev->object, ev->arg, true);
		return one(out, ev->object, ev->arg, true);
	case EV_FREE: case EV_REALLOC:
		return given_back(ev, objects, out);
	case EV_LEFT:
		return one(out, ev->object, ev->arg, true);
	case EV_UNMAP:
		return unmapped(ev, objects, out);
	case EV_LOCKINIT: case EV_LOCKDEAD:
		return one(out, ev->object, 1, true);
	case EV_BLOCK:
		return 0;
	}
	switch (event_class((enum event_kind)ev->kind)) {
	case CLASS_LOCK: case CLASS_COND: case CLASS_BARRIER: case CLASS_SEM: return one(out, ev->object, 1, false);
	default: return 0;
	}
}

/* ---- the door ---- */

void screen_begin(struct screen *s, struct trace *t, struct order *o, bool shared)
{
	*s = (struct screen){ .shared = shared, .order = o, .objects = objects_new(t), .thread_count = trace_thread_count(t) };
	locks_init(&s->locks, s->thread_count);
	s->recent = mem_take(RECENT * sizeof *s->recent);
	s->touched = mem_take((s->thread_count + 1) * sizeof *s->touched);
	s->sems = mem_take((s->thread_count + 1) * sizeof *s->sems);
	s->outside = mem_take((s->thread_count + 1) * sizeof *s->outside);
}

static void memory_event(struct screen *s, const struct event *ev)
{
	struct touched renewed = event_renews(ev, s->objects);
	if (renewed.bytes) {
		screen_catch_up(s);
		forget(s, renewed.start, renewed.bytes);
	}
	objects_note(s->objects, ev);
}

static inline void access_event(struct screen *s, const struct event *ev, struct spot spot)
{
	bool writes = ev->kind == EV_WRITE;
	struct touch_later now = { .thread = spot.thread, .at = spot.at, .writes = writes, .plain = true };
	now.locks = s->shared ? 0 : locks_for(&s->locks, spot.thread, writes);
	s->accesses++;
	if (ev->object % 8 + ev->size <= 8 && ev->object && ev->size)
		touch(s, ev->object, now);
	else
		touch_range(s, &(struct touched){ ev->object, ev->object ? ev->size : 0, writes }, now);
}

/* Of a descriptor, which stands one higher where others have a version. */
static void crosses(struct screen *s, const struct event *ev)
{
	struct outside *o = &s->outside[ev->thread.i];
	struct crossed now = { ev->index, ev->time };
	if (ev->kind == EV_INPUT && ev->version)
		vec_push(&o->in, now);
	if (ev->kind == EV_OUTPUT && ev->version > 3)
		vec_push(&o->out, now);
}

static __attribute__((noinline)) void other_event(struct screen *s, const struct event *ev, struct spot spot)
{
	struct touched out[2];
	bool object = event_class((enum event_kind)ev->kind) == CLASS_OBJECT;
	uint32_t count = event_touches(ev, s->objects, out);
	if (!event_is_access(ev))
		screen_lock_event(s, ev);
	s->handlers |= ev->kind == EV_SIGENTER || ev->kind == EV_SIGSEND;
	s->timed |= event_timed(ev) || (ev->kind == EV_CWAIT && ev->result == ETIMEDOUT);
	s->interruptible |= ev->kind == EV_SWAIT || ev->kind == EV_FWAIT || ev->kind == EV_INPUT;
	if (ev->kind == EV_OUTPUT || ev->kind == EV_INPUT)
		crosses(s, ev);
	s->accesses += count && !object;
	for (uint32_t i = 0; i < count; i++) {
		struct touch_later now = { .thread = spot.thread, .at = spot.at, .plain = !(ev->kind >= EV_ALOAD && ev->kind <= EV_CAS) };
		now.locks = s->shared || object ? 0 : locks_for(&s->locks, spot.thread, out[i].writes);
		if (ev->kind == EV_UNMAP || ev->kind == EV_LEFT)
			touch_known(s, &out[i], now);
		else
			touch_range(s, &out[i], now);
	}
	if (object)
		memory_event(s, ev);
}

void screen_note(struct screen *s, const struct event *ev, struct spot spot)
{
	if (ev->kind == EV_READ || ev->kind == EV_WRITE)
		access_event(s, ev, spot);
	else
		other_event(s, ev, spot);
}

bool screen_outside(const struct screen *s, uint32_t first_thread, uint64_t first, uint32_t second_thread, uint64_t second)
{
	const struct outside *a = &s->outside[first_thread], *b = &s->outside[second_thread];
	size_t out = 0, in = b->in.count;
	while (out < a->out.count && a->out.at[out].index <= first)
		out++;
	while (in && b->in.at[in - 1].index >= second)
		in--;
	return out < a->out.count && in && a->out.at[out].time < b->in.at[in - 1].time;
}

uint64_t screen_next(const struct screen *s, uint64_t at, uint64_t end)
{
	while (at < end && !screen_marks(s, at))
		at = map_get(&s->pages, at / PAGE_BYTES) ? (at & ~7ull) + 8 : (at / PAGE_BYTES + 1) * PAGE_BYTES;
	return at < end ? at : end;
}

bool screen_marks(const struct screen *s, uint64_t address)
{
	const uint64_t *slot = map_get(&s->pages, address / PAGE_BYTES);
	return slot && ((const struct watch *)(uintptr_t)*slot)[address / 8 % PAGE_WATCHES].flags & MARKED;
}

void screen_release(struct screen *s)
{
	for (size_t i = 0; i < s->pages.room; i++)
		if (s->pages.cells[i].used)
			mem_free((void *)(uintptr_t)s->pages.cells[i].value);
	map_release(&s->pages);
	map_release(&s->edges);
	map_release(&s->lock_number);
	vec_release(&s->taken);
	vec_release(&s->hot);
	for (uint32_t i = 0; s->sems && i < s->thread_count; i++) {
		vec_release(&s->sems[i].all);
		vec_release(&s->outside[i].out);
		vec_release(&s->outside[i].in);
	}
	mem_free(s->sems);
	mem_free(s->outside);
	mem_free(s->recent);
	mem_free(s->touched);
	if (s->objects)
		locks_release(&s->locks);
	objects_free(s->objects);
	*s = (struct screen){ 0 };
}
