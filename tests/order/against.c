/* tests/order/against.c -- the engine against brute force and against Z3.
 *   against all N           every run of at most N events, 2 threads, 1 variable, 1 lock
 *   against weak N          every run of N accesses, atomics and fences, 2 threads
 *   against random N [SEED] N random ones of up to 12 events and more, 4 threads, 3 locks, all primitives
 *   against lives N [SEED]  N random ones whose mutexes and semaphores have more than one life
 *   against z3 N [SEED]     N questions of random runs, asked of Z3
 *   against all-reads N     every run of at most N events as above, with values: can a read return another value
 *   against weak-reads N    every run of N accesses, atomics and fences, with values
 *   against reads N [SEED]  N random runs: can a read return another value, of brute force; one in ten of Z3 too
 *   against refute N [SEED] N random runs: refutations of every no, read by their checker
 * Prints "N passed, M failed": a run passes when the engine answers every question as the oracle does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order.h"
#include "tests/order/engine.h"
#include "tests/order/machine.h"

static bool is_access(const struct small_event *e)
{
	return e->kind == EV_READ || e->kind == EV_WRITE || e->kind == EV_ALOAD || e->kind == EV_RMW || e->kind == EV_ASTORE || e->kind == EV_CAS;
}

/* Nothing but its place in the order makes it possible: `stuck` is told exactly. */
static bool is_plain(const struct small_event *e)
{
	return e->kind == EV_READ || e->kind == EV_WRITE;
}

static uint64_t questions, yes, stuck, unsure, deadlocks[4];

/* ---- lives: brute force keeps every answer (exactly) or leaves some open (loosely, machine.c).  A no of the engine must be one exactly, a yes
 * loosely; where nothing is left to doubt it answers exactly. ---- */

static enum { EXACTLY, LOOSELY } bound;
static bool doubted;                    /* it says that no rule covers something of this run */
static uint64_t lives_runs, lives_sure, lives_crowded, lives_broken, lives_open, lives_second, lives_tried;
/* open: the engine says yes, exactly it is a no; tried: it says that a lock tried for and had could have been refused */

/* May the engine say so of what brute force says can be, or cannot? */
static bool is_borne(enum order_answer got, bool can)
{
	if (got == ORDER_UNKNOWN)
		return doubted;
	if (bound == LOOSELY)
		return got == ORDER_NO || can;
	lives_open += got != ORDER_NO && !can;
	return got == ORDER_NO ? !can : can || doubted;
}

static enum order_answer should_be(struct brute want)
{
	return !want.can ? ORDER_NO : want.can_complete ? ORDER_YES : ORDER_STUCK;
}

static bool differ(const struct small *s, enum order_model model, int a, int b, const char *how, int got, int want)
{
	small_print(s);
	printf("FAIL model %d: %d before %d, %s: engine %d, oracle %d\n", model, b, a, how, got, want);
	return false;
}

/* One pair under one model, asked in every way there is; false: they differ. */
static bool compare_pair(struct order *o, const struct small *s, enum order_model model, const struct event *events, int a, int b)
{
	struct stand first = order_stand(o, model, &events[a]), second = order_stand(o, model, &events[b]);
	struct brute want = brute_reverse(a, b);
	enum order_answer got = order_reversible(o, first, second, NULL, NULL), should = should_be(want);
	bool adjacent = order_adjacent(o, first, second, NULL) == ORDER_YES, beside = brute_adjacent(a, b);
	struct question q = { .reach = second.reach, .reach_count = second.count, .limit = first.limit, .limit_count = first.count, .budget = 1 };
	enum order_answer solved = order_ask(o, &q);
	questions += 3;
	yes += want.can;
	stuck += want.can && !want.can_complete;
	if (s->lives) {
		unsure += got == ORDER_UNKNOWN;
		if (!is_borne(got, want.can) || !is_borne(solved, want.can))
			return differ(s, model, a, b, bound ? "reversed, loosely" : "reversed, exactly", got, should);
		if (!is_borne(order_adjacent(o, first, second, NULL), beside))
			return differ(s, model, a, b, bound ? "beside it, loosely" : "beside it, exactly", adjacent, beside);
		if (bound == EXACTLY && got == ORDER_STUCK && want.can_complete)
			return differ(s, model, a, b, "reversed, and all follow", got, should);
		return bound == LOOSELY || doubted || !is_plain(&s->ev[b]) || got == should || differ(s, model, a, b, "reversed and on, exactly", got, should);
	}
	if (solved != (want.can ? ORDER_YES : ORDER_NO))
		return differ(s, model, a, b, "by SAT", solved, want.can);
	if (is_plain(&s->ev[b]) ? got != should : (got == ORDER_NO) != !want.can || got == ORDER_UNKNOWN)
		return differ(s, model, a, b, "reversed", got, should);
	if (adjacent != beside)
		return differ(s, model, a, b, "beside it", adjacent, beside);
	return true;
}

/* Of one thread, only a store that waits can be asked about: what is no node has no place of its own between two nodes. */
static bool askable(enum order_model model, const struct small_event *open, const struct small_event *reached)
{
	return open->thread != reached->thread || (model != ORDER_SC && store_waits(open));
}

/* Four events: stores may wait while their threads go on, in two threads at once. */
static bool compare_both(struct order *o, const struct small *s, enum order_model model, const struct event *events, const int *e)
{
	const struct event *open[2] = { &events[e[0]], &events[e[2]] }, *reached[2] = { &events[e[1]], &events[e[3]] };
	for (int i = 0; i < 4; i += 2)
		for (int k = 1; k < 4; k += 2)
			if (!askable(model, &s->ev[e[i]], &s->ev[e[k]]))
				return true;
	enum order_answer got = order_moment(o, model, reached, 2, open, 2, NULL);
	enum order_answer want = brute_both(e[0], e[1], e[2], e[3]) ? ORDER_YES : ORDER_NO;
	questions++;
	unsure += got == ORDER_UNKNOWN;
	if (s->lives && (model != ORDER_PSO || got != ORDER_UNKNOWN))
		return is_borne(got, want == ORDER_YES) || differ(s, model, e[0] * 100 + e[2], e[1] * 100 + e[3], bound ? "two of each, loosely" : "two of each, exactly", got, want);
	if (got == ORDER_UNKNOWN && model == ORDER_PSO)
		return true;
	return got == want || differ(s, model, e[0] * 100 + e[2], e[1] * 100 + e[3], "two of each", got, want);
}

static bool compare_deadlock(struct order *o, const struct small *s)
{
	struct order_stuck found;
	bool lossy = false;                     /* signals may be lost, trylocks succeed: those are choices, not deadlocks */
	for (int i = 0; i < s->count; i++)
		lossy |= s->ev[i].kind == EV_CWAIT || s->ev[i].kind == EV_TRYFAIL;
	enum order_answer deadlock = order_deadlock(o, &found, NULL);
	deadlocks[deadlock]++;
	if (s->lives && bound == EXACTLY)
		return true;                    /* there whoever would have another answer is stuck too */
	if ((deadlock == ORDER_YES && !brute_stuck()) || (deadlock == ORDER_NO && !lossy && brute_stuck())) {
		small_print(s);
		printf("FAIL deadlock: engine %d, brute force %d\n", deadlock, brute_stuck());
		return false;
	}
	return true;
}

/* Locks that were tried for and had: could another thread have held them by then? */
static bool compare_tried(struct order *o, const struct small *s)
{
	const struct place *where;
	enum order_answer got;
	uint32_t nth = 0;
	bool same = true;
	for (int e = 0; e < s->count && same; e++)
		if (s->ev[e].kind == EV_LOCK && s->ev[e].arg & LOCK_TRIED && !things_had(s, e) && order_tried(o, nth++, &got, &where)) {
			bool want = brute_refused(e);
			questions++;
			lives_tried += got == ORDER_YES;
			same = is_borne(got, want) || differ(s, ORDER_SC, e, e, bound ? "refused, loosely" : "refused, exactly", got, want);
		}
	return same;
}

/* Every two accesses of different threads, under one model. */
static bool compare_under(const struct small *s, enum order_model model, bool weak)
{
	struct event events[MOST_EVENTS];
	bool same = true;
	struct order *o = engine(s, weak, events, NULL);
	for (int a = 0; a < s->count; a++)
		for (int b = a + 1; b < s->count && same; b++)
			if (is_access(&s->ev[a]) && is_access(&s->ev[b])) {
				int c = (7 * a + 3 * b + 1) % s->count, d = (5 * a + 11 * b + 2) % s->count;
				if (s->ev[a].thread != s->ev[b].thread)
					same = compare_pair(o, s, model, events, a, b);
				if (same && is_access(&s->ev[c]) && is_access(&s->ev[d]))
					same = compare_both(o, s, model, events, (int[]){ a, b, c, d });
			}
	same = same && compare_deadlock(o, s) && (!s->lives || weak || compare_tried(o, s));
	order_free(o);
	return same;
}

/* What the engine says of the run as a whole. */
static void look_at(const struct small *s)
{
	struct event events[MOST_EVENTS];
	const struct place *where;
	uint64_t times;
	struct order *o = engine(s, false, events, NULL);
	doubted = order_unmodelled(o, 0, &where, &times) != NULL || things_left(s);
	lives_runs++;
	lives_sure += !doubted;
	lives_crowded += order_overordered(o);
	lives_broken += order_broken(o, &where) != NULL;
	order_free(o);
}

static bool compare_lives(const struct small *s)
{
	bool same = true;
	look_at(s);
	for (int m = ORDER_SC; m <= ORDER_PSO && same; m++) {
		bound = EXACTLY;
		brute_prepare(s, (enum brute_model)m);
		if (!brute_ends()) {
			small_print(s);
			puts("FAIL: the run itself cannot be");
			return false;
		}
		same = compare_under(s, (enum order_model)m, m != ORDER_SC);
		bound = LOOSELY;
		brute_loosely(s, (enum brute_model)m);
		same = same && compare_under(s, (enum order_model)m, m != ORDER_SC);
	}
	return same;
}

/* An order that is weak knows no SC of a spin lock that refused somebody: its unlock may wait. */
static bool spin_refuses(const struct small *s)
{
	for (int i = 0; i < s->count; i++)
		if (s->ev[i].kind == EV_TRYFAIL && s->ev[i].arg >> 8 == LOCK_SPIN)
			return true;
	return false;
}

static bool compare(const struct small *s)
{
	static const enum brute_model models[] = { [ORDER_SC] = BRUTE_SC, [ORDER_TSO] = BRUTE_TSO, [ORDER_PSO] = BRUTE_PSO };
	bool same = true;
	for (enum order_model m = ORDER_SC; m <= ORDER_PSO && same; m++) {
		brute_prepare(s, models[m]);
		same = ((m == ORDER_SC && spin_refuses(s)) || compare_under(s, m, true)) && (m != ORDER_SC || compare_under(s, m, false));
	}
	return same;
}

/* One question of a random run. */
static bool compare_smt(const struct small *s, uint64_t *seed)
{
	struct event events[MOST_EVENTS];
	int pairs[MOST_EVENTS * MOST_EVENTS][2], count = 0;
	for (int a = 0; a < s->count; a++)
		for (int b = a + 1; b < s->count; b++)
			if (s->ev[a].thread != s->ev[b].thread && is_access(&s->ev[a]) && is_plain(&s->ev[b]))
				pairs[count][0] = a, pairs[count++][1] = b;
	if (!count)
		return true;
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	int *pick = pairs[(*seed >> 33) % (uint64_t)count];
	enum order_model model = (enum order_model)((*seed >> 20) % 3);
	saw_prepare(s);
	struct brute want = smt_reverse(s, (enum brute_model)model, pick[0], pick[1]);
	struct order *o = engine(s, model != ORDER_SC || (*seed >> 19 & 1 && !spin_refuses(s)), events, NULL);
	struct stand first = order_stand(o, model, &events[pick[0]]), second = order_stand(o, model, &events[pick[1]]);
	enum order_answer got = order_reversible(o, first, second, NULL, NULL);
	order_free(o);
	questions++;
	yes += want.can;
	stuck += want.can && !want.can_complete;
	return got == should_be(want) || differ(s, model, pick[0], pick[1], "Z3", got, should_be(want));
}

/* ---- values ---- */

struct kept { const struct small *s; const uint32_t *nodes; uint32_t events; };

static bool keeps(void *context, uint32_t node)
{
	const struct kept *k = context;
	for (int i = 0; i < k->s->count; i++)
		if (k->nodes[i] == node && k->events >> i & 1)
			return true;
	return false;
}

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % n;
}

static bool same_read(const struct small *s, enum order_model model, struct order *o, const uint32_t *nodes, const struct brute_read *q, bool z3, bool told)
{
	const struct small_event *e = &s->ev[q->read];
	struct kept kept = { s, nodes, q->kept };
	int low = e->bytes & 1 ? 0 : 1;
	uint8_t value[16] = { (uint8_t)q->value[low], (uint8_t)q->value[1] };
	struct order_read ask = { .read = nodes[q->read], .from = q->from < 0 ? NO_NODE : nodes[q->from],
		.value = q->from < 0 ? value : NULL, .keeps = keeps, .context = &kept };
	bool want = brute_reads(s, q), also = z3 ? smt_reads(s, (enum brute_model)model, q) : want;
	enum order_answer got = order_reads(o, &ask, NULL, NULL);
	ask.budget = 1;
	enum order_answer solved = order_reads(o, &ask, NULL, NULL);
	questions += 2;
	yes += want;
	unsure += got == ORDER_UNKNOWN;
	enum order_answer right = want ? ORDER_YES : ORDER_NO;
	if (s->lives && is_borne(got, want) && is_borne(solved, want))
		return true;
	if (!s->lives && also == want && (got == right || (got == ORDER_UNKNOWN && !told)) && (solved == right || (solved == ORDER_UNKNOWN && !told)))
		return true;            /* not told, the one may come upon a value nobody knows that the other never looked at */
	small_print(s);
	printf("FAIL model %d: %d returns %d (%d %d), kept %x: engine %d, by SAT %d, brute force %d, Z3 %d\n", model, q->read, q->from, q->value[0],
		q->value[1], q->kept, got, solved, want, also);
	return false;
}

/* Can the two be next at once, while the reads that are kept return what they returned? */
static bool same_beside(const struct small *s, struct order *o, const uint32_t *nodes, const struct brute_read *q)
{
	struct kept kept = { s, nodes, q->kept };
	struct order_node a = order_node(o, nodes[q->read]), b = order_node(o, nodes[q->beside - 1]);
	struct spot both[2] = { { a.thread, a.at }, { b.thread, b.at } };
	struct question ask = { .reach = both, .reach_count = 2, .limit = both, .limit_count = 2 };
	bool want = brute_reads(s, q);
	enum order_answer got = order_ask_keeping(o, &ask, &(struct order_read){ .keeps = keeps, .context = &kept });
	questions++;
	yes += want;
	if (s->lives ? is_borne(got, want) : got == (want ? ORDER_YES : ORDER_NO))
		return true;
	small_print(s);
	printf("FAIL %d beside %d, kept %x: engine %d, brute force %d\n", q->read, q->beside - 1, q->kept, got, want);
	return false;
}

static uint64_t apart, not_apart;       /* noes of questions in which all reads are kept: the table has them, or has not */

/* What the table of all reads says (order/kept.c): never no where brute force says yes, of two that are next at once, or the engine, of one that comes first. */
static bool same_apart(const struct small *s, struct order *o, const uint32_t *nodes, int first, int second)
{
	struct order_node a = order_node(o, nodes[first]), b = order_node(o, nodes[second]);
	struct spot both[2] = { { a.thread, a.at }, { b.thread, b.at } };
	struct question beside = { .reach = both, .reach_count = 2, .limit = both, .limit_count = 2 };
	struct question turn = { .reach = &both[1], .reach_count = 1, .limit = &both[0], .limit_count = 1 };
	struct brute_read all = { .read = first, .beside = second + 1, .kept = UINT32_MAX };
	bool can = brute_reads(s, &all), can_turn = order_ask_keeping(o, &turn, &(struct order_read){ .bold = true }) == ORDER_YES;
	bool no = order_kept_apart(o, &beside, NULL), no_turn = order_kept_apart(o, &turn, NULL);
	questions += 2;
	apart += no + no_turn;
	not_apart += (!no && !can) + (!no_turn && !can_turn);
	if (!(no && can && bound == EXACTLY) && !(no_turn && can_turn))
		return true;
	small_print(s);
	printf("FAIL %d and %d with all reads kept: the table %d %d, brute force %d, the engine %d\n", first, second, no, no_turn, can, can_turn);
	return false;
}

static bool compare_apart(const struct small *s, struct order *o, const uint32_t *nodes)
{
	bool same = true;
	for (int a = 0; a < s->count && same; a++)
		for (int b = 0; b < s->count && same; b++)
			if (s->ev[a].thread != s->ev[b].thread && nodes[a] != NO_NODE && nodes[b] != NO_NODE)
				same = same_apart(s, o, nodes, a, b);
	return same;
}

static bool compare_beside(const struct small *s, struct order *o, const uint32_t *nodes, uint64_t *seed)
{
	bool same = true;
	for (int tries = 0; tries < 6 && same && s->count; tries++) {
		int a = (int)draw(seed, (uint64_t)s->count), b = (int)draw(seed, (uint64_t)s->count);
		struct brute_read q = { .read = a, .beside = b + 1, .kept = (uint32_t)(draw(seed, 1 << 24) | draw(seed, 1 << 24)) };
		if (s->ev[a].thread != s->ev[b].thread && nodes[a] != NO_NODE && nodes[b] != NO_NODE)
			same = same_beside(s, o, nodes, &q);
	}
	return same;
}

static bool share_bytes(const struct small_event *a, const struct small_event *b)
{
	return (small_byte(a, 0) >= 0 && small_byte(a, 0) == small_byte(b, 0)) ||
		(small_byte(a, 1) >= 0 && small_byte(a, 1) == small_byte(b, 1));
}

/* Each read: of every write, and of a few values; some reads are kept, at random.  Told: what lies in memory at first; not told, the
 * answer may be that it is not known. */
static bool compare_reads(const struct small *s, enum order_model model, uint64_t *seed, bool z3, bool told)
{
	struct event events[MOST_EVENTS];
	uint32_t nodes[MOST_EVENTS];
	bool same = true;
	memset(nodes, 0xff, sizeof nodes);
	struct order *o = engine_stores(s, model, events, nodes);
	for (int i = 0; i < 4 && told; i++)
		order_first_values(o, i < 2 ? PLAIN_OBJECT(i) : ATOMIC_OBJECT + 8u * (unsigned)(i - 2), (const uint8_t[2]){ 0, 0 }, 2);
	(bound == LOOSELY ? brute_loosely : brute_prepare)(s, (enum brute_model)model);
	for (int r = 0; r < s->count && same; r++) {
		if (!small_reads(&s->ev[r]))
			continue;
		struct brute_read q = { .read = r, .from = -1, .kept = (uint32_t)(draw(seed, 1 << 24) | draw(seed, 1 << 24)) };
		for (int i = 0; i < 3 && same; i++) {
			q.value[0] = (int)draw(seed, 3);
			q.value[1] = (int)draw(seed, 3);
			same = same_read(s, model, o, nodes, &q, z3, told);
		}
		for (q.from = 0; q.from < s->count && same; q.from++)
			if (q.from != r && share_bytes(&s->ev[q.from], &s->ev[r]) && small_writes(&s->ev[q.from]))
				same = same_read(s, model, o, nodes, &q, z3, told);
	}
	if (same && told)
		same = compare_beside(s, o, nodes, seed);
	if (same && told && model == ORDER_SC)
		same = compare_apart(s, o, nodes);
	order_free(o);
	return same;
}

static uint64_t passed, failed;

static bool go_on(void) { return failed < 5; }
static void count(bool good) { good ? passed++ : failed++; }

/* ---- what is tried: `n` of it, or of so many events; from a seed ---- */

static void try_all(uint64_t n, uint64_t seed)
{
	struct small s;
	(void)seed;
	for (int events = 1; events <= (int)n; events++)
		for (uint64_t at = 0; go_on() && small_numbered(&s, events, &at);)
			count(compare(&s));
}

static void try_weak(uint64_t n, uint64_t seed)
{
	struct small s;
	(void)seed;
	for (uint64_t at = 0; go_on() && small_weak_numbered(&s, (int)n, &at);)
		count(compare(&s));
}

static void try_random(uint64_t n, uint64_t seed)
{
	struct small s;
	for (uint64_t i = 0; i < n && go_on(); i++) {
		if (i % 4 == 3)
			small_locks(&s, 12 + (int)(i % 11), &seed);
		else
			small_random(&s, 6 + (int)(i % 11), &seed);
		count(compare(&s));
	}
}

static bool compare_lives_reads(struct small *s, uint64_t *seed)
{
	bool same = true;
	small_values(s, seed);
	for (int m = ORDER_SC; m <= ORDER_PSO && same; m++)
		for (bound = EXACTLY; bound <= LOOSELY && same; bound++)
			same = compare_reads(s, (enum order_model)m, seed, false, true);
	bound = EXACTLY;
	return same;
}

static void try_lives(uint64_t n, uint64_t seed)
{
	struct small s;
	uint64_t more = seed;
	for (uint64_t i = 0; i < n && go_on(); i++) {
		small_lives(&s, 6 + (int)(i % 9), &seed);
		lives_second += things_second(&s);
		count(compare_lives(&s));
		if (i % 8 == 0)
			count(refuted_lives(&s, &more));
		if (i % 8 == 1)
			count(compare_lives_reads(&s, &more));
	}
	if (!lives_second || !lives_tried || !lives_refuted)
		failed++;                       /* nothing was asked */
	printf("%llu runs, %llu with second lives: %llu in no doubt, in %llu more in order than must be, %llu against the rules; %llu times yes where answers would be others; %llu refutations hold, %llu tries could be refused\n",
		(unsigned long long)lives_runs, (unsigned long long)lives_second, (unsigned long long)lives_sure, (unsigned long long)lives_crowded, (unsigned long long)lives_broken, (unsigned long long)lives_open, (unsigned long long)lives_refuted,
		(unsigned long long)lives_tried);
}

static void try_all_reads(uint64_t n, uint64_t seed)
{
	struct small s;
	seed = 1;
	for (int events = 1; events <= (int)n; events++)
		for (uint64_t at = 0; go_on() && small_numbered(&s, events, &at);) {
			small_values(&s, &seed);
			count(compare_reads(&s, ORDER_SC, &seed, false, true));
		}
}

static void try_weak_reads(uint64_t n, uint64_t seed)
{
	struct small s;
	seed = 1;
	for (uint64_t at = 0; go_on() && small_weak_numbered(&s, (int)n, &at);) {
		small_values(&s, &seed);
		for (enum order_model model = ORDER_TSO; model <= ORDER_PSO && go_on(); model++)
			count(compare_reads(&s, model, &seed, false, true));
	}
}

static void try_reads(uint64_t n, uint64_t seed)
{
	struct small s;
	uint64_t more = seed;
	for (uint64_t i = 0; i < n && go_on(); i++) {
		small_random(&s, 6 + (int)(i % 9), &seed);
		small_values(&s, &more);
		for (enum order_model model = ORDER_SC; model <= ORDER_PSO && go_on(); model++)
			count(compare_reads(&s, model, &more, i % 10 == 0, i % 4));
	}
}

static void try_refute(uint64_t n, uint64_t seed)
{
	struct small s;
	uint64_t more = seed;
	for (uint64_t i = 0; i < n && go_on(); i++) {
		if (i % 2)
			small_locks(&s, 8 + (int)(i % 17), &seed);
		else
			small_random(&s, 6 + (int)(i % 15), &seed);
		count(refuted_all(&s, &more));
		count(refuted_stuck(&s, &more));
		if (i % 10 == 0)
			count(refuted_large(&more));
		if (i % 25 == 0)
			count(refuted_pairs(&s));
		if (i % 4 == 0 && s.count <= 16)
			count(refuted_weak(&s, &more));
		if (i % 4 == 2) {
			small_random(&s, 6 + (int)(i % 9), &seed);
			small_values(&s, &more);
			count(refuted_reads(&s, (enum order_model)(i / 4 % 3), &more));
		}
	}
	printf("%llu of reversals into a deadlock, %llu under TSO and PSO, %llu of reads hold\n", (unsigned long long)stuck_refuted,
		(unsigned long long)weak_refuted, (unsigned long long)reads_refuted);
	printf("of long runs %llu by rules, the longest of %llu clauses\n", (unsigned long long)large_refuted, (unsigned long long)large_learnt);
	printf("%llu refutations hold, %llu of them by rules, %llu of deadlocks; %llu altered ones do not\n", (unsigned long long)refuted_count,
		(unsigned long long)refuted_by_rules, (unsigned long long)refuted_cycle_count, (unsigned long long)refused_count);
	printf("of all pairs of events %llu wait, %llu do not\n", (unsigned long long)pairs_count[0], (unsigned long long)pairs_count[1]);
	printf("under claims that can be %llu rules and %llu clauses of one way hold, and no more\n", (unsigned long long)greedy_rules, (unsigned long long)greedy_learnt);
	printf("beside altered runs %llu are refused, %llu still prove what cannot be\n", (unsigned long long)beside_count[0], (unsigned long long)beside_count[1]);
}

static void try_z3(uint64_t n, uint64_t seed)
{
	struct small s;
	uint64_t pick = seed;
	while (questions < n && go_on()) {
		uint64_t before = questions;
		small_random(&s, 10 + (int)(seed >> 40) % 13, &seed);
		if (compare_smt(&s, &pick))
			passed += questions - before;
		else
			failed++;
	}
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(uint64_t n, uint64_t seed); } tries[] = {
		{ "all", try_all }, { "weak", try_weak }, { "random", try_random }, { "lives", try_lives }, { "all-reads", try_all_reads }, { "weak-reads", try_weak_reads }, { "reads", try_reads },
		{ "refute", try_refute }, { "z3", try_z3 } };
	uint64_t seed = (argc > 3 ? strtoull(argv[3], NULL, 10) : 1) * 0x9e3779b97f4a7c15ull | 1;
	for (size_t i = 0; argc > 2 && i < sizeof tries / sizeof *tries; i++)
		if (!strcmp(argv[1], tries[i].name))
			tries[i].run(strtoull(argv[2], NULL, 10), seed);
	printf("%llu questions, %llu can, %llu of them into a deadlock, %llu not known\n", (unsigned long long)questions,
		(unsigned long long)yes, (unsigned long long)stuck, (unsigned long long)unsure);
	printf("deadlock: %llu no, %llu yes, %llu not decided\n", (unsigned long long)deadlocks[ORDER_NO],
		(unsigned long long)deadlocks[ORDER_YES], (unsigned long long)deadlocks[ORDER_UNKNOWN]);
	printf("all reads kept: %llu noes the table has, %llu it has not\n", (unsigned long long)apart, (unsigned long long)not_apart);
	printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
	return failed != 0;
}
