/* tests/races/made.c -- see made.h.  A run is made by playing it: only what may happen next is taken. */
#include "tests/races/made.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "trace/reader.h"

enum { LOCKS = 3, READ_LOCK = 2 };
#define LOCK_AT(i)  (0x1000u + 64u * (unsigned)(i))
#define COND_AT     0x2000u
#define BARRIER_AT  0x2100u
#define SEM_AT(i)   (0x2200u + 64u * (unsigned)(i))
#define ONCE_AT     0x2300u
#define SAID_AT(i)  (0x2400u + (unsigned)(i))           /* two in one word */
#define ATOMIC_AT   0x3000u
#define PLAIN_AT    0x10000u                            /* a multiple of 512 */
#define HEAP_AT(i)  (0x20000u + 1024u * (unsigned)(i))
#define LATE        20                                  /* pieces of stores that wait */

struct play {
	struct made *m;
	uint64_t seed;
	enum made_what what;
	bool begun[MADE_THREADS], over[MADE_THREADS], joined[MADE_THREADS];
	int writer[LOCKS], readers[LOCKS][MADE_THREADS], depth[LOCKS];         /* writer: thread + 1 */
	int waits[MADE_THREADS];                                                /* lock + 1 */
	int value[2], once, generation, came, in_barrier[MADE_THREADS];
	uint64_t block[2];                                                      /* bytes, 0 not allocated */
	bool messages;                                                          /* weak: mostly loads and stores that pass messages */
	bool in_order;                                                          /* weak: stores of a thread reach memory in order */
	struct late { int thread; uint64_t at, bytes; } late[LATE];             /* weak: what waits, oldest first */
	int late_count;
};

static uint32_t rnd(struct play *p, uint32_t n)
{
	p->seed ^= p->seed << 13, p->seed ^= p->seed >> 7, p->seed ^= p->seed << 17;
	return (uint32_t)(p->seed >> 20) % n;
}

static struct event *put_event(struct play *p, int thread, int kind, uint64_t object, uint64_t arg)
{
	struct made *m = p->m;
	int n = m->count++;
	m->place[n] = (struct place){ "made.c", "made", "made", "made.c", "", (uint32_t)n + 1, 0, 0, 0, NULL };
	m->ev[n] = (struct event){ .kind = (uint8_t)kind, .thread = { (uint32_t)thread }, .object = object, .arg = arg, .place = &m->place[n] };
	for (int i = 0; i < n; i++)
		m->ev[n].index += m->ev[i].thread.i == (uint32_t)thread;
	return &m->ev[n];
}

/* ---- stores that wait ---- */

/* Whoever comes to run next writes it down. */
static void reaches_memory(struct play *p, int which, int by)
{
	struct late gone = p->late[which];
	put_event(p, by, EV_FLUSH, gone.at, (uint64_t)gone.thread)->size = (uint8_t)gone.bytes;
	p->late_count--;
	memmove(&p->late[which], &p->late[which + 1], (size_t)(p->late_count - which) * sizeof *p->late);
}

static void empty_buffer(struct play *p, int thread)
{
	for (int i = 0; i < p->late_count;)
		if (p->late[i].thread == thread)
			reaches_memory(p, i, thread);
		else
			i++;
}

/* The oldest of its thread, or one that overtakes only what it shares no byte with. */
static bool may_leave(const struct play *p, int which)
{
	const struct late *l = &p->late[which];
	for (int i = 0; i < which; i++)
		if (p->late[i].thread == l->thread && (p->in_order || (p->late[i].at < l->at + l->bytes && l->at < p->late[i].at + p->late[i].bytes)))
			return false;
	return true;
}

static void some_store_leaves(struct play *p)
{
	int which = p->late_count ? (int)rnd(p, (uint32_t)p->late_count) : 0, by = (int)rnd(p, (uint32_t)p->m->threads);
	if (p->late_count && may_leave(p, which) && p->begun[by] && !p->over[by])
		reaches_memory(p, which, by);
}

/* The event is a store: it may wait, a long one word by word. */
static void may_wait(struct play *p, struct event *ev, uint64_t bytes)
{
	bool atomic = ev->kind == EV_ASTORE, word = ev->kind == EV_WRITE || atomic;
	if (p->what != MADE_WEAK || bytes > 24 || p->late_count + 4 > LATE || (atomic && ev->order == ORDER_SEQ_CST) || rnd(p, 4) == 0)
		return;
	ev->waits = true;
	for (uint64_t at = ev->object, end = at + bytes, next; at < end; at = next) {
		next = word || (at | 7) + 1 > end ? end : (at | 7) + 1;
		p->late[p->late_count++] = (struct late){ (int)ev->thread.i, at, next - at };
	}
}

static struct event *put(struct play *p, int thread, int kind, uint64_t object, uint64_t arg)
{
	bool leaves_it = (kind >= EV_READ && kind <= EV_COPY && kind != EV_RMW && kind != EV_CAS) || kind == EV_ALLOC || kind == EV_FREE ||
		kind == EV_REALLOC;
	if (!leaves_it)
		empty_buffer(p, thread);
	return put_event(p, thread, kind, object, arg);
}

static void with_source(struct play *p, struct event *ev, uint64_t source)
{
	uint64_t *at = &p->m->source[ev - p->m->ev];
	*at = source;
	ev->bytes = (const uint8_t *)at;
	ev->byte_count = 8;
}

static void plain(struct play *p, int t)
{
	uint32_t size = 1 + rnd(p, 8);
	uint64_t at = rnd(p, 4) ? PLAIN_AT + rnd(p, 20) : rnd(p, 2) ? ATOMIC_AT + rnd(p, 9) : 0;
	bool read = rnd(p, 2) || (p->m->tidy && at >= ATOMIC_AT && at < PLAIN_AT);
	if (!at) {
		int i = (int)rnd(p, 2);
		if (p->block[i] < 9)
			return;
		at = HEAP_AT(i) + rnd(p, (uint32_t)p->block[i] - 8);
	}
	struct event *ev = put(p, t, read ? EV_READ : EV_WRITE, at, 0);
	ev->size = (uint8_t)size;
	if (!read)
		may_wait(p, ev, size);
}

static void library(struct play *p, int t)
{
	static const int kinds[] = { EV_LIBREAD, EV_LIBWRITE, EV_COPY, EV_INPUT, EV_OUTPUT };
	int kind = kinds[rnd(p, 5)];
	uint64_t bytes = rnd(p, 3) ? 1 + rnd(p, 24) : 500 + rnd(p, 1100);
	struct event *ev = put(p, t, kind, PLAIN_AT + rnd(p, 3) * 7, bytes);
	if (kind == EV_COPY)
		with_source(p, ev, PLAIN_AT + 2048 + rnd(p, 600));
	if (kind == EV_COPY || kind == EV_LIBWRITE)
		may_wait(p, ev, bytes);
}

static void atomic(struct play *p, int t)
{
	static const int kinds[] = { EV_ALOAD, EV_ASTORE, EV_RMW, EV_CAS, EV_FENCE };
	bool strong = p->what == MADE_UNLOCKED;
	int kind = kinds[rnd(p, strong ? 3 : 5)];
	uint32_t size = p->m->tidy ? 4 : 1u << rnd(p, 4);
	struct event *ev = put(p, t, kind, kind == EV_FENCE ? 0 : ATOMIC_AT + rnd(p, 16 / size) * size, 0);
	static const uint8_t orders[] = { ORDER_RELAXED, ORDER_RELAXED, ORDER_CONSUME, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL,
		ORDER_SEQ_CST };
	ev->size = kind == EV_FENCE ? 0 : (uint8_t)size;
	ev->order = strong ? (kind == EV_ALOAD ? ORDER_ACQUIRE : kind == EV_ASTORE ? ORDER_RELEASE : ORDER_ACQ_REL) : orders[rnd(p, 7)];
	ev->order2 = orders[rnd(p, 4)];
	ev->failed = kind == EV_CAS && rnd(p, 2);
	if (kind == EV_ASTORE)
		may_wait(p, ev, size);
}

static bool may_lock(const struct play *p, int l, int t, bool reading)
{
	if (p->writer[l])
		return p->writer[l] == t + 1 && l == 1;         /* lock 1 is recursive */
	for (int i = 0; i < MADE_THREADS && !reading; i++)
		if (p->readers[l][i])
			return false;
	return true;
}

static void lock(struct play *p, int t)
{
	int l = (int)rnd(p, LOCKS);
	bool reading = l == READ_LOCK && rnd(p, 2);
	uint64_t arg = (uint64_t)(l == READ_LOCK ? LOCK_RWLOCK : l == 1 ? LOCK_RECURSIVE : LOCK_MUTEX) << 8 | reading;
	if (!may_lock(p, l, t, reading)) {
		if (!p->m->tidy)
			put(p, t, EV_TRYFAIL, LOCK_AT(l), arg)->result = 16;
		return;
	}
	if (!p->writer[l] && !reading && rnd(p, 8) == 0) {
		put(p, t, EV_LOCKINIT, LOCK_AT(l), arg);
		return;
	}
	put(p, t, EV_LOCK, LOCK_AT(l), arg);
	if (reading) {
		p->readers[l][t]++;
	} else {
		p->writer[l] = t + 1;
		p->depth[l]++;
	}
}

static void unlock(struct play *p, int t)
{
	int l = (int)rnd(p, LOCKS);
	uint64_t arg = (uint64_t)(l == READ_LOCK ? LOCK_RWLOCK : LOCK_MUTEX) << 8;
	if (p->readers[l][t]) {
		p->readers[l][t]--;
		put(p, t, EV_UNLOCK, LOCK_AT(l), arg | LOCK_FOR_READING);
	} else if (p->writer[l] == t + 1) {
		put(p, t, EV_UNLOCK, LOCK_AT(l), arg);
		if (--p->depth[l] == 0)
			p->writer[l] = 0;
	}
}

static void condition(struct play *p, int t)
{
	if (p->waits[t]) {
		int l = p->waits[t] - 1;
		if (p->writer[l])
			return;
		put(p, t, EV_CWAKE, COND_AT, LOCK_AT(l));
		p->writer[l] = t + 1;
		p->depth[l] = 1;
		p->waits[t] = 0;
	} else if (p->writer[0] == t + 1 && p->depth[0] == 1) {
		put(p, t, EV_CWAIT, COND_AT, LOCK_AT(0));
		p->writer[0] = p->depth[0] = 0;
		p->waits[t] = 1;
	} else {
		put(p, t, rnd(p, 2) ? EV_CSIGNAL : EV_CBROADCAST, COND_AT, 0);
	}
}

static void barrier(struct play *p, int t)
{
	if (!p->in_barrier[t] && t < 2) {
		put(p, t, EV_BENTER, BARRIER_AT, (uint64_t)p->generation);
		p->in_barrier[t] = p->generation;
		p->came++;
	} else if (p->in_barrier[t] && (p->in_barrier[t] < p->generation || p->came == 2)) {
		if (p->in_barrier[t] == p->generation)
			p->generation++, p->came = 0;
		put(p, t, EV_BLEAVE, BARRIER_AT, (uint64_t)p->in_barrier[t]);
		p->in_barrier[t] = 0;
	}
}

static void hand_over(struct play *p, int t)
{
	int k = (int)rnd(p, 2);
	switch (rnd(p, p->what != MADE_UNLOCKED ? 5 : 2)) {
	case 0:
		put(p, t, rnd(p, 2) ? EV_RELEASE : EV_ACQUIRE, SAID_AT(k), 0);
		break;
	case 1:
		if (!p->once) {
			put(p, t, EV_ONCERUN, ONCE_AT, 0);
			p->once = t + 1;
		} else if (p->once == t + 1 || p->once == 9) {
			bool left = p->once != 9 && !rnd(p, 4);
			put(p, t, EV_ONCE, ONCE_AT, p->once != 9)->result = left ? ECANCELED : 0;
			p->once = left ? 0 : 9;
		}
		break;
	case 2:
		if (p->value[k] > 0 && rnd(p, 2)) {
			put(p, t, EV_SWAIT, SEM_AT(k), 0);
			p->value[k]--;
		} else {
			put(p, t, EV_SPOST, SEM_AT(k), 0);
			p->value[k]++;
		}
		break;
	case 3:
		put(p, t, rnd(p, 2) ? EV_SIGSEND : EV_SIGENTER, 10, 10);
		break;
	case 4:
		put(p, t, rnd(p, 2) ? EV_SHUT : EV_OPENED, 0, (uint64_t)k + 3);
		break;
	}
}

static void heap(struct play *p, int t)
{
	int i = (int)rnd(p, 2);
	if (!p->block[i]) {
		p->block[i] = 16 + rnd(p, 600);
		put(p, t, EV_ALLOC, HEAP_AT(i), p->block[i]);
	} else if (rnd(p, 3) == 0) {
		uint64_t bytes = 16 + rnd(p, 600);
		with_source(p, put(p, t, EV_REALLOC, HEAP_AT(i), bytes), HEAP_AT(i));
		p->block[i] = bytes;
	} else {
		put(p, t, EV_FREE, HEAP_AT(i), 0);
		p->block[i] = 0;
	}
}

static bool is_idle(const struct play *p, int t)
{
	return p->begun[t] && !p->over[t] && !p->waits[t] && !p->in_barrier[t];
}

static void end_of(struct play *p, int t)
{
	put(p, t, EV_END, 0, 0);
	p->over[t] = true;
	for (int l = 0; l < LOCKS; l++)
		if (p->writer[l] == t + 1)
			p->writer[l] = p->depth[l] = 0;         /* robust: the next one gets it */
}

static void threads(struct play *p, int t)
{
	int other = (int)rnd(p, (uint32_t)p->m->threads);
	if (other == t)
		return;
	if (!p->begun[other]) {
		put(p, t, EV_FORK, (uint64_t)other, 0);
		p->begun[other] = true;
	} else if (is_idle(p, other) && other && rnd(p, 4) == 0) {
		end_of(p, other);
	} else if (p->over[other] && !p->joined[other]) {
		put(p, t, EV_JOIN, (uint64_t)other, 0);
		p->joined[other] = true;
	} else if (is_idle(p, other) && p->what != MADE_UNLOCKED && rnd(p, 4) == 0) {
		put(p, t, EV_CANCEL, (uint64_t)other, 0);
	}
}

/* A load or a store of one of two words, sometimes plain. */
static void message(struct play *p, int t)
{
	bool read = rnd(p, 2), plainly = !read && rnd(p, 8) == 0;
	struct event *ev = put(p, t, plainly ? EV_WRITE : read ? EV_ALOAD : EV_ASTORE, ATOMIC_AT + 4 * rnd(p, 2), 0);
	ev->size = 4;
	ev->order = plainly || rnd(p, 4) == 0 ? ORDER_RELAXED : read ? ORDER_ACQUIRE : ORDER_RELEASE;
	if (!read)
		may_wait(p, ev, 4);
}

static void step(struct play *p, int t)
{
	if (!p->begun[t] || p->over[t])
		return;
	if (p->waits[t]) {
		condition(p, t);
		return;
	}
	if (p->in_barrier[t]) {
		barrier(p, t);
		return;
	}
	if (p->messages && rnd(p, 8)) {
		if (rnd(p, 3))
			message(p, t);
		else
			plain(p, t);
		return;
	}
	bool all = p->what != MADE_UNLOCKED;
	switch (rnd(p, 16)) {
	case 0: case 1: case 2: case 3: plain(p, t); break;
	case 4: library(p, t); break;
	case 5: case 6: case 7: atomic(p, t); break;
	case 8: case 9: if (all) lock(p, t); break;
	case 10: if (all) unlock(p, t); break;
	case 11: if (all) condition(p, t); break;
	case 12: barrier(p, t); break;
	case 13: hand_over(p, t); break;
	case 14: heap(p, t); break;
	case 15: threads(p, t); break;
	}
}

void made_random(struct made *m, enum made_what what, int events, uint64_t *seed)
{
	struct play p = { .m = m, .seed = *seed, .what = what, .generation = 1 };
	m->count = 0;
	m->threads = 2 + (int)rnd(&p, MADE_THREADS - 1);
	m->tidy = what == MADE_UNLOCKED || rnd(&p, 2);
	p.in_order = rnd(&p, 2);
	p.messages = what == MADE_WEAK && rnd(&p, 2);
	bool all = rnd(&p, 2);
	for (int t = 0; t < m->threads; t++)
		p.begun[t] = all || t == 0;
	for (int tries = 0; tries < 1000 && m->count < events; tries++) {
		if (rnd(&p, 3) == 0)
			some_store_leaves(&p);
		step(&p, (int)rnd(&p, (uint32_t)m->threads));
	}
	*seed = p.seed;
}

void made_print(const struct made *m)
{
	for (int i = 0; i < m->count; i++) {
		const struct event *e = &m->ev[i];
		printf("%2d: T%u %s 0x%llx arg=%llu size=%u order=%u,%u%s%s\n", i + 1, e->thread.i, event_word(e->kind),
			(unsigned long long)e->object, (unsigned long long)e->arg, e->size, e->order, e->order2, e->failed ? " failed" : "",
			e->waits ? " waits" : "");
	}
}
