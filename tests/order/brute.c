/* tests/order/brute.c -- every interleaving and every prefix of a small run, by the rules of docs/order.md: a machine with threads,
 * locks and, under TSO and PSO, store buffers.  Shares nothing with order/: a state is positions of threads, who was signalled and
 * which stores wait; from each, every event that may go and every store that may reach memory.  Where locks have more than one life (machine.c) what
 * they are hangs on the order too, and is part of the state. */
#include <stdlib.h>
#include <string.h>

#include "tests/order/machine.h"
#include "tests/order/small.h"
#include "wire/kinds.h"

enum { STATES = 1 << 21, SLOTS = STATES * 2 };
struct state { int at[MOST_THREADS]; unsigned signalled, waiting; uint64_t things; };     /* waiting: bit per event; things: of machine.c, 0 where that is not asked */
struct key { uint64_t state, things; };
static struct key keys[STATES];
static uint8_t finishes[STATES];
static uint32_t slots[SLOTS], slot_of[STATES], state_count;             /* slots: state + 1 */
static const struct small *run;
static enum brute_model model;
static bool loosely;
static int of_thread[MOST_THREADS][MOST_EVENTS], length[MOST_THREADS];
static int place[MOST_EVENTS];          /* of an event in its thread */

static struct key number(const struct state *s)
{
	uint64_t n = (uint64_t)s->waiting << 4 | s->signalled;
	for (int t = 0; t < MOST_THREADS; t++)
		n = n << 5 | (uint64_t)s->at[t];
	return (struct key){ n, s->things };
}

static struct state state_of(struct key key)
{
	struct state s = { .things = key.things };
	uint64_t n = key.state;
	for (int t = MOST_THREADS; t-- > 0; n >>= 5)
		s.at[t] = (int)(n & 31);
	s.signalled = n & 15;
	s.waiting = (unsigned)(n >> 4);
	return s;
}

/* The index of a state; *fresh: met for the first time. */
static uint32_t index_of(struct key n, bool *fresh)
{
	uint32_t at = (uint32_t)((n.state ^ n.things * 0xd6e8feb86659fd93ull) * 0x9e3779b97f4a7c15ull >> 40) % SLOTS;
	while (slots[at] && (keys[slots[at] - 1].state != n.state || keys[slots[at] - 1].things != n.things))
		at = (at + 1) % SLOTS;
	*fresh = !slots[at];
	if (slots[at])
		return slots[at] - 1;
	if (state_count == STATES)
		abort();
	keys[state_count] = n;
	slot_of[state_count] = at;
	slots[at] = ++state_count;
	return state_count - 1;
}

static bool done(const struct state *s, int e) { return place[e] < s->at[run->ev[e].thread]; }
static bool waits(const struct state *s, int e) { return s->waiting >> e & 1; }

/* Does a store of this thread wait, of those made up to event `until`? */
static bool buffered(const struct state *s, int thread, int until)
{
	for (int i = 0; i <= until; i++)
		if (run->ev[i].thread == thread && waits(s, i))
			return true;
	return false;
}

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
			else if (e->kind == EV_UNLOCK && e->object == m && !waits(s, of_thread[t][i]))
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

static bool started(const struct state *x, int t)
{
	for (int e = 0; e < run->count; e++)
		if (run->ev[e].kind == EV_FORK && run->ev[e].object == t && !done(x, e))
			return false;
	return true;
}

/* Has what others needed of event e, all stores before it included, reached memory? */
static bool seen_by(const struct state *s, int e, int who)
{
	return done(s, e) && (run->ev[e].thread == who || run->ev[e].kind == EV_TRYFAIL || !buffered(s, run->ev[e].thread, e));
}

/* Who refused somebody gives its lock back afterwards; a spin lock when the store that does so reaches memory. */
static bool gives_later(int e, int before)
{
	return model != BRUTE_SC && spin_unlock(&run->ev[e]) && run->ev[before].kind == EV_TRYFAIL;
}

static bool may_go(const struct state *s, int e)
{
	const struct small_event *ev = &run->ev[e];
	if (saw_empties(e) && buffered(s, ev->thread, run->count - 1))
		return false;
	for (int i = 0; i < run->count; i++)
		if (saw_needs(e, i) && !gives_later(e, i) && !seen_by(s, i, ev->thread) && !(loosely && ev->kind == EV_END && run->ev[i].kind == EV_TRYFAIL))
			return false;
	if (run->lives) {
		struct things now = things_of(s->things);
		return things_may(run, &now, ev, loosely) && (ev->kind != EV_CWAKE || !saw_wants_signal(e) || s->signalled >> ev->thread & 1);
	}
	if (ev->kind == EV_LOCK)
		return lock_ok(s, ev->thread, ev->object, ev->arg & 1);
	if (ev->kind == EV_CWAKE)
		return (!saw_wants_signal(e) || s->signalled >> ev->thread & 1) && lock_ok(s, ev->thread, ev->arg, false);
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
	if (model != BRUTE_SC && (store_waits(ev) || spin_unlock(ev)))
		s.waiting |= 1u << e;
	if (run->lives) {
		struct things now = things_of(s.things);
		things_go(run, &now, ev);
		s.things = things_number(&now);
	}
	s.at[ev->thread]++;
	return s;
}

static bool may_flush(const struct state *s, int e)
{
	if (!waits(s, e))
		return false;
	for (int i = 0; i < e; i++)
		if (run->ev[i].thread == run->ev[e].thread && waits(s, i) && stores_ordered(run, model, i, e))
			return false;
	for (int i = 0; i < run->count; i++)
		if (saw_needs(e, i) && gives_later(e, i) && !done(s, i))
			return false;
	return true;
}

static struct state flush(struct state s, int e)
{
	s.waiting &= ~(1u << e);
	return s;
}

static uint8_t explore(struct state s)
{
	bool fresh, all = !s.waiting;
	uint32_t me = index_of(number(&s), &fresh);
	uint8_t any = 0;
	if (!fresh)
		return finishes[me];
	for (int e = 0; e < run->count; e++)
		if (may_flush(&s, e))
			any |= explore(flush(s, e));
	for (int t = 0; t < run->threads; t++) {
		if (s.at[t] == length[t])
			continue;
		all = false;
		if (may_go(&s, of_thread[t][s.at[t]]))
			any |= explore(go(s, of_thread[t][s.at[t]]));
	}
	return finishes[me] = all || any;
}

static struct state first_state(const struct small *s)
{
	struct things first = things_first(s);
	return (struct state){ .things = s->lives ? things_number(&first) : 0 };
}

static void prepare(const struct small *s, enum brute_model under)
{
	run = s;
	model = under;
	for (uint32_t i = 0; i < state_count; i++)
		slots[slot_of[i]] = 0;
	state_count = 0;
	memset(length, 0, sizeof length);
	for (int e = 0; e < s->count; e++) {
		int t = s->ev[e].thread;
		place[e] = length[t];
		of_thread[t][length[t]++] = e;
	}
	saw_prepare(s);
	explore(first_state(s));
}

void brute_prepare(const struct small *s, enum brute_model under)
{
	loosely = false;
	prepare(s, under);
}

void brute_loosely(const struct small *s, enum brute_model under)
{
	loosely = true;
	prepare(s, under);
}

static bool is_buffered(int e) { return model != BRUTE_SC && store_waits(&run->ev[e]); }

/* Can event e happen for the others now?  Its own outcome does not bind it. */
static bool is_next(const struct state *x, int e)
{
	if (is_buffered(e))
		return may_flush(x, e);
	return x->at[run->ev[e].thread] == place[e] && started(x, run->ev[e].thread);
}

static bool has_happened(const struct state *x, int e) { return done(x, e) && !waits(x, e); }

struct brute brute_reverse(int a, int b)
{
	struct brute out = { false, false };
	for (uint32_t i = 0; i < state_count; i++) {
		struct state x = state_of(keys[i]), next;
		if (has_happened(&x, a) || !is_next(&x, b))
			continue;
		out.can = true;
		if (!is_buffered(b) && !may_go(&x, b))
			continue;
		next = is_buffered(b) ? flush(x, b) : go(x, b);
		bool fresh;
		uint32_t n = index_of(number(&next), &fresh);
		out.can_complete |= !fresh && finishes[n];
	}
	return out;
}

bool brute_adjacent(int a, int b)
{
	for (uint32_t i = 0; i < state_count; i++) {
		struct state x = state_of(keys[i]);
		if (is_next(&x, a) && is_next(&x, b))
			return true;
	}
	return false;
}

/* Could it have happened by now: next, or past that? */
static bool is_reached(const struct state *x, int e)
{
	bool far = x->at[run->ev[e].thread] >= place[e] && started(x, run->ev[e].thread);
	return is_buffered(e) ? has_happened(x, e) || may_flush(x, e) : far;
}

bool brute_both(int a, int b, int c, int d)
{
	for (uint32_t i = 0; i < state_count; i++) {
		struct state x = state_of(keys[i]);
		if (!has_happened(&x, a) && !has_happened(&x, c) && is_reached(&x, b) && is_reached(&x, d))
			return true;
	}
	return false;
}

bool brute_without(int b, int a)
{
	for (uint32_t i = 0; i < state_count; i++) {
		struct state x = state_of(keys[i]);
		if (done(&x, b) && !done(&x, a))
			return true;
	}
	return false;
}

bool brute_refused(int e)
{
	for (uint32_t i = 0; i < state_count; i++) {
		struct state x = state_of(keys[i]);
		struct things now = things_of(x.things);
		const struct lock_now *l = &now.lock[run->ev[e].object];
		if (is_next(&x, e) && l->holder && l->holder != (unsigned)run->ev[e].thread + 1 && !l->died)
			return true;
	}
	return false;
}

bool brute_ends(void) { return finishes[0]; }

bool brute_stuck(void)
{
	for (uint32_t i = 0; i < state_count; i++)
		if (!finishes[i])
			return true;
	return false;
}

/* ---- values: states are also who wrote each byte last; what waits is seen by its own thread first ---- */

struct filled { struct state s; int8_t writer[MOST_BYTES]; };           /* event + 1; 0: the first value */
struct filled_key { uint64_t state, writers, things; };                 /* state + 1: all zero is none */
static struct { struct filled_key *key; uint32_t room, count; } known;

static struct filled_key filled_key(const struct filled *f)
{
	struct filled_key k = { number(&f->s).state + 1, 0, f->s.things };
	for (int i = 0; i < MOST_BYTES; i++)
		k.writers = k.writers * (MOST_EVENTS + 1) + (uint64_t)f->writer[i];
	return k;
}

/* False: it was there. */
static bool known_put(struct filled_key key)
{
	if (known.count * 2 >= known.room) {
		struct filled_key *old = known.key;
		uint32_t room = known.room;
		known.room = room ? 2 * room : 1 << 12;
		known.key = calloc(known.room, sizeof *known.key);
		known.count = 0;
		for (uint32_t i = 0; i < room; i++)
			if (old[i].state)
				known_put(old[i]);
		free(old);
	}
	uint32_t at = (uint32_t)(((key.state ^ key.things * 0xff51afd7ed558ccdull) * 0xd6e8feb86659fd93ull ^ key.writers) * 0x9e3779b97f4a7c15ull >> 32) & (known.room - 1);
	while (known.key[at].state && (known.key[at].state != key.state || known.key[at].writers != key.writers || known.key[at].things != key.things))
		at = (at + 1) & (known.room - 1);
	if (known.key[at].state)
		return false;
	known.key[at] = key;
	known.count++;
	return true;
}

/* The event whose write this thread finds there; -1: the first value. */
static int writer_for(const struct filled *f, int thread, int byte)
{
	for (int e = run->count; e-- > 0;)
		if (waits(&f->s, e) && run->ev[e].thread == thread && small_byte(&run->ev[e], byte & 1) == byte)
			return e;
	return f->writer[byte] - 1;
}

static int value_for(const struct filled *f, int thread, int byte)
{
	int writer = writer_for(f, thread, byte);
	return writer < 0 ? 0 : run->ev[writer].put[byte & 1];
}

static bool reads_its_own(const struct filled *f, int e)
{
	for (int i = 0; i < 2; i++) {
		int byte = small_byte(&run->ev[e], i);
		if (byte >= 0 && value_for(f, run->ev[e].thread, byte) != run->ev[e].got[i])
			return false;
	}
	return true;
}

static bool as_asked(const struct filled *f, const struct brute_read *q)
{
	int thread = run->ev[q->read].thread;
	for (int i = 0; i < 2; i++) {
		int byte = small_byte(&run->ev[q->read], i);
		bool shared = byte >= 0 && q->from >= 0 && small_byte(&run->ev[q->from], i) == byte;
		if (byte >= 0 && (q->from < 0 ? value_for(f, thread, byte) != q->value[i] : shared && writer_for(f, thread, byte) != q->from))
			return false;
	}
	return true;
}

/* What event e writes is in memory. */
static struct filled written(struct filled f, int e)
{
	for (int i = 0; i < 2; i++)
		if (small_writes(&run->ev[e]) && small_byte(&run->ev[e], i) >= 0)
			f.writer[small_byte(&run->ev[e], i)] = (int8_t)(e + 1);
	return f;
}

/* Is the read next in some state from here, with memory as asked for? */
static bool fill(struct filled f, const struct brute_read *q)
{
	int reader = run->ev[q->read].thread, other = q->beside - 1;
	if (!known_put(filled_key(&f)))
		return false;
	bool there = f.s.at[reader] == place[q->read] && started(&f.s, reader);
	if (there && other < 0 && as_asked(&f, q))
		return true;
	if (there && other >= 0 && f.s.at[run->ev[other].thread] == place[other] && started(&f.s, run->ev[other].thread))
		return true;
	for (int e = 0; e < run->count; e++)
		if (may_flush(&f.s, e)) {
			struct filled next = written(f, e);
			next.s = flush(f.s, e);
			if (fill(next, q))
				return true;
		}
	for (int t = 0; t < run->threads; t++) {
		int e = f.s.at[t] == length[t] ? -1 : of_thread[t][f.s.at[t]];
		if (e < 0 || e == q->read || e == other || !may_go(&f.s, e))
			continue;
		if (q->kept >> e & 1 && small_reads(&run->ev[e]) && !reads_its_own(&f, e))
			continue;
		struct filled next = f;
		next.s = go(f.s, e);
		if (!waits(&next.s, e))
			next = written(next, e);
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
	return fill((struct filled){ first_state(s), { 0 } }, q);
}
