/* tests/order/machine.c -- mutexes and semaphores that have more than one life, as glibc has them: what an event of a run that has such may do and
 * does.  Shares nothing with order/.
 *
 *   init       a mutex is free and whole from then on, a semaphore has its value, whatever was there and whoever had it
 *   destroy    of a mutex somebody has: EBUSY, but of a robust one; then EINVAL to whoever locks it, until it is made again.  Of a semaphore: nothing
 *   unlock     recursive and robust: by the one who has it, else EPERM.  Normal: it is free, whoever had it
 *   robust     its owner ends: the next to lock it has EOWNERDEAD.  It is for him to make it consistent; did he not, nobody has it again once
 *              it is unlocked (ENOTRECOVERABLE)
 *   semaphore  taken when it is not 0; tried for and not had when it is
 *
 * Exactly, every event has the answer it had (docs/order.md, "Outcomes are kept").  Loosely, which answer a lock gives once it is had is left open, and
 * so is what is refused for another reason than that somebody has it: order/ makes no difference there, and says so where it matters. */
#include <errno.h>

#include "tests/order/machine.h"
#include "wire/kinds.h"

static bool of_sem(const struct small_event *e) { return e->arg >> 8 == LOCK_SEM; }
static int mutex_of(const struct small_event *e) { return e->kind == EV_CWAIT || e->kind == EV_CWAKE ? e->arg : e->object; }
static bool is_robust(const struct small *s, int m) { return m == 1 && s->robust; }
static bool is_normal(const struct small *s, int m) { return m == 1 && !s->robust; }

static bool may_lock(const struct small *s, const struct things *now, const struct small_event *e, bool loosely)
{
	int m = mutex_of(e), self = e->thread + 1;
	const struct lock_now *l = &now->lock[m];
	if (e->kind == EV_LOCK && e->arg & LOCK_FOR_READING)
		return !l->holder;
	bool left = l->died && is_robust(s, m), own = l->holder == self && !is_normal(s, m) && !is_robust(s, m);
	if (loosely)
		return left || own || (!l->holder && !l->readers);
	if (l->gone || l->bad)
		return false;
	return e->result == EOWNERDEAD ? left : !left && (own || (!l->holder && !l->readers));
}

static bool may_fail(const struct things *now, const struct small_event *e, bool loosely)
{
	const struct lock_now *l = &now->lock[e->object];
	switch (e->result) {
	case EINVAL:          return loosely || l->gone;
	case ENOTRECOVERABLE: return loosely || l->bad;
	default:              return (l->holder && l->holder != e->thread + 1 && (loosely || !l->died)) || (l->readers && !(e->arg & LOCK_FOR_READING));
	}
}

static bool may_unlock(const struct small *s, const struct things *now, const struct small_event *e, bool loosely)
{
	int m = mutex_of(e);
	bool own = now->lock[m].holder == e->thread + 1;
	if (loosely || is_normal(s, m) || (e->kind == EV_UNLOCK && e->arg & LOCK_FOR_READING))
		return true;
	return e->result ? !own : own;
}

bool things_may(const struct small *s, const struct things *now, const struct small_event *e, bool loosely)
{
	switch (e->kind) {
	case EV_LOCK: case EV_CWAKE: return may_lock(s, now, e, loosely);
	case EV_TRYFAIL:             return may_fail(now, e, loosely);
	case EV_UNLOCK: case EV_CWAIT: return may_unlock(s, now, e, loosely);
	case EV_SWAIT:               return e->result ? loosely || !now->sem[e->object] : now->sem[e->object] > 0;
	case EV_LOCKDEAD:
		if (loosely || of_sem(e) || is_robust(s, e->object))
			return true;
		return !now->lock[e->object].holder == !e->result;
	default:
		return true;
	}
}

static void take(struct lock_now *l, const struct small_event *e)
{
	if (e->kind == EV_LOCK && e->arg & LOCK_FOR_READING)
		l->readers++;
	else if (l->holder == e->thread + 1 && !l->died)
		l->depth++;
	else
		*l = (struct lock_now){ .holder = e->thread + 1, .depth = 1, .torn = e->result == EOWNERDEAD && !e->put[0], .gone = l->gone };
}

static void give(const struct small *s, struct lock_now *l, const struct small_event *e)
{
	bool own = l->holder == e->thread + 1;
	if (e->kind == EV_UNLOCK && e->arg & LOCK_FOR_READING) {
		l->readers -= l->readers > 0;
		return;
	}
	if (e->result || (!own && !is_normal(s, mutex_of(e))) || (own && e->kind == EV_UNLOCK && --l->depth))
		return;
	l->bad |= l->torn;
	l->holder = l->depth = l->torn = l->died = 0;
}

void things_go(const struct small *s, struct things *now, const struct small_event *e)
{
	switch (e->kind) {
	case EV_LOCK: case EV_CWAKE: take(&now->lock[mutex_of(e)], e); break;
	case EV_UNLOCK: case EV_CWAIT: give(s, &now->lock[mutex_of(e)], e); break;
	case EV_END:
		now->lock[1].died |= is_robust(s, 1) && now->lock[1].holder == e->thread + 1;
		break;
	case EV_SWAIT: now->sem[e->object] -= !e->result; break;
	case EV_SPOST: now->sem[e->object]++; break;
	case EV_LOCKINIT:
		if (of_sem(e))
			now->sem[e->object] = e->put[0];
		else
			now->lock[e->object] = (struct lock_now){ 0 };
		break;
	case EV_LOCKDEAD:
		if (!of_sem(e) && !e->result)
			now->lock[e->object].gone = 1;
		break;
	}
}

uint64_t things_number(const struct things *now)
{
	uint64_t n = 0;
	for (int m = 0; m < LIVES_LOCKS; m++) {
		const struct lock_now *l = &now->lock[m];
		n = n << 13 | (uint64_t)(l->holder | l->depth << 3 | l->readers << 6 | l->died << 9 | l->torn << 10 | l->bad << 11 | l->gone << 12);
	}
	return n << 10 | (uint64_t)(now->sem[0] << 5 | now->sem[1]);
}

struct things things_of(uint64_t n)
{
	struct things now = { .sem = { (int)(n >> 5 & 31), (int)(n & 31) } };
	n >>= 10;
	for (int m = LIVES_LOCKS; m-- > 0; n >>= 13)
		now.lock[m] = (struct lock_now){ n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9 & 1, n >> 10 & 1, n >> 11 & 1, n >> 12 & 1 };
	return now;
}

struct things things_first(const struct small *s)
{
	return (struct things){ .sem = { s->sem_first[0], s->sem_first[1] } };
}

/* Does the lock go from whoever had it, by this event? */
static bool had(const struct things *now, int m) { return now->lock[m].holder && !now->lock[m].died; }

void things_met(const struct small *s, int try, int *begun, int *ended)
{
	struct things now = things_first(s);
	int m = s->ev[try].object, since = -1;
	*begun = *ended = -1;
	for (int i = 0; i < s->count; i++) {
		struct things before = now;
		things_go(s, &now, &s->ev[i]);
		if (now.lock[m].holder && (!had(&before, m) || now.lock[m].holder != before.lock[m].holder))
			since = i;
		if (i == try && had(&before, m))
			*begun = since;
		if (i > try && *begun >= 0 && had(&before, m) && (!had(&now, m) || since != *begun)) {
			*ended = i;
			return;
		}
	}
}

bool things_left(const struct small *s)
{
	struct things now = things_first(s);
	bool left = false;
	for (int i = 0; i < s->count; i++) {
		things_go(s, &now, &s->ev[i]);
		left |= now.lock[1].died;
	}
	return left;
}

bool things_second(const struct small *s)
{
	struct things now = things_first(s);
	bool second = false;
	for (int i = 0; i < s->count && !second; i++) {
		const struct small_event *e = &s->ev[i];
		bool made = e->kind == EV_LOCKINIT || e->kind == EV_ALLOC, foreign = e->kind == EV_UNLOCK && !e->result && !(e->arg & LOCK_FOR_READING);
		for (int k = 0; k < i && made; k++)
			second |= s->ev[k].kind >= EV_LOCK && s->ev[k].kind <= EV_SPOST && s->ev[k].object == e->object;
		second |= e->result == EOWNERDEAD || (foreign && now.lock[e->object].holder != (unsigned)e->thread + 1);
		things_go(s, &now, e);
	}
	return second;
}

bool things_had(const struct small *s, int e)
{
	struct things now = things_first(s);
	for (int i = 0; i < e; i++)
		things_go(s, &now, &s->ev[i]);
	return now.lock[s->ev[e].object].holder == (unsigned)s->ev[e].thread + 1;
}
