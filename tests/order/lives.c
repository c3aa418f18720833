/* tests/order/lives.c -- random runs in which mutexes and semaphores have more than one life, made by playing them on the machine of machine.c: made and
 * destroyed in the middle, by whoever comes along; left behind by a thread that ends and taken over; unlocked by one who has them not; tried for. */
#include <errno.h>
#include <string.h>

#include "tests/order/machine.h"
#include "wire/kinds.h"

enum { VARS = 2, SEMS = 2 };

struct play {
	struct small *s;
	struct things now;
	bool begun[MOST_THREADS], over[MOST_THREADS], joined[MOST_THREADS], signalled[MOST_THREADS];
	int waits[MOST_THREADS];        /* its lock + 1 */
	int reads[MOST_THREADS];        /* the read-write lock, so often */
	bool again, used;               /* lock 3 lies where 0 lay; and somebody had it */
	int only;                       /* half of the runs are about one mutex: which, or -1 */
};

static uint32_t rnd(uint64_t *seed, uint32_t n)
{
	*seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
	return (uint32_t)(*seed >> 20) % n;
}

/* It happens, if it can with this answer. */
static bool put(struct play *p, struct small_event e)
{
	if (p->s->count == MOST_EVENTS || !things_may(p->s, &p->now, &e, false))
		return false;
	things_go(p->s, &p->now, &e);
	p->s->ev[p->s->count++] = e;
	return true;
}

/* The first of these answers that can be. */
static bool put_one(struct play *p, struct small_event e, const int *answers)
{
	for (; *answers >= 0; answers++) {
		e.result = *answers;
		if (put(p, e))
			return true;
	}
	return false;
}

static const int had[] = { 0, EOWNERDEAD, -1 };

static int of(const struct play *p, int lock) { return lock == 0 && p->again ? 3 : lock; }

static void lock(struct play *p, int t, uint64_t *seed)
{
	int m = p->only >= 0 ? p->only : (int)rnd(seed, 9) / 4, how = (int)rnd(seed, 4);
	m = of(p, m);
	struct small_event e = { .thread = t, .kind = EV_LOCK, .object = m, .put = { (int)rnd(seed, 2) } };
	if (m == 2) {
		e.arg = (int)rnd(seed, 2);
		if (p->reads[t] || p->now.lock[2].holder == (unsigned)t + 1 || !put(p, e))
			return;
		p->reads[t] += e.arg;
		return;
	}
	e.arg = how == 1 ? LOCK_TRIED : how == 2 ? LOCK_TRIED | LOCK_TIMED : 0;
	if (p->now.lock[m].depth > 3 || put_one(p, e, had)) {
		p->used |= m == 3;
		return;
	}
	e.kind = EV_TRYFAIL;
	e.arg = 0;
	if (how)
		put_one(p, e, how == 1 ? (const int[]){ EINVAL, ENOTRECOVERABLE, EBUSY, -1 } : (const int[]){ EINVAL, ENOTRECOVERABLE, ETIMEDOUT, -1 });
}

static void unlock(struct play *p, int t, uint64_t *seed)
{
	int m = of(p, p->only >= 0 ? p->only : (int)rnd(seed, 3));
	struct small_event e = { .thread = t, .kind = EV_UNLOCK, .object = m, .arg = m == 2 && p->reads[t] };
	bool own = p->now.lock[m].holder == (unsigned)t + 1 && !p->now.lock[m].died;
	if (m == 2 ? own || p->reads[t] : own || rnd(seed, 8) == 0)
		put_one(p, e, (const int[]){ 0, EPERM, -1 });
	p->reads[t] = m == 2 ? 0 : p->reads[t];
}

/* Has each thread that is there been seen?  One that nobody makes begins with its first event. */
static bool all_seen(const struct play *p)
{
	bool seen[MOST_THREADS] = { false };
	int count = 0;
	for (int i = 0; i < p->s->count; i++) {
		seen[p->s->ev[i].thread] = true;
		if (p->s->ev[i].kind == EV_FORK)
			seen[p->s->ev[i].object] = true;
	}
	for (int t = 0; t < p->s->threads; t++)
		count += seen[t] || !p->begun[t];
	return count == p->s->threads;
}

/* Nobody has lock 0, or will when he wakes. */
static bool may_be_given_out(const struct play *p)
{
	bool idle = !p->now.lock[0].holder;
	for (int t = 0; t < MOST_THREADS; t++)
		idle &= p->waits[t] != 1;
	return idle;
}

static void make(struct play *p, int t, uint64_t *seed)
{
	bool sem = p->only < 0 && rnd(seed, 3) == 0;
	struct small_event e = { .thread = t, .kind = rnd(seed, 3) ? EV_LOCKINIT : EV_LOCKDEAD, .object = (int)rnd(seed, 2), .arg = (sem ? LOCK_SEM : LOCK_MUTEX) << 8,
		.put = { (int)rnd(seed, 3) } };
	e.object = sem ? e.object : of(p, p->only >= 0 ? p->only : e.object);
	if (!sem && e.object == 0 && rnd(seed, 3) == 0 && may_be_given_out(p)) {
		p->again = put(p, (struct small_event){ .thread = t, .kind = EV_ALLOC });
		return;
	}
	if ((sem && p->s->count + 2 > MOST_EVENTS) || !all_seen(p) || (!sem && e.object == 3 && !p->used))
		return;                         /* what lies in memory that was given out is not used before it is made */
	put_one(p, e, (const int[]){ 0, EBUSY, -1 });
	if (sem && e.kind == EV_LOCKINIT) {             /* behind it the trace has what was written there */
		e.kind = EV_LIBWRITE;
		put(p, e);
	}
}

static void semaphore(struct play *p, int t, uint64_t *seed)
{
	struct small_event e = { .thread = t, .kind = rnd(seed, 2) ? EV_SPOST : EV_SWAIT, .object = (int)rnd(seed, SEMS) };
	if (e.kind == EV_SPOST || rnd(seed, 3))
		put(p, e);
	else
		put_one(p, e, (const int[]){ 0, rnd(seed, 2) ? EAGAIN : ETIMEDOUT, -1 });
}

static void condition(struct play *p, int t, uint64_t *seed)
{
	int m = of(p, (int)rnd(seed, 2));
	const struct lock_now *l = &p->now.lock[m];
	if (rnd(seed, 2)) {
		put(p, (struct small_event){ .thread = t, .kind = EV_CSIGNAL });
		for (int i = 0; i < MOST_THREADS; i++)
			p->signalled[i] |= p->waits[i] != 0;
	} else if (l->holder == (unsigned)t + 1 && l->depth == 1 && !l->torn && put(p, (struct small_event){ .thread = t, .kind = EV_CWAIT, .arg = m })) {
		p->waits[t] = m + 1;
		p->signalled[t] = false;
	}
}

static void wake(struct play *p, int t, uint64_t *seed)
{
	struct small_event e = { .thread = t, .kind = EV_CWAKE, .arg = p->waits[t] - 1, .put = { 1 } };
	bool late = rnd(seed, 6) == 0;
	if ((late || p->signalled[t]) && put_one(p, e, late ? (const int[]){ ETIMEDOUT, -1 } : had))
		p->waits[t] = 0;
}

static void threads(struct play *p, int t, uint64_t *seed)
{
	int other = (int)rnd(seed, (uint32_t)p->s->threads);
	bool some = false;
	for (int i = 0; i < p->s->count; i++)
		some |= p->s->ev[i].thread == other;
	if (!p->begun[other])
		p->begun[other] = put(p, (struct small_event){ .thread = t, .kind = EV_FORK, .object = other });
	else if (p->over[other] && !p->joined[other] && some)
		p->joined[other] = put(p, (struct small_event){ .thread = t, .kind = EV_JOIN, .object = other });
	else if (rnd(seed, 2))
		p->over[t] = put(p, (struct small_event){ .thread = t, .kind = EV_END });
}

static void step(struct play *p, int t, uint64_t *seed)
{
	if (!p->begun[t] || p->over[t])
		return;
	if (p->waits[t]) {
		wake(p, t, seed);
		return;
	}
	int what = (int)rnd(seed, 14);
	switch (p->only >= 0 && (what == 9 || what == 10) ? 3 * (what - 9) + 3 : what) {
	case 0: case 1: case 2:
		put(p, (struct small_event){ .thread = t, .kind = rnd(seed, 2) ? EV_READ : EV_WRITE, .object = (int)rnd(seed, VARS) });
		break;
	case 3: case 4: case 5: lock(p, t, seed); break;
	case 6: case 7: unlock(p, t, seed); break;
	case 8: make(p, t, seed); break;
	case 9: case 10: semaphore(p, t, seed); break;
	case 11: condition(p, t, seed); break;
	default: threads(p, t, seed); break;
	}
}

void small_lives(struct small *s, int events, uint64_t *seed)
{
	struct play p = { .s = s, .only = (int)rnd(seed, 4) - 2 };
	p.only = p.only < 0 ? -1 : p.only;
	memset(s, 0, sizeof *s);
	s->lives = true;
	s->robust = rnd(seed, 2);
	s->threads = 2 + (int)rnd(seed, 2);
	for (int i = 0; i < SEMS; i++)
		s->sem_first[i] = (int)rnd(seed, 2);
	p.now = things_first(s);
	bool unforked = rnd(seed, 2);
	for (int t = 0; t < s->threads; t++)
		p.begun[t] = !t || unforked;
	for (int tries = 0; s->count < events && tries < 400; tries++)
		step(&p, (int)rnd(seed, (uint32_t)s->threads), seed);
}
