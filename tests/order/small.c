/* tests/order/small.c -- see small.h.  A run is made by playing it: only what may happen next is taken. */
#include "tests/order/small.h"

#include <stdio.h>
#include <string.h>

#include "wire/kinds.h"

enum { LOCKS = 3, VARS = 2, SEMS = 2, CELLS = 2 };

struct play {
	struct small *s;
	int depth[LOCKS][MOST_THREADS], reads[LOCKS][MOST_THREADS];
	bool begun[MOST_THREADS], over[MOST_THREADS];
	int waits[MOST_THREADS], waits_lock[MOST_THREADS];      /* condition + 1 */
	bool signalled[MOST_THREADS];
	int value[SEMS];
	bool used[SEMS];
	int once;                       /* 0 nobody, 1 + t runs it, 9 ran */
	int in_barrier[MOST_THREADS], generation, came, members;
	bool is_rw[LOCKS], atomics;     /* atomics: many of them */
	int type[LOCKS];                /* enum lock_type */
};

static uint32_t rnd(uint64_t *seed, uint32_t n)
{
	*seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
	return (uint32_t)(*seed >> 20) % n;
}

static void put(struct play *p, int thread, int kind, int object, int arg)
{
	p->s->ev[p->s->count++] = (struct small_event){ .thread = thread, .kind = kind, .object = object, .arg = arg };
}

static void put_atomic(struct play *p, int thread, int kind, int arg, const char *orders, uint64_t *seed)
{
	put(p, thread, kind, kind == EV_FENCE ? 0 : (int)rnd(seed, CELLS), arg);
	p->s->ev[p->s->count - 1].order = orders[rnd(seed, (uint32_t)strlen(orders))] - '0';
}

/* Digits are memory orders as in enum mem_order. */
static void atomic_op(struct play *p, int t, uint64_t *seed)
{
	switch (rnd(seed, 8)) {
	case 0: case 1: put_atomic(p, t, EV_ASTORE, 0, "0335", seed); break;
	case 2: case 3: put_atomic(p, t, EV_ALOAD, 0, "0225", seed); break;
	case 4: put_atomic(p, t, EV_RMW, 0, "02345", seed); break;
	case 5: {
		bool failed = rnd(seed, 2);
		put_atomic(p, t, EV_CAS, failed, failed ? "025" : "02345", seed);
		break;
	}
	case 6: put_atomic(p, t, EV_FENCE, 0, "2345", seed); break;
	case 7: put(p, t, EV_WRITE, WIDE, 0); break;
	}
}

static int holders(const struct play *p, int m, int but, bool reading)
{
	int n = 0;
	for (int t = 0; t < MOST_THREADS; t++)
		n += t != but && (p->depth[m][t] || (!reading && p->reads[m][t]));
	return n;
}

static void try_lock(struct play *p, int t, uint64_t *seed)
{
	int m = (int)rnd(seed, LOCKS);
	bool reading = p->is_rw[m] && rnd(seed, 2);
	int others = holders(p, m, t, reading);
	if (p->reads[m][t] || (p->type[m] != LOCK_RECURSIVE && p->depth[m][t]))
		return;
	if (others == 1 && rnd(seed, 3) == 0 && !p->depth[m][t]) {
		put(p, t, EV_TRYFAIL, m, p->type[m] << 8 | reading);
	} else if (!others) {
		put(p, t, EV_LOCK, m, p->type[m] << 8 | reading);
		if (reading)
			p->reads[m][t]++;
		else
			p->depth[m][t]++;
	}
}

static void unlock(struct play *p, int t, uint64_t *seed)
{
	int from = (int)rnd(seed, LOCKS);
	for (int i = 0; i < LOCKS; i++) {
		int m = (from + i) % LOCKS;
		if (p->reads[m][t]) {
			p->reads[m][t]--;
			put(p, t, EV_UNLOCK, m, p->type[m] << 8 | 1);
			return;
		}
		if (p->depth[m][t]) {
			p->depth[m][t]--;
			put(p, t, EV_UNLOCK, m, p->type[m] << 8);
			return;
		}
	}
}

static void sync_op(struct play *p, int t, uint64_t *seed)
{
	int m = (int)rnd(seed, LOCKS), k = (int)rnd(seed, SEMS);
	switch (rnd(seed, 12)) {
	case 0:
		if (p->depth[m][t] == 1 && p->type[m] != LOCK_SPIN) {
			put(p, t, EV_CWAIT, 0, m);
			p->depth[m][t] = 0;
			p->waits[t] = 1;
			p->waits_lock[t] = m;
			p->signalled[t] = false;
		}
		break;
	case 1:
		put(p, t, rnd(seed, 2) ? EV_CSIGNAL : EV_CBROADCAST, 0, 0);
		for (int i = 0; i < MOST_THREADS; i++)
			p->signalled[i] |= p->waits[i];
		break;
	case 2:
		put(p, t, EV_SPOST, k, 0);
		p->value[k]++;
		break;
	case 3:
		if (p->value[k] > 0) {
			put(p, t, EV_SWAIT, k, 0);
			p->value[k]--;
		}
		break;
	case 4: case 5: case 9: case 10: atomic_op(p, t, seed); break;
	case 11: put(p, t, rnd(seed, 2) ? EV_SIGENTER : EV_SIGLEAVE, 10, 0); break;
	case 6: put(p, t, rnd(seed, 2) ? EV_RELEASE : EV_ACQUIRE, 0, 0); break;
	case 7:
		if (!p->once) {
			put(p, t, EV_ONCERUN, 0, 0);
			p->once = t + 1;
		} else if (p->once == t + 1) {
			put(p, t, EV_ONCE, 0, 1);
			p->once = 9;
		} else if (p->once == 9) {
			put(p, t, EV_ONCE, 0, 0);
		}
		break;
	case 8:
		if (t < p->members && !p->in_barrier[t]) {
			put(p, t, EV_BENTER, 0, p->generation);
			p->in_barrier[t] = p->generation;
			p->came++;
		}
		break;
	}
}

/* One step of thread t, or none. */
static void step(struct play *p, int t, uint64_t *seed)
{
	if (!p->begun[t] || p->over[t])
		return;
	if (p->waits[t]) {
		if ((p->signalled[t] || rnd(seed, 8) == 0) && !holders(p, p->waits_lock[t], t, false)) {
			put(p, t, EV_CWAKE, 0, p->waits_lock[t]);
			p->depth[p->waits_lock[t]][t] = 1;
			p->waits[t] = 0;
		}
		return;
	}
	if (p->in_barrier[t]) {
		if (p->in_barrier[t] < p->generation || p->came == p->members) {
			if (p->in_barrier[t] == p->generation)
				p->generation++, p->came = 0;
			put(p, t, EV_BLEAVE, 0, p->in_barrier[t]);
			p->in_barrier[t] = 0;
		}
		return;
	}
	if (p->atomics && rnd(seed, 2)) {
		atomic_op(p, t, seed);
		return;
	}
	switch (rnd(seed, 8)) {
	case 0: case 1: put(p, t, rnd(seed, 2) ? EV_READ : EV_WRITE, (int)rnd(seed, VARS), 0); break;
	case 2: case 3: try_lock(p, t, seed); break;
	case 4: unlock(p, t, seed); break;
	case 5: {
		int other = 1 + (int)rnd(seed, (uint32_t)p->s->threads);
		if (other < p->s->threads && !p->begun[other]) {
			put(p, t, EV_FORK, other, 0);
			p->begun[other] = true;
		}
		break;
	}
	case 6: {
		int other = (int)rnd(seed, (uint32_t)p->s->threads);
		bool some = false, free = other != t && p->begun[other] && !p->over[other] && !p->waits[other] && !p->in_barrier[other];
		for (int i = 0; i < p->s->count; i++)
			some |= p->s->ev[i].thread == other;
		if (free && some && other) {
			put(p, t, EV_JOIN, other, 0);
			p->over[other] = true;
		}
		break;
	}
	case 7: sync_op(p, t, seed); break;
	}
}

void small_random(struct small *s, int events, uint64_t *seed)
{
	struct play p = { .s = s, .generation = 1, .members = 2, .atomics = rnd(seed, 3) == 0 };
	memset(s, 0, sizeof *s);
	s->threads = 2 + (int)rnd(seed, MOST_THREADS - 1);
	p.begun[0] = true;
	for (int i = 0; i < SEMS; i++)
		s->sem_first[i] = p.value[i] = (int)rnd(seed, 2);
	p.is_rw[2] = true;
	memcpy(p.type, (int[]){ LOCK_RECURSIVE, rnd(seed, 2) ? LOCK_SPIN : LOCK_MUTEX, LOCK_RWLOCK }, sizeof p.type);
	bool unforked = rnd(seed, 2);
	for (int t = 1; t < s->threads; t++)
		p.begun[t] = unforked;
	for (int tries = 0; s->count < events && tries < 1000; tries++)
		step(&p, (int)rnd(seed, (uint32_t)s->threads), seed);
}

/* ---- every one ---- */

bool small_numbered(struct small *s, int n, uint64_t *at)
{
	enum { WAYS = 12 };             /* thread x (r w lock unlock tryfail fork-or-join) */
	uint64_t all = 1;
	for (int i = 0; i < n; i++)
		all *= WAYS;
	for (; *at < all; ++*at) {
		uint64_t code = *at;
		int depth[2] = { 0, 0 };
		bool forked = false, joined = false, ran[2] = { false, false }, good = true;
		memset(s, 0, sizeof *s);
		s->threads = 2;
		for (int i = 0; i < n && good; i++, code /= WAYS) {
			int t = (int)(code % 2), op = (int)(code / 2 % 6);
			struct small_event *e = &s->ev[s->count++];
			*e = (struct small_event){ .thread = t, .kind = op == 0 ? EV_READ : EV_WRITE };
			good = !(t == 1 && joined);
			switch (op) {
			case 2: good &= !depth[1 - t]; depth[t]++; e->kind = EV_LOCK; e->arg = LOCK_RECURSIVE << 8; break;
			case 3: good &= depth[t] > 0; depth[t]--; e->kind = EV_UNLOCK; e->arg = LOCK_RECURSIVE << 8; break;
			case 4: good &= depth[1 - t] > 0 && !depth[t]; e->kind = EV_TRYFAIL; e->arg = LOCK_RECURSIVE << 8; break;
			case 5:
				good &= t == 0 && (ran[1] ? !joined : !forked);
				e->kind = ran[1] ? EV_JOIN : EV_FORK;
				e->object = 1;
				*(ran[1] ? &joined : &forked) = true;
				break;
			}
			ran[t] = true;
		}
		if (good && ran[1]) {
			++*at;
			return true;
		}
	}
	return false;
}

bool small_weak_numbered(struct small *s, int n, uint64_t *at)
{
	static const struct small_event ops[] = { { .kind = EV_WRITE }, { .kind = EV_READ }, { .kind = EV_ASTORE, .order = ORDER_RELEASE },
		{ .kind = EV_ASTORE, .order = ORDER_RELAXED }, { .kind = EV_ALOAD, .order = ORDER_ACQUIRE },
		{ .kind = EV_ALOAD, .order = ORDER_RELAXED }, { .kind = EV_FENCE, .order = ORDER_ACQ_REL },
		{ .kind = EV_RMW, .order = ORDER_RELAXED }, { .kind = EV_WRITE, .object = WIDE } };
	enum { OPS = sizeof ops / sizeof *ops };
	uint64_t all = OPS;
	for (int i = 1; i < n; i++)
		all *= 2 * OPS;
	if (*at >= all)
		return false;
	uint64_t code = (*at)++;
	memset(s, 0, sizeof *s);
	s->threads = 2;
	for (int i = 0; i < n; i++) {
		s->ev[s->count] = ops[code % OPS];
		code /= OPS;
		s->ev[s->count++].thread = i ? (int)(code % 2) : 0;
		code /= i ? 2 : 1;
	}
	return true;
}

void small_print(const struct small *s)
{
	static const char *const words[EV_COUNT] = {
#define K(name, number, word, class, text) [number] = word,
		EVENT_KINDS(K)
#undef K
	};
	for (int i = 0; i < s->count; i++)
		printf("%2d: T%d %s %d %d, order %d, answer %d\n", i, s->ev[i].thread, words[s->ev[i].kind], s->ev[i].object, s->ev[i].arg, s->ev[i].order, s->ev[i].result);
	printf("first values of semaphores: %d %d\n", s->sem_first[0], s->sem_first[1]);
}
