/* tests/order/brute.c -- every interleaving and every prefix of a small run, by the rules of docs/order.md.
 * Shares nothing with order/: states are positions of threads and who was signalled; from each, every event that may go. */
#include <stdlib.h>
#include <string.h>

#include "tests/order/small.h"
#include "wire/kinds.h"

enum { STATES = 1 << 24 };
static uint8_t *reached, *finishes;     /* bit per state; 2: known */
static const struct small *run;
static int of_thread[MOST_THREADS][MOST_EVENTS], length[MOST_THREADS];
static int place[MOST_EVENTS];          /* of an event in its thread */
static int after[MOST_EVENTS][MOST_EVENTS], afters[MOST_EVENTS];        /* events that must be done before */
static bool wants_signal[MOST_EVENTS];
static uint32_t list[1 << 20];
static uint32_t list_count;

struct state { int at[MOST_THREADS]; unsigned signalled; };

static uint32_t number(const struct state *s)
{
	uint32_t n = s->signalled;
	for (int t = 0; t < MOST_THREADS; t++)
		n = n * 25 + (uint32_t)s->at[t];
	return n;
}

static struct state state_of(uint32_t n)
{
	struct state s;
	for (int t = MOST_THREADS; t-- > 0; n /= 25)
		s.at[t] = (int)(n % 25);
	s.signalled = n;
	return s;
}

static bool done(const struct state *s, int e) { return place[e] < s->at[run->ev[e].thread]; }

/* Who has lock m: depth of each thread's hold; a cond wait lets go. */
static void holds(const struct state *s, int m, int *writes, int *reads)
{
	for (int t = 0; t < run->threads; t++) {
		writes[t] = reads[t] = 0;
		for (int i = 0; i < s->at[t]; i++) {
			const struct small_event *e = &run->ev[of_thread[t][i]];
			int *which = e->arg & 1 ? reads : writes;
			if (e->kind == EV_LOCK && e->object == m)
				which[t]++;
			else if (e->kind == EV_UNLOCK && e->object == m)
				which[t]--;
			else if (e->kind == EV_CWAIT && e->arg == m)
				writes[t]--;
			else if (e->kind == EV_CWAKE && e->arg == m)
				writes[t]++;
		}
	}
}

static bool lock_ok(const struct state *s, int t, int m, bool reading)
{
	int writes[MOST_THREADS], reads[MOST_THREADS];
	holds(s, m, writes, reads);
	for (int i = 0; i < run->threads; i++)
		if (i != t && (writes[i] || (reads[i] && !reading)))
			return false;
	return true;
}

static bool may_go(const struct state *s, int e)
{
	const struct small_event *ev = &run->ev[e];
	for (int i = 0; i < afters[e]; i++)
		if (!done(s, after[e][i]))
			return false;
	if (ev->kind == EV_LOCK)
		return lock_ok(s, ev->thread, ev->object, ev->arg & 1);
	if (ev->kind == EV_CWAKE)
		return (!wants_signal[e] || s->signalled >> ev->thread & 1) && lock_ok(s, ev->thread, ev->arg, false);
	if (ev->kind == EV_SWAIT) {
		int value = run->sem_first[ev->object];
		for (int i = 0; i < run->count; i++)
			if (done(s, i) && run->ev[i].object == ev->object)
				value += run->ev[i].kind == EV_SPOST ? 1 : run->ev[i].kind == EV_SWAIT ? -1 : 0;
		return value > 0;
	}
	return true;
}

static struct state go(struct state s, int e)
{
	const struct small_event *ev = &run->ev[e];
	if (ev->kind == EV_CSIGNAL || ev->kind == EV_CBROADCAST)
		for (int t = 0; t < run->threads; t++) {
			const struct small_event *last = s.at[t] ? &run->ev[of_thread[t][s.at[t] - 1]] : NULL;
			if (last && last->kind == EV_CWAIT && last->object == ev->object)
				s.signalled |= 1u << t;
		}
	if (ev->kind == EV_CWAKE)
		s.signalled &= ~(1u << ev->thread);
	s.at[ev->thread]++;
	return s;
}

static void explore(uint32_t n)
{
	if (reached[n])
		return;
	reached[n] = 1;
	list[list_count++] = n;
	struct state s = state_of(n);
	bool any = false, all = true;
	finishes[n] = 0;
	for (int t = 0; t < run->threads; t++) {
		if (s.at[t] == length[t])
			continue;
		all = false;
		int e = of_thread[t][s.at[t]];
		if (!may_go(&s, e))
			continue;
		struct state next = go(s, e);
		uint32_t m = number(&next);
		explore(m);
		any |= finishes[m];
	}
	finishes[n] = all || any;
}

static void need(int e, int before)
{
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
	int lock = run->ev[e].object, last = taken_before(e, lock);
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

/* What event e saw in the observed run, and so needs. */
static void look_back(int e)
{
	const struct small_event *ev = &run->ev[e];
	switch (ev->kind) {
	case EV_JOIN:
		for (int i = 0; i < e; i++)
			if (run->ev[i].thread == ev->object)
				need(e, i);
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
	case EV_ALOAD: case EV_RMW:             /* back over read-modify-writes to the store that began it */
		for (int i = e; i-- > 0;) {
			const struct small_event *x = &run->ev[i];
			if (x->object != ev->object || (x->kind != EV_ASTORE && x->kind != EV_RMW))
				continue;
			need(e, i);
			if (x->kind == EV_ASTORE)
				break;
		}
		break;
	case EV_CWAKE:
		for (int i = e; i-- > 0 && !(run->ev[i].thread == ev->thread && run->ev[i].kind == EV_CWAIT);)
			if ((run->ev[i].kind == EV_CSIGNAL || run->ev[i].kind == EV_CBROADCAST) && run->ev[i].object == ev->object)
				wants_signal[e] = true;
		break;
	}
}

void brute_prepare(const struct small *s)
{
	run = s;
	if (!reached) {
		reached = calloc(STATES, 1);
		finishes = calloc(STATES, 1);
	}
	for (uint32_t i = 0; i < list_count; i++)
		reached[list[i]] = 0;
	list_count = 0;
	memset(length, 0, sizeof length);
	memset(afters, 0, sizeof afters);
	memset(wants_signal, 0, sizeof wants_signal);
	for (int e = 0; e < s->count; e++) {
		int t = s->ev[e].thread;
		place[e] = length[t];
		of_thread[t][length[t]++] = e;
	}
	for (int e = 0; e < s->count; e++) {
		look_back(e);
		if (s->ev[e].kind == EV_FORK && length[s->ev[e].object])
			need(of_thread[s->ev[e].object][0], e);
	}
	struct state start = { { 0 }, 0 };
	explore(number(&start));
}

static bool started(const struct state *x, int t)
{
	for (int e = 0; e < run->count; e++)
		if (run->ev[e].kind == EV_FORK && run->ev[e].object == t && !done(x, e))
			return false;
	return true;
}

struct brute brute_reverse(const struct small *s, int a, int b)
{
	struct brute out = { false, false };
	for (uint32_t i = 0; i < list_count; i++) {
		struct state x = state_of(list[i]);
		if (x.at[s->ev[b].thread] != place[b] || x.at[s->ev[a].thread] > place[a])
			continue;
		if (!started(&x, s->ev[b].thread))
			continue;
		out.can = true;
		if (may_go(&x, b)) {
			struct state next = go(x, b);
			out.can_complete |= finishes[number(&next)];
		}
	}
	return out;
}

bool brute_adjacent(const struct small *s, int a, int b)
{
	for (uint32_t i = 0; i < list_count; i++) {
		struct state x = state_of(list[i]);
		if (x.at[s->ev[b].thread] == place[b] && x.at[s->ev[a].thread] == place[a] &&
			started(&x, s->ev[a].thread) && started(&x, s->ev[b].thread))
			return true;
	}
	return false;
}

bool brute_needs(int event, int before)
{
	for (int i = 0; i < afters[event]; i++)
		if (after[event][i] == before)
			return true;
	return false;
}

bool brute_wants_signal(int event)
{
	return wants_signal[event];
}

bool brute_stuck(void)
{
	for (uint32_t i = 0; i < list_count; i++)
		if (!finishes[list[i]])
			return true;
	return false;
}

/* ---- values: states are also who wrote each byte last ---- */

struct filled { struct state s; int8_t writer[MOST_BYTES]; };           /* event + 1; 0: the first value */
static struct { uint64_t *key; uint32_t room, count; } known;

static uint64_t filled_number(const struct filled *f)
{
	uint64_t n = number(&f->s);
	for (int i = 0; i < MOST_BYTES; i++)
		n = n * (MOST_EVENTS + 1) + (uint64_t)f->writer[i];
	return n + 1;
}

/* False: it was there. */
static bool known_put(uint64_t key)
{
	if (known.count * 2 >= known.room) {
		uint64_t *old = known.key;
		uint32_t room = known.room;
		known.room = room ? 2 * room : 1 << 12;
		known.key = calloc(known.room, sizeof *known.key);
		known.count = 0;
		for (uint32_t i = 0; i < room; i++)
			if (old[i])
				known_put(old[i]);
		free(old);
	}
	uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (known.room - 1);
	while (known.key[at] && known.key[at] != key)
		at = (at + 1) & (known.room - 1);
	if (known.key[at])
		return false;
	known.key[at] = key;
	known.count++;
	return true;
}

static int value_in(const struct filled *f, int byte)
{
	int writer = f->writer[byte] - 1;
	return writer < 0 ? 0 : run->ev[writer].put[byte & 1];
}

static bool reads_its_own(const struct filled *f, int e)
{
	for (int i = 0; i < 2; i++) {
		int byte = small_byte(&run->ev[e], i);
		if (byte >= 0 && value_in(f, byte) != run->ev[e].got[i])
			return false;
	}
	return true;
}

static bool as_asked(const struct filled *f, const struct brute_read *q)
{
	for (int i = 0; i < 2; i++) {
		int byte = small_byte(&run->ev[q->read], i);
		bool shared = byte >= 0 && q->from >= 0 && small_byte(&run->ev[q->from], i) == byte;
		if (byte >= 0 && (q->from < 0 ? value_in(f, byte) != q->value[i] : shared && f->writer[byte] != q->from + 1))
			return false;
	}
	return true;
}

/* Is the read next in some state from here, with memory as asked for? */
static bool fill(struct filled f, const struct brute_read *q)
{
	int reader = run->ev[q->read].thread;
	if (!known_put(filled_number(&f)))
		return false;
	if (f.s.at[reader] == place[q->read] && started(&f.s, reader) && as_asked(&f, q))
		return true;
	for (int t = 0; t < run->threads; t++) {
		int e = f.s.at[t] == length[t] ? -1 : of_thread[t][f.s.at[t]];
		if (e < 0 || e == q->read || !may_go(&f.s, e))
			continue;
		if (q->kept >> e & 1 && small_reads(&run->ev[e]) && !reads_its_own(&f, e))
			continue;
		struct filled next = f;
		next.s = go(f.s, e);
		for (int i = 0; i < 2; i++)
			if (small_writes(&run->ev[e]) && small_byte(&run->ev[e], i) >= 0)
				next.writer[small_byte(&run->ev[e], i)] = (int8_t)(e + 1);
		if (fill(next, q))
			return true;
	}
	return false;
}

bool brute_reads(const struct small *s, const struct brute_read *q)
{
	run = s;
	if (known.room)
		memset(known.key, 0, known.room * sizeof *known.key);
	known.count = 0;
	return fill((struct filled){ { { 0 }, 0 }, { 0 } }, q);
}
