/* tests/order/saw.c -- what each event of a small run saw when it was observed, and so needs: docs/order.md, "Rules".
 * Shares nothing with order/: looks back over the whole run for every event. */
#include <errno.h>
#include <string.h>

#include "tests/order/machine.h"
#include "tests/order/small.h"
#include "wire/kinds.h"

static const struct small *run;
static int after[MOST_EVENTS][MOST_EVENTS], afters[MOST_EVENTS];        /* events that must be done before */
static bool wants_signal[MOST_EVENTS];

static void need(int e, int before)
{
	if (!saw_needs(e, before))
		after[e][afters[e]++] = before;
}

static bool takes_lock(const struct small_event *x, int lock)
{
	return (x->kind == EV_LOCK && x->object == lock) || (x->kind == EV_CWAKE && x->arg == lock);
}

static bool gives_lock(const struct small_event *x, int lock)
{
	return (x->kind == EV_UNLOCK && x->object == lock) || (x->kind == EV_CWAIT && x->arg == lock);
}

/* The event by which another thread has had the lock since before e; -1 nobody has it. */
static int taken_before(int e, int lock)
{
	int last = -1;
	for (int t = 0; t < run->threads; t++) {
		int held = 0, since = -1;
		for (int i = 0; t != run->ev[e].thread && i < e; i++) {
			const struct small_event *x = &run->ev[i];
			if (x->thread != t || (!takes_lock(x, lock) && !gives_lock(x, lock)))
				continue;
			if (takes_lock(x, lock) && !held)
				since = i;
			held += takes_lock(x, lock) ? 1 : -1;
		}
		if (held)
			last = since;
	}
	return last;
}

/* A try that failed needs whoever has the lock to have it, and his giving it back needs the try. */
static void look_back_failed_try(int e)
{
	int lock = run->ev[e].object, last, end;
	if (run->lives && lock != 2) {
		things_met(run, e, &last, &end);
		if (last >= 0 && (run->ev[e].result == EBUSY || run->ev[e].result == ETIMEDOUT)) {
			need(e, last);
			if (end >= 0)
				need(end, e);
		}
		return;
	}
	last = taken_before(e, lock);
	if (last < 0)
		return;
	need(e, last);
	for (int i = last, held = 0; i < run->count; i++) {
		const struct small_event *x = &run->ev[i];
		if (x->thread != run->ev[last].thread)
			continue;
		held += takes_lock(x, lock);
		if (gives_lock(x, lock) && !--held) {
			need(i, e);
			return;
		}
	}
}

/* ---- atomics ---- */

static bool releases(int order) { return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST; }
static bool acquires(int order) { return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST; }
static bool reads(const struct small_event *x) { return x->kind == EV_ALOAD || x->kind == EV_RMW || x->kind == EV_CAS; }

static bool writes(const struct small_event *x)
{
	return x->kind == EV_ASTORE || x->kind == EV_RMW || (x->kind == EV_CAS && !x->arg);
}

/* By what does a write hand on what came before it: itself, a release fence before it; -1: it does not. */
static int carrier(int w)
{
	if (releases(run->ev[w].order))
		return w;
	for (int i = w; i-- > 0;)
		if (run->ev[i].thread == run->ev[w].thread && run->ev[i].kind == EV_FENCE && releases(run->ev[i].order))
			return i;
	return -1;
}

/* `who` needs what the reading event r could see: back over read-modify-writes to the store that began it. */
static void need_read(int who, int r)
{
	for (int i = r; i-- > 0;) {
		const struct small_event *x = &run->ev[i];
		if (!writes(x) || x->object != run->ev[r].object)
			continue;
		if (carrier(i) >= 0)
			need(who, carrier(i));
		if (x->kind == EV_ASTORE)
			break;
	}
}

static void look_back_atomic(int e)
{
	const struct small_event *ev = &run->ev[e];
	if (ev->kind == EV_FENCE && acquires(ev->order)) {
		for (int i = 0; i < e; i++)
			if (run->ev[i].thread == ev->thread && reads(&run->ev[i]))
				need_read(e, i);
	} else if (reads(ev) && acquires(ev->order)) {
		need_read(e, e);
	}
}

/* ---- all ---- */

static void look_back(int e)
{
	const struct small_event *ev = &run->ev[e];
	look_back_atomic(e);
	switch (ev->kind) {
	case EV_JOIN:
		for (int i = 0; i < e; i++)
			if (run->ev[i].thread == ev->object)
				need(e, i);
		break;
	case EV_FORK:
		for (int i = 0; i < run->count; i++)
			if (run->ev[i].thread == ev->object)
				need(i, e);
		break;
	case EV_TRYFAIL:
		look_back_failed_try(e);
		break;
	case EV_BLEAVE:
		for (int i = 0; i < e; i++)
			if (run->ev[i].kind == EV_BENTER && run->ev[i].object == ev->object && run->ev[i].arg == ev->arg)
				need(e, i);
		break;
	case EV_ONCE:
		for (int i = 0; i < e && !ev->arg; i++)
			if (run->ev[i].kind == EV_ONCE && run->ev[i].object == ev->object && run->ev[i].arg)
				need(e, i);
		break;
	case EV_ACQUIRE:
		for (int i = 0; i < e; i++)
			if (run->ev[i].kind == EV_RELEASE && run->ev[i].object == ev->object)
				need(e, i);
		break;
	case EV_CWAKE:
		for (int i = e; ev->result != ETIMEDOUT && i-- > 0 && !(run->ev[i].thread == ev->thread && run->ev[i].kind == EV_CWAIT);)
			if ((run->ev[i].kind == EV_CSIGNAL || run->ev[i].kind == EV_CBROADCAST) && run->ev[i].object == ev->object)
				wants_signal[e] = true;
		break;
	}
}

void saw_prepare(const struct small *s)
{
	run = s;
	memset(afters, 0, sizeof afters);
	memset(wants_signal, 0, sizeof wants_signal);
	for (int e = 0; e < s->count; e++)
		look_back(e);
}

bool saw_needs(int event, int before)
{
	for (int i = 0; i < afters[event]; i++)
		if (after[event][i] == before)
			return true;
	return false;
}

bool saw_wants_signal(int event)
{
	return wants_signal[event];
}

/* ---- store buffers: what docs/memory-models.md says of each operation ---- */

bool store_waits(const struct small_event *e)
{
	return e->kind == EV_WRITE || (e->kind == EV_ASTORE && e->order != ORDER_SEQ_CST);
}

bool spin_unlock(const struct small_event *e) { return e->kind == EV_UNLOCK && e->arg >> 8 == LOCK_SPIN; }

/* A recursive lock its thread has, and keeps. */
static bool counted(int e)
{
	int depth = 0;
	if ((run->ev[e].kind != EV_LOCK && run->ev[e].kind != EV_UNLOCK) || run->ev[e].arg >> 8 != LOCK_RECURSIVE)
		return false;
	for (int i = 0; i < e; i++)
		if (run->ev[i].thread == run->ev[e].thread)
			depth += takes_lock(&run->ev[i], run->ev[e].object) ? 1 : gives_lock(&run->ev[i], run->ev[e].object) ? -1 : 0;
	return run->ev[e].kind == EV_LOCK ? depth > 0 : depth > 1;
}

bool saw_empties(int event)
{
	const struct small_event *e = &run->ev[event];
	switch (e->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_RELEASE: case EV_ACQUIRE: case EV_ALLOC: return false;
	case EV_ASTORE: case EV_FENCE: return e->order == ORDER_SEQ_CST;
	case EV_CSIGNAL: case EV_CBROADCAST: case EV_LOCKINIT: return false;
	case EV_ONCE: return e->arg;
	case EV_LOCK: return !counted(event);
	case EV_UNLOCK: return !e->result && !spin_unlock(e) && !counted(event);
	case EV_TRYFAIL: return e->arg >> 8 == LOCK_SPIN || e->result == ETIMEDOUT || e->result == ENOTRECOVERABLE;
	case EV_LOCKDEAD: return e->arg >> 8 == LOCK_COND || e->arg >> 8 == LOCK_BARRIER;
	case EV_SWAIT: return e->result != EAGAIN && e->result != EINVAL;
	case EV_JOIN: return e->result != EBUSY;
	default: return true;
	}
}

static bool overlap(const struct small_event *x, const struct small_event *y)
{
	for (int i = 0; i < 2; i++)
		if (x->bytes && small_byte(x, i) >= 0 && small_byte(x, i) == small_byte(y, i))
			return true;
	if (x->bytes)
		return false;
	bool cells = (x->kind == EV_ASTORE || x->object == WIDE) && (y->kind == EV_ASTORE || y->object == WIDE);
	return x->object == y->object ? x->kind == y->kind || cells : cells && (x->object == WIDE || y->object == WIDE);
}

/* Two stores of one thread, the first made before the second: in the same order into memory? */
bool stores_ordered(const struct small *s, enum brute_model model, int first, int second)
{
	bool fence = false;
	for (int i = first; i < second; i++)
		fence |= s->ev[i].thread == s->ev[first].thread && s->ev[i].kind == EV_FENCE && releases(s->ev[i].order);
	return model == BRUTE_TSO || fence || spin_unlock(&s->ev[second]) || (s->ev[second].kind == EV_ASTORE && releases(s->ev[second].order)) ||
		overlap(&s->ev[first], &s->ev[second]);
}
