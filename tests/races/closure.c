/* tests/races/closure.c -- happens-before from its definitions, pair by pair.  Which rule: docs/races.md. */
#include <string.h>

#include "tests/races/made.h"

static bool acquires(int order) { return order != ORDER_RELAXED && order != ORDER_RELEASE; }
static bool releases(int order) { return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST; }
static bool is_atomic(const struct event *e) { return e->kind >= EV_ALOAD && e->kind <= EV_CAS; }
static bool uses_lock(const struct event *e)         /* or a condition, a semaphore, a barrier, that is there already */
{
	return e->kind == EV_LOCK || e->kind == EV_UNLOCK || e->kind == EV_TRYFAIL || e->kind == EV_CWAIT || e->kind == EV_CSIGNAL || e->kind == EV_CBROADCAST ||
		e->kind == EV_BENTER || e->kind == EV_SWAIT || e->kind == EV_SPOST;
}
static bool is_rmw(const struct event *e) { return e->kind == EV_RMW || (e->kind == EV_CAS && !e->failed); }
static bool atomic_writes(const struct event *e) { return e->kind == EV_ASTORE || is_rmw(e); }
static int order_of(const struct event *e) { return e->kind == EV_CAS && e->failed ? e->order2 : e->order; }

/* ---- what an event does to one byte ---- */

struct range { uint64_t from, bytes; };

static bool has(struct range r, uint64_t byte)
{
	return byte >= r.from && byte - r.from < r.bytes;
}

/* The block that begins where event i says, as it is then. */
static struct range block_before(const struct made *m, int i)
{
	for (int k = i; k-- > 0;)
		if (m->ev[k].object == m->ev[i].object && (m->ev[k].kind == EV_ALLOC || m->ev[k].kind == EV_REALLOC))
			return (struct range){ m->ev[k].object, m->ev[k].arg };
	return (struct range){ 0, 0 };
}

static struct range written(const struct made *m, int i)
{
	const struct event *e = &m->ev[i];
	switch (e->kind) {
	case EV_WRITE: return (struct range){ e->object, e->size };
	case EV_LIBWRITE: case EV_COPY: case EV_INPUT: return (struct range){ e->object, e->arg };
	case EV_FREE: case EV_REALLOC: return block_before(m, i);
	case EV_LOCKINIT: case EV_LOCKDEAD: return (struct range){ e->object, 1 };
	default: return atomic_writes(e) ? (struct range){ e->object, e->size } : (struct range){ 0, 0 };
	}
}

static struct range read(const struct made *m, int i)
{
	const struct event *e = &m->ev[i];
	switch (e->kind) {
	case EV_READ: case EV_ALOAD: case EV_RMW: case EV_CAS: return (struct range){ e->object, e->size };
	case EV_LIBREAD: case EV_OUTPUT: return (struct range){ e->object, e->arg };
	case EV_COPY: return (struct range){ m->source[i], e->arg };
	default: return uses_lock(e) ? (struct range){ e->object, 1 } : (struct range){ 0, 0 };
	}
}

/* Is the byte another object's memory after event i than before?  A block that grows takes what is behind it, whose ever that was. */
static bool renews(const struct made *m, int i, uint64_t byte)
{
	const struct event *e = &m->ev[i];
	return (e->kind == EV_REALLOC && has((struct range){ e->object, e->arg }, byte) && !has(block_before(m, i), byte)) || (e->kind == EV_ALLOC && has((struct range){ e->object, e->arg }, byte)) ||
		(e->kind == EV_FREE && has(block_before(m, i), byte));
}

/* ---- atomics ---- */

static int last_release_fence(const struct made *m, int before)
{
	for (int i = before; i-- > 0;)
		if (m->ev[i].thread.i == m->ev[before].thread.i && m->ev[i].kind == EV_FENCE && releases(m->ev[i].order))
			return i;
	return -1;
}

/* The event at which this byte of write w is in memory: itself, or the flush that takes it, the n-th of the thread's for the n-th
 * of its writes to the byte that wait; m->count: none. */
static int reaches(const struct made *m, int w, uint64_t byte)
{
	int older = 0;
	if (!m->ev[w].waits)
		return w;
	for (int i = 0; i < w; i++)
		older += m->ev[i].waits && m->ev[i].thread.i == m->ev[w].thread.i && has(written(m, i), byte);
	for (int i = 0; i < m->count; i++)
		if (m->ev[i].kind == EV_FLUSH && m->ev[i].arg == m->ev[w].thread.i && has((struct range){ m->ev[i].object, m->ev[i].size }, byte) &&
			older-- == 0)
			return i;
	return m->count;
}

/* The last write in memory before event `at`. */
static int last_write(const struct made *m, int at, uint64_t byte)
{
	int last = -1, where = -1;
	for (int i = 0; i < at; i++) {
		if (!has(written(m, i), byte) && !renews(m, i, byte))
			continue;
		int there = renews(m, i, byte) ? i : reaches(m, i, byte);
		if (there < at && there > where) {
			where = there;
			last = i;
		}
	}
	return last;
}

/* Has the thread of this load a write to the byte that waits? */
static bool is_own(const struct made *m, int load, uint64_t byte)
{
	for (int i = 0; i < load; i++)
		if (m->ev[i].waits && m->ev[i].thread.i == m->ev[load].thread.i && has(written(m, i), byte) && reaches(m, i, byte) > load)
			return true;
	return false;
}

/* What event `by` learns from the value that event `load` found in this byte: everything that heads a release sequence the
 * value is in. */
static void seen_in_byte(const struct made *m, struct closure *c, int load, int by, uint64_t byte)
{
	bool others[MADE_THREADS] = { false };          /* a store of another thread lies between: sequences of this one ended */
	if (is_own(m, load, byte))
		return;
	for (int w = last_write(m, load, byte); w >= 0; w = last_write(m, reaches(m, w, byte), byte)) {
		const struct event *e = &m->ev[w];
		if (!atomic_writes(e))
			return;
		int fence = last_release_fence(m, w);
		if (!others[e->thread.i] && releases(e->order))
			c->before[w][by] = true;
		else if (!others[e->thread.i] && fence >= 0)
			c->before[fence][by] = true;
		for (uint32_t t = 0; t < MADE_THREADS && !is_rmw(e); t++)
			others[t] |= t != e->thread.i;
	}
}

static void atomic_edges(const struct made *m, struct closure *c, int load)
{
	const struct event *e = &m->ev[load];
	if (!is_atomic(e) || e->kind == EV_ASTORE)
		return;
	for (uint32_t b = 0; b < e->size; b++) {
		if (acquires(order_of(e)))
			seen_in_byte(m, c, load, load, e->object + b);
		for (int f = load + 1; f < m->count && !acquires(order_of(e)); f++)
			if (m->ev[f].thread.i == e->thread.i && m->ev[f].kind == EV_FENCE && acquires(m->ev[f].order))
				seen_in_byte(m, c, load, f, e->object + b);
	}
}

/* ---- the other primitives ---- */

static uint64_t lock_given(const struct event *e)
{
	return e->kind == EV_UNLOCK ? e->object : e->kind == EV_CWAIT ? e->arg : 0;
}

static uint64_t lock_taken(const struct event *e)
{
	return e->kind == EV_LOCK ? e->object : e->kind == EV_CWAKE ? e->arg : 0;
}

static bool made_anew(const struct made *m, uint64_t lock, int a, int b)
{
	for (int i = a + 1; i < b; i++)
		if (m->ev[i].kind == EV_LOCKINIT && m->ev[i].object == lock)
			return true;
	return false;
}

/* Did the thread hold the lock when it ended? */
static bool died_with(const struct made *m, int end, uint64_t lock)
{
	int depth = 0;
	for (int i = 0; i < end; i++)
		if (m->ev[i].thread.i == m->ev[end].thread.i)
			depth += (lock_taken(&m->ev[i]) == lock) - (lock_given(&m->ev[i]) == lock);
	return depth > 0;
}

static bool lock_edge(const struct made *m, int a, int b)
{
	const struct event *x = &m->ev[a], *y = &m->ev[b];
	uint64_t lock = lock_taken(y);
	bool readers = x->kind == EV_UNLOCK && x->arg & LOCK_FOR_READING && y->kind == EV_LOCK && y->arg & LOCK_FOR_READING;
	if (!lock || made_anew(m, lock, a, b))
		return false;
	return (lock_given(x) == lock && !readers) || (x->kind == EV_END && died_with(m, a, lock));
}

static bool edge(const struct made *m, int a, int b)
{
	const struct event *x = &m->ev[a], *y = &m->ev[b];
	bool same = x->object == y->object;
	if (x->thread.i == y->thread.i || lock_edge(m, a, b))
		return true;
	switch (x->kind) {
	case EV_FORK: case EV_CANCEL: return x->object == y->thread.i;
	case EV_BENTER:  return y->kind == EV_BLEAVE && same && x->arg == y->arg;
	case EV_SPOST:   return y->kind == EV_SWAIT && same;
	case EV_ONCE:    return same && x->arg && (y->kind == EV_ONCERUN || (y->kind == EV_ONCE && !y->arg));
	case EV_RELEASE: return y->kind == EV_ACQUIRE && same;
	case EV_SIGSEND: return y->kind == EV_SIGENTER;
	case EV_SHUT:    return y->kind == EV_OPENED && x->arg == y->arg;
	}
	return y->kind == EV_JOIN && y->object == x->thread.i;
}

void closure_of(const struct made *m, struct closure *c)
{
	memset(c, 0, sizeof *c);
	c->by_locks = true;
	for (int a = 0; a < m->count; a++)
		for (int b = a + 1; b < m->count; b++)
			c->before[a][b] = edge(m, a, b) || (m->ev[b].kind == EV_JOIN && m->ev[b].object == m->ev[a].thread.i);
	for (int i = 0; i < m->count; i++)
		atomic_edges(m, c, i);
	for (int k = 0; k < m->count; k++)
		for (int a = 0; a < k; a++)
			for (int b = k + 1; b < m->count && c->before[a][k]; b++)
				c->before[a][b] |= c->before[k][b];
}

/* ---- races ---- */

static bool meet(const struct made *m, int a, int b, struct range x, struct range y)
{
	for (uint64_t i = 0; i < x.bytes; i++) {
		bool renewed = renews(m, a, x.from + i);
		for (int k = a + 1; k < b && !renewed; k++)
			renewed = renews(m, k, x.from + i);
		if (has(y, x.from + i) && !renewed)
			return true;
	}
	return false;
}

/* Is a before b?  What a thread learns from a lock that it takes comes after the lock was touched: it orders nothing before that. */
static bool comes_before(const struct made *m, const struct closure *c, int a, int b)
{
	if (!uses_lock(&m->ev[b]) || !c->by_locks)
		return c->before[a][b];
	for (int k = a; k < b; k++) {
		bool leads = m->ev[k].thread.i == m->ev[b].thread.i || ((m->ev[k].kind == EV_FORK || m->ev[k].kind == EV_CANCEL) && m->ev[k].object == m->ev[b].thread.i);
		if (leads && (a == k || c->before[a][k]))
			return true;
	}
	return false;
}

bool closure_races(const struct made *m, const struct closure *c, int a, int b)
{
	const struct event *x = &m->ev[a], *y = &m->ev[b];
	if (x->thread.i == y->thread.i || comes_before(m, c, a, b) || ((is_atomic(x) || uses_lock(x)) && (is_atomic(y) || uses_lock(y))))
		return false;
	return meet(m, a, b, written(m, a), written(m, b)) || meet(m, a, b, written(m, a), read(m, b)) ||
		meet(m, a, b, read(m, a), written(m, b));
}
