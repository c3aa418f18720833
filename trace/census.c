/* trace/census.c -- see census.h.
 *
 * Sharing is judged by words of 8 bytes: a variable counts as shared when some word of it was touched by two threads and
 * written by one.  Words belong to a variable: a global, all heap objects of one allocation place, a thread's stack.
 *   (1) when memory is allocated anew its words are forgotten, their counts folded into their variable first;
 *   (2) words hang in leaves of LEAF; a leaf used lately is found without a search. */
#include "trace/census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK_EVERY (1u << 19)
#define LEAF      32u           /* words: 256 bytes of the program */
#define NEAR      1024u         /* leaves found without a search, by the low bits of their number */

struct word { uint32_t variable, thread; uint64_t reads, writes; };     /* variable + 1, or 0: not touched in this life */
#define MANY (1u << 31)         /* in thread: another one touched it too */

struct leaf { uint64_t number; struct word words[LEAF]; };              /* address / 256 */

struct taker {
	struct census *c;
	struct trace *trace;
	struct objects *objects;
	struct map leaves;              /* number -> index into leaf + 1 */
	VEC(struct leaf *) leaf;
	struct leaf *near[NEAR];
	struct arena arena;             /* leaves */
	struct map variables;           /* what it is -> index + 1 */
	struct map variable_threads;    /* variable << 32 | thread, for threads past 63 */
	struct map locks;               /* address -> index + 1 */
	struct map lock_threads;        /* lock index << 32 | thread */
	struct uncovered *uncovered;
	VEC(bool) asked;                /* per thread: it wants the next event */
};

/* ---- variables ---- */

static void fold(struct taker *k, struct word *w)
{
	if (!w->variable)
		return;
	struct census_variable *v = &k->c->variables.at[w->variable - 1];
	if (w->thread & MANY && w->writes) {
		v->shared_words++;
		v->shared_reads += w->reads;
		v->shared_writes += w->writes;
	}
	*w = (struct word){ 0 };
}

/* The words of a leaf that lie in [first, first + count). */
static void forget_in(struct taker *k, struct leaf *l, uint64_t first, uint64_t count)
{
	for (unsigned i = 0; i < LEAF; i++)
		if (l->number * LEAF + i - first < count)
			fold(k, &l->words[i]);
}

/* Memory at [start, start + bytes) begins a new life. */
static void forget(struct taker *k, uint64_t start, uint64_t bytes)
{
	uint64_t first = start / 8, count = bytes / 8 + (bytes % 8 != 0);
	if (count / LEAF < k->leaf.count) {
		for (uint64_t n = first / LEAF; count && n <= (first + count - 1) / LEAF; n++) {
			const uint64_t *index = map_get(&k->leaves, n);
			if (index)
				forget_in(k, k->leaf.at[*index - 1], first, count);
		}
		return;
	}
	for (size_t i = 0; i < k->leaf.count; i++)
		forget_in(k, k->leaf.at[i], first, count);
}

static uint32_t variable_at(struct taker *k, uint64_t address)
{
	char name[256];
	uint64_t offset = 0, key, place_key;
	const char *symbol = trace_symbol(k->trace, address, &offset);
	const struct object *b = symbol ? NULL : objects_at(k->objects, address);
	if (symbol)
		key = (address - offset) ^ 1ull << 60;
	else if (!b)
		key = (address & ~7ull) ^ 2ull << 60;
	else if (b->kind == OBJECT_STACK || b->kind == OBJECT_TLS)
		key = b->thread.i ^ (uint64_t)(b->kind == OBJECT_STACK ? 3 : 4) << 60;
	else {
		memcpy(&place_key, &b->place, sizeof place_key);
		key = *b->place->file || b->place->line ? place_key ^ 5ull << 60 : b->start ^ 6ull << 60;
	}
	uint64_t *slot = map_put(&k->variables, key, NULL);
	if (!*slot) {
		struct census_variable *v = vec_add(&k->c->variables);
		objects_name(k->objects, b ? b->start : symbol ? address - offset : address & ~7ull, name, sizeof name);
		v->name = arena_text(&k->c->arena, name, strlen(name));
		v->last = NO_THREAD;
		*slot = k->c->variables.count;
	}
	return (uint32_t)(*slot - 1);
}

static void note_thread_of_variable(struct taker *k, uint32_t variable, struct thread_id thread)
{
	struct census_variable *v = &k->c->variables.at[variable];
	bool fresh = true;
	if (v->last.i == thread.i)
		return;
	v->last = thread;
	if (thread.i < 64) {
		fresh = !(v->threads_low >> thread.i & 1);
		v->threads_low |= 1ull << thread.i;
	} else {
		map_put(&k->variable_threads, (uint64_t)variable << 32 | thread.i, &fresh);
	}
	v->threads += fresh;
}

static struct leaf *leaf_at(struct taker *k, uint64_t number)
{
	struct leaf **near = &k->near[number % NEAR];
	if (*near && (*near)->number == number)
		return *near;
	uint64_t *index = map_put(&k->leaves, number, NULL);
	if (!*index) {
		struct leaf *l = arena_take(&k->arena, sizeof *l);
		l->number = number;
		vec_push(&k->leaf, l);
		*index = k->leaf.count;
	}
	return *near = k->leaf.at[*index - 1];
}

static inline struct word *word_at(struct taker *k, uint64_t address, struct thread_id thread)
{
	struct word *w = &leaf_at(k, address / 8 / LEAF)->words[address / 8 % LEAF];
	if (!w->variable) {
		w->variable = variable_at(k, address) + 1;
		w->thread = thread.i;
	}
	return w;
}

static inline void note_access(struct taker *k, const struct event *ev, uint64_t address, bool reads, bool writes, bool atomic)
{
	struct word *w = word_at(k, address, ev->thread);
	struct census_variable *v = &k->c->variables.at[w->variable - 1];
	w->thread |= (w->thread & ~MANY) != ev->thread.i ? MANY : 0;
	w->reads += reads;
	w->writes += writes;
	v->reads += reads;
	v->writes += writes;
	v->atomics += atomic;
	if (writes && !v->write_at)
		v->write_at = ev->place;
	if (reads && !v->read_at)
		v->read_at = ev->place;
	note_thread_of_variable(k, w->variable - 1, ev->thread);
}

static void note_memory(struct taker *k, const struct event *ev, bool atomic)
{
	enum { WORDS_MOST = 512 };      /* of one library call: the rest is not looked at */
	bool reads = ev->kind == EV_READ || ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS || ev->kind == EV_LIBREAD;
	bool writes = ev->kind == EV_WRITE || ev->kind == EV_ASTORE || ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed)
		|| ev->kind == EV_LIBWRITE || ev->kind == EV_COPY;
	uint64_t bytes = ev->size ? ev->size : ev->arg;
	note_access(k, ev, ev->object, reads, writes, atomic);
	for (uint64_t i = 1; i < WORDS_MOST && i * 8 < bytes; i++)
		note_access(k, ev, ev->object + i * 8, reads, writes, atomic);
	k->c->threads.at[ev->thread.i].reads += reads;
	k->c->threads.at[ev->thread.i].writes += writes;
}

/* ---- locks and waits ---- */

static uint32_t lock_at(struct taker *k, uint64_t address)
{
	char name[256];
	uint64_t *slot = map_put(&k->locks, address, NULL);
	if (!*slot) {
		objects_name(k->objects, address, name, sizeof name);
		struct census_lock *l = vec_add(&k->c->locks);
		*l = (struct census_lock){ .address = address, .owner = NO_THREAD, .last = NO_THREAD };
		l->name = arena_text(&k->c->arena, name, strlen(name));
		*slot = k->c->locks.count;
	}
	return (uint32_t)(*slot - 1);
}

static void note_taken(struct taker *k, uint32_t lock, const struct event *ev, bool reading)
{
	struct census_lock *l = &k->c->locks.at[lock];
	bool fresh;
	map_put(&k->lock_threads, (uint64_t)lock << 32 | ev->thread.i, &fresh);
	l->threads += fresh;
	if (reading) {
		l->readers++;
		return;
	}
	l->depth = l->owner.i == ev->thread.i ? l->depth + 1 : 1;
	l->owner = ev->thread;
	l->owner_at = ev->place;
}

static void note_released(struct census_lock *l, bool all)
{
	if (l->owner.i == NO_THREAD.i) {
		l->readers -= l->readers > 0;
		return;
	}
	l->depth = all || !l->depth ? 0 : l->depth - 1;
	if (!l->depth)
		l->owner = NO_THREAD;
}

static void note_lock(struct taker *k, const struct event *ev)
{
	uint32_t lock = lock_at(k, ev->object);
	struct census_lock *l = &k->c->locks.at[lock];
	if (ev->kind != EV_BLOCK && ev->arg >> 8)
		l->type = (uint32_t)(ev->arg >> 8);
	switch (ev->kind) {
	case EV_LOCK:
		if (ev->in_flight)
			break;
		l->taken++;
		k->c->threads.at[ev->thread.i].locks++;
		note_taken(k, lock, ev, ev->arg & LOCK_FOR_READING);
		break;
	case EV_UNLOCK:
		if (!ev->result)
			note_released(l, false);
		break;
	case EV_TRYFAIL:
		l->failed++;
		break;
	case EV_BLOCK:
		l->contended++;
		break;
	}
}

static void note_condition(struct taker *k, const struct event *ev)
{
	if (!ev->arg)
		return;
	uint32_t lock = lock_at(k, ev->arg);
	if (ev->kind == EV_CWAIT)
		note_released(&k->c->locks.at[lock], true);
	else
		note_taken(k, lock, ev, false);
}

static void note_wait(struct taker *k, const struct event *ev)
{
	struct census_thread *t = &k->c->threads.at[ev->thread.i];
	bool waits = ev->kind == EV_BLOCK || ev->kind == EV_CWAIT;
	t->waits_kind = (uint8_t)(ev->kind == EV_CWAIT ? EV_CWAKE : waits && ev->arg < EV_COUNT ? ev->arg : 0);
	if (waits && !t->waits_kind)
		t->waits_kind = EV_LOCK;
	t->waits_for = waits ? ev->object : 0;
	t->waits_at = waits ? ev->place : NULL;
	if (t->last_at != ev->place && (*ev->place->file || *ev->place->function))
		t->last_at = ev->place;
	t->ended |= ev->kind == EV_END;
}

/* ---- the end of the program ---- */

static void note_end(struct census *c, const struct event *ev)
{
	c->failed |= ev->kind == EV_FAILURE;
	c->exited |= ev->kind == EV_EXIT;
	c->end_thread = ev->thread;
	c->end_at = ev->place;
	c->end_value = ev->arg;
	size_t n = 0;
	for (uint32_t i = 0; i < ev->byte_count && n + 1 < sizeof c->end_text && ev->bytes[i]; i++)
		c->end_text[n++] = ev->bytes[i] < ' ' || ev->bytes[i] == 0x7f ? ' ' : (char)ev->bytes[i];
	c->end_text[n] = 0;
}

static void note_object(struct taker *k, const struct event *ev)
{
	objects_note(k->objects, ev);
	if (ev->kind == EV_ALLOC || ev->kind == EV_REALLOC || ev->kind == EV_MAP || ev->kind == EV_STACK || ev->kind == EV_TLS)
		forget(k, ev->object, ev->arg);
}

/* A plain access within two words, as most events are; and the thread is not asked.  What note_event does of it, and no more. */
static inline void note_plain(struct taker *k, const struct event *ev)
{
	struct census_thread *t = &k->c->threads.at[ev->thread.i];
	bool reads = ev->kind == EV_READ;
	note_access(k, ev, ev->object, reads, !reads, false);
	if (ev->size > 8)
		note_access(k, ev, ev->object + 8, reads, !reads, false);
	t->reads += reads;
	t->writes += !reads;
	t->waits_kind = 0;
	t->waits_for = 0;
	t->waits_at = NULL;
	if (t->last_at != ev->place && (*ev->place->file || *ev->place->function))
		t->last_at = ev->place;
}

static void note_event(struct taker *k, const struct event *ev)
{
	struct census *c = k->c;
	c->events++;
	c->kinds[ev->kind]++;
	c->threads.at[ev->thread.i].events++;
	if (ev->time) {
		c->first_time = c->first_time && c->first_time < ev->time ? c->first_time : ev->time;
		c->last_time = c->last_time > ev->time ? c->last_time : ev->time;
	}
	if ((ev->kind == EV_READ || ev->kind == EV_WRITE) && ev->size && !k->asked.at[ev->thread.i]) {
		note_plain(k, ev);
		return;
	}
	enum event_class class = event_class(ev->kind);
	if (k->asked.at[ev->thread.i] || ev->kind == EV_CALL)
		k->asked.at[ev->thread.i] = uncovered_note(k->uncovered, ev);
	if ((class == CLASS_MEMORY && ev->kind != EV_FLUSH) || (class == CLASS_ATOMIC && ev->kind != EV_FENCE))
		note_memory(k, ev, class == CLASS_ATOMIC);
	else if (class == CLASS_OBJECT)
		note_object(k, ev);
	else if (ev->kind == EV_LOCK || ev->kind == EV_UNLOCK || ev->kind == EV_TRYFAIL || (ev->kind == EV_BLOCK && ev->arg == EV_LOCK))
		note_lock(k, ev);
	else if (ev->kind == EV_CWAIT || ev->kind == EV_CWAKE)
		note_condition(k, ev);
	else if (ev->kind == EV_FAILURE || (ev->kind == EV_EXIT && !c->failed))
		note_end(c, ev);
	else if (ev->kind == EV_LOST)
		c->lost += ev->arg;
	if (class != CLASS_BOOK)
		note_wait(k, ev);
}

/* ---- the whole ---- */

static int by_taken(const void *a, const void *b)
{
	const struct census_lock *x = a, *y = b;
	return x->taken != y->taken ? (x->taken < y->taken ? 1 : -1) : x->address < y->address ? -1 : x->address > y->address;
}

static int by_sharing(const void *a, const void *b)
{
	const struct census_variable *x = a, *y = b;
	uint64_t n = x->shared_reads + x->shared_writes, m = y->shared_reads + y->shared_writes;
	return n != m ? (n < m ? 1 : -1) : strcmp(x->name, y->name);
}

/* Who each waiting thread waits for, while locks can still be found by address. */
static void settle_waits(struct taker *k)
{
	for (uint32_t i = 0; i < k->c->threads.count; i++) {
		struct census_thread *t = &k->c->threads.at[i];
		const struct trace_thread *said = trace_thread(k->trace, (struct thread_id){ i });
		t->waits_on = NO_THREAD;
		if (said->waits_kind && said->waits_kind < EV_COUNT) {
			t->waits_at = t->waits_at ? t->waits_at : t->last_at;
			t->waits_kind = (uint8_t)said->waits_kind;
			t->waits_for = said->waits_for;
		}
		if (t->ended)
			t->waits_kind = 0;
		uint64_t *lock = map_get(&k->locks, t->waits_for);
		if (t->waits_kind == EV_JOIN && t->waits_for < k->c->threads.count)
			t->waits_on.i = (uint32_t)t->waits_for;
		else if (t->waits_kind == EV_LOCK && lock)
			t->waits_on = k->c->locks.at[*lock - 1].owner;
	}
}

static void settle(struct taker *k)
{
	struct census *c = k->c;
	for (size_t i = 0; i < k->leaf.count; i++)
		forget_in(k, k->leaf.at[i], 0, UINT64_MAX);
	for (uint32_t i = 0; i < c->threads.count; i++) {
		uint64_t lost = trace_thread(k->trace, (struct thread_id){ i })->lost;
		c->lost = c->lost + lost < c->lost ? UINT64_MAX : c->lost + lost;
	}
	settle_waits(k);
	if (c->locks.count)
		qsort(c->locks.at, c->locks.count, sizeof *c->locks.at, by_taken);
	if (c->variables.count)
		qsort(c->variables.at, c->variables.count, sizeof *c->variables.at, by_sharing);
	uncovered_finish(k->uncovered, &c->calls, &c->hands);
}

static void release(struct taker *k)
{
	objects_free(k->objects);
	map_release(&k->leaves);
	vec_release(&k->leaf);
	arena_release(&k->arena);
	map_release(&k->variables);
	map_release(&k->variable_threads);
	map_release(&k->locks);
	map_release(&k->lock_threads);
	vec_release(&k->asked);
}

int census_take(struct census **out, struct trace *t, bool (*go_on)(uint64_t events), struct err *why)
{
	struct taker k = { .c = mem_take(sizeof *k.c), .trace = t, .objects = objects_new(t), .uncovered = uncovered_new(t) };
	struct merged *m;
	const struct event *ev;
	*out = k.c;
	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		vec_add(&k.c->threads);
		vec_add(&k.asked);
	}
	int got = merged_open(&m, t, why);
	if (got == 0) {
		while (!k.c->cut_short && (got = merged_next_in_place(m, &ev, why)) > 0) {
			note_event(&k, ev);
			k.c->cut_short = go_on && k.c->events % ASK_EVERY == 0 && !go_on(k.c->events);
		}
		merged_close(m);
	}
	settle(&k);
	release(&k);
	return got < 0 ? -1 : 0;
}

void census_free(struct census *c)
{
	if (!c)
		return;
	vec_release(&c->threads);
	vec_release(&c->locks);
	vec_release(&c->variables);
	vec_release(&c->calls);
	vec_release(&c->hands);
	arena_release(&c->arena);
	mem_free(c);
}
