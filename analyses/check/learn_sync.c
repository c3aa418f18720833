/* analyses/check/learn_sync.c -- what a run shows of locks, conditions, semaphores, barriers and onces.
 * Whether a call would have waited is not told by its event but by its point (wire/steer.h). */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "analyses/check/learn_inside.h"

bool deed_is_told(const struct node *n)
{
	return n->deed == DEED_LOCK || n->deed == DEED_DOWN || n->deed == DEED_ONCE || n->deed == DEED_LEAVE || n->deed == DEED_WAKE || n->deed == DEED_CHOOSE ||
		n->deed == DEED_RESULT;
}

static void uses(struct learning *l, uint32_t thread, uint64_t object, uint32_t bytes)
{
	threads_uses_object(l->t, thread, object, bytes);
	scopes_touch(&l->scopes, l->t, thread, object, bytes, TOUCH_LOCK);
}

static struct node asked(const struct learning *l, uint32_t thread, enum deed deed, uint64_t object)
{
	bool waits = l->how[thread] & POINT_MAY_WAIT;
	return (struct node){ .deed = (uint8_t)deed, .object = object, .tried = !waits, .timed = waits && l->how[thread] & POINT_HAS_DEADLINE };
}

static void locked(struct learning *l, uint32_t thread, const struct event *ev)
{
	uint64_t type = ev->arg >> 8;
	struct node deed = asked(l, thread, ev->kind == EV_UNLOCK ? DEED_UNLOCK : DEED_LOCK, ev->object);
	deed.recursive = type == LOCK_RECURSIVE;
	deed.reading = ev->arg & LOCK_FOR_READING;
	if (deed.deed == DEED_UNLOCK)
		deed.tried = deed.timed = false;
	bool weak = l->t->model != MODEL_SC;
	deed.waits = weak && (deed.deed == DEED_UNLOCK ? type == LOCK_SPIN : deed.tried && type != LOCK_SPIN);
	deed.release = deed.waits && deed.deed == DEED_UNLOCK;
	bool checks_owner = type == LOCK_ERRORCHECK || type == LOCK_RECURSIVE || type == LOCK_RWLOCK;
	bool told = ev->kind == EV_TRYFAIL && (ev->result == EBUSY || ev->result == ETIMEDOUT);
	if (type == LOCK_COND || type == LOCK_GUARD || type == LOCK_USER || l->how[thread] & POINT_STANDS_BACK || (ev->result && !told && (!checks_owner || (ev->result == EINVAL && type != LOCK_RWLOCK))))
		learn_trouble(l->t, ev, "a lock of a kind that is not explored yet");
	if (ev->result && !told)
		deed = (struct node){ .deed = DEED_REFUSED, .object = ev->object, .value = (uint64_t)ev->result };
	uses(l, thread, ev->object, lock_type_bytes(type));
	uint32_t node = l->at[thread];
	learn_did(l, thread, ev, deed, told ? (uint64_t)ev->result : 0, 0);
	l->state[thread] = 0;
	loops_looked(l, thread, ev, node, (uint64_t)ev->result);
}

static void condition(struct learning *l, uint32_t thread, const struct event *ev)
{
	static const uint8_t deeds[] = { DEED_WAIT, DEED_WAKE, DEED_SIGNAL, DEED_BROADCAST };
	struct node deed = { .deed = deeds[ev->kind - EV_CWAIT], .object = ev->object };
	bool late = ev->kind == EV_CWAKE && ev->result == ETIMEDOUT;
	if (ev->kind == EV_CWAIT || ev->kind == EV_CWAKE)
		deed.second = ev->arg;
	if (ev->kind == EV_CWAKE)
		deed.timed = l->how[thread] & POINT_HAS_DEADLINE;
	uses(l, thread, ev->object, lock_type_bytes(LOCK_COND));
	if (ev->result && !late && ev->kind != EV_CWAIT)
		learn_trouble(l->t, ev, "a call on a condition variable that fails");
	learn_did(l, thread, ev, deed, late ? ETIMEDOUT : 0, 0);
}

static void semaphore(struct learning *l, uint32_t thread, const struct event *ev)
{
	struct node deed = asked(l, thread, DEED_DOWN, ev->object);
	if (ev->kind == EV_SPOST)
		deed = (struct node){ .deed = DEED_UP, .object = ev->object };
	if (ev->result && (ev->kind == EV_SPOST || (ev->result != EAGAIN && ev->result != ETIMEDOUT)))
		learn_trouble(l->t, ev, "a call on a semaphore that fails");
	uses(l, thread, ev->object, lock_type_bytes(LOCK_SEM));
	learn_did(l, thread, ev, deed, (uint64_t)ev->result, 0);
}

static void barrier(struct learning *l, uint32_t thread, const struct event *ev)
{
	struct node deed = { .deed = ev->kind == EV_BENTER ? DEED_ARRIVE : DEED_LEAVE, .object = ev->object };
	if (deed.deed == DEED_LEAVE && l->points[thread] == l->before[thread])
		l->before[thread]--;            /* who comes last leaves without a point of its own */
	uses(l, thread, ev->object, lock_type_bytes(LOCK_BARRIER));
	learn_did(l, thread, ev, deed, ev->kind == EV_BLEAVE && ev->result == PTHREAD_BARRIER_SERIAL_THREAD, 0);
}

/* A library's own, of which nobody else has ever heard (libgcc's, when a thread is left by pthread_exit). */
static bool is_inside_library(const struct threads *t, const struct event *ev)
{
	for (size_t i = 0; i < t->images.count; i++)
		if (!t->images.at[i] || image_byte(t->images.at[i], ev->object) >= 0)
			return false;
	return !*ev->place->file && !threads_has_block(t, ev->object);
}

static void once(struct learning *l, uint32_t thread, const struct event *ev)
{
	if (is_inside_library(l->t, ev))
		return;
	struct node deed = { .deed = ev->kind == EV_ONCE && ev->arg ? DEED_ONCE_DONE : DEED_ONCE, .object = ev->object };
	if (ev->result)
		learn_trouble(l->t, ev, "a once that is left by another way is not explored yet");
	uses(l, thread, ev->object, sizeof(pthread_once_t));
	learn_did(l, thread, ev, deed, ev->kind == EV_ONCERUN, 0);
}

static void life(struct learning *l, const struct event *ev)
{
	uint64_t type = ev->arg >> 8;
	if (l->others)
		learn_trouble(l->t, ev, "a lock that is made or goes while threads run is not explored yet");
	if (ev->kind == EV_LOCKINIT && !ev->result && (type == LOCK_SEM || type == LOCK_BARRIER)) {
		l->made_at = ev->object;
		l->made = type;
	}
}

bool learn_made(struct learning *l, uint32_t thread, const struct event *ev)
{
	uint32_t words[3] = { 0 };
	if (!l->made || ev->object != l->made_at || ev->byte_count < sizeof words)
		return false;
	memcpy(words, ev->bytes, sizeof words);
	uint64_t value = l->made == LOCK_SEM ? words[0] : (uint64_t)words[2] << 16;
	if (value > UINT32_MAX)
		learn_trouble(l->t, ev, "a barrier for more than 65535 threads");
	learn_did(l, thread, ev, (struct node){ .deed = DEED_INIT, .object = ev->object, .value = value }, 0, 0);
	return true;
}

bool learn_sync(struct learning *l, uint32_t thread, const struct event *ev)
{
	l->made = ev->kind == EV_LIBWRITE ? l->made : 0;
	if (ev->kind >= EV_LOCKINIT && ev->kind <= EV_FWAKE)
		loops_leave(l, thread);
	switch (ev->kind) {
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: locked(l, thread, ev); return true;
	case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST: condition(l, thread, ev); return true;
	case EV_SWAIT: case EV_SPOST: semaphore(l, thread, ev); return true;
	case EV_BENTER: case EV_BLEAVE: barrier(l, thread, ev); return true;
	case EV_ONCE: case EV_ONCERUN: once(l, thread, ev); return true;
	case EV_LOCKINIT: case EV_LOCKDEAD: life(l, ev); return true;
	default: return false;
	}
}

/* A thread stands before a create that it must not make. */
static void at_bound(struct threads *t)
{
	t->bounded = true;
	t->too_many |= t->is_unbounded;
	if (t->too_many && !*t->trouble)
		snprintf(t->trouble, sizeof t->trouble, "more than 127 threads");
}

void learn_waiting(struct learning *l, uint32_t thread, const struct steer_thread *x, uint32_t other)
{
	struct node *n = &l->t->nodes.at[l->at[thread]];
	struct node deed = { .object = x->object, .timed = x->how & POINT_HAS_DEADLINE, .reading = x->how & POINT_SHARES, .other = other };
	switch (x->kind) {
	case EV_LOCK: deed.deed = DEED_LOCK; break;
	case EV_SWAIT: deed.deed = DEED_DOWN; break;
	case EV_ONCE: deed.deed = DEED_ONCE; break;
	case EV_JOIN: deed.deed = DEED_JOIN; deed.object = 0; break;
	case EV_FORK: deed.deed = DEED_NEVER; at_bound(l->t); break;
	case EV_ASSUME: deed.deed = DEED_NEVER; break;
	case EV_CWAKE: deed.deed = DEED_WAKE; deed.second = n->parent == NO_NODE ? 0 : l->t->nodes.at[n->parent].second; break;
	default: return;
	}
	n->deed = deed.deed;
	l->t->has_assumptions |= n->deed == DEED_NEVER;
	n->object = deed.object;
	n->second = deed.second;
	n->other = deed.other;
	n->timed = deed.timed;
	n->reading = deed.reading;
	uint64_t waited = l->join_points[thread] - l->joins[thread] - (x->kind == EV_JOIN);     /* of a join's two points one is passed */
	bool is_passed = x->kind == EV_JOIN || x->state != STRAND_AT_POINT;     /* the point */
	n->points = (uint32_t)(x->done - waited - l->before[thread]) + !is_passed;
	threads_find_cell(l->t, n);
	l->t->grown |= n->deed == DEED_JOIN;
}
