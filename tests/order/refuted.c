/* tests/order/refuted.c -- refutations of small runs, written by the engine and read by verify/refutation.c.
 * Every no has one that holds, by case split and by SAT.  One that holds must be for what cannot be: the same steps, altered in
 * any way, under a claim that brute force says can be, are refused.  So is one that ends early. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "tests/order/engine.h"
#include "verify/refutation.h"
#include "wire/kinds.h"

uint64_t refuted_count, refuted_by_rules, refuted_cycle_count, refused_count, beside_count[2], pairs_count[2];

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % n;
}

/* ---- the run as its plain twin ---- */

static const char *word_of(int kind)
{
	static const char *const words[EV_COUNT] = {
#define K(name, number, word, class, text) [number] = word,
		EVENT_KINDS(K)
#undef K
	};
	return words[kind];
}

static void put_value(FILE *out, bool known, uint64_t value, unsigned size)
{
	putc(' ', out);
	if (!known)
		putc('-', out);
	for (unsigned i = 0; known && i < size; i++)
		fprintf(out, "%02x", (unsigned)(value >> 8 * i & 255));
}

/* Written here on its own: the tests share no code with trace/plain.c. */
static void put_event(FILE *out, const struct event *ev)
{
	bool access = ev->kind >= EV_READ && ev->kind <= EV_CAS && ev->kind != EV_FENCE;
	if (ev->kind == EV_LIBWRITE || ev->kind == EV_ALLOC) {
		fprintf(out, "%u %s %x 0 %u 0 0 0 -", ev->thread.i, word_of(ev->kind), (unsigned)ev->object, (unsigned)ev->arg);
		fprintf(out, ev->kind == EV_LIBWRITE ? " %02x000000\n" : " -\n", ev->bytes ? ev->bytes[0] : 0);
		return;
	}
	bool both = ev->kind == EV_RMW || ev->kind == EV_CAS, reads = access && (both || ev->kind == EV_READ || ev->kind == EV_ALOAD);
	bool writes = access && !(reads && !both) && !(ev->kind == EV_CAS && ev->failed);
	fprintf(out, "%u %s %x %x %u %d %u %u", ev->thread.i, word_of(ev->kind), (unsigned)ev->object, access ? 0 : (unsigned)ev->arg, access ? ev->size : 0, ev->result,
		ev->kind == EV_CAS && ev->failed ? ev->order2 : ev->order, ev->kind == EV_CAS && ev->failed);
	put_value(out, reads && ev->has_value, ev->arg, ev->size);
	put_value(out, writes && ev->has_value, both ? ev->written : ev->arg, ev->size);
	putc('\n', out);
}

char *small_twin(const struct small *s, const struct event *events)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	for (int k = 0; k < 2; k++)
		fprintf(out, "0 lockinit %x 800 0 0 0 0 - -\n0 libwrite %x 0 32 0 0 0 - %02x000000\n", SEM_OBJECT(k), SEM_OBJECT(k), s->sem_first[k]);
	for (int i = 0; i < s->count; i++)
		put_event(out, &events[i]);
	fclose(out);
	return text;
}

const char *refutation_of(const char *twin, const char *text)
{
	char *copies[2] = { strdup(twin), strdup(text) };
	const char *why = refutation_check(copies[0], copies[1]);
	free(copies[0]);
	free(copies[1]);
	return why;
}

/* ---- runs that are mostly locks ---- */

static void lock_step(struct small *s, int t, int *holder, bool *begun, uint64_t *seed)
{
	int m = (int)draw(seed, 3), other = 1 + (int)draw(seed, (uint64_t)s->threads - 1);
	struct small_event e = { .thread = t, .kind = draw(seed, 2) ? EV_READ : EV_WRITE };
	switch (draw(seed, 8)) {
	case 0: case 1: case 2:
		if (holder[m])
			return;
		holder[m] = t + 1;
		e.kind = EV_LOCK;
		e.object = m;
		break;
	case 3: case 4: case 5:
		if (holder[m] != t + 1)
			return;
		holder[m] = 0;
		e.kind = EV_UNLOCK;
		e.object = m;
		break;
	case 6:
		if (begun[other])
			break;
		begun[other] = true;
		e.kind = EV_FORK;
		e.object = other;
		break;
	}
	s->ev[s->count++] = e;
}

void small_locks(struct small *s, int events, uint64_t *seed)
{
	int holder[3] = { 0 };
	bool begun[MOST_THREADS] = { true };
	memset(s, 0, sizeof *s);
	s->threads = 3 + (int)draw(seed, 2);
	for (int tries = 0; s->count < events && tries < 1000; tries++) {
		int t = (int)draw(seed, (uint64_t)s->threads);
		if (begun[t])
			lock_step(s, t, holder, begun, seed);
	}
	for (int m = 0; m < 3 && s->count < MOST_EVENTS && events % 4; m++)     /* in one of four runs locks may be kept */
		if (holder[m])
			s->ev[s->count++] = (struct small_event){ .thread = holder[m] - 1, .kind = EV_UNLOCK, .object = m };
}

/* ---- claims and steps ---- */

static void put_claim(FILE *out, const struct small *s, int a, int b)
{
	int number[2] = { s->ev[a].thread ? 0 : 4, s->ev[b].thread ? 0 : 4 };   /* behind those that initialise */
	for (int i = 0; i < s->count; i++) {
		number[0] += i <= a && s->ev[i].thread == s->ev[a].thread;
		number[1] += i <= b && s->ev[i].thread == s->ev[b].thread;
	}
	fprintf(out, "raddle refutation 3\nbefore %d:%d END\nbefore END %d:%d\n", s->ev[b].thread, number[1], s->ev[a].thread, number[0]);
}

static char *steps_of(struct order *o, struct spot a, struct spot b, uint64_t budget)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	struct question q = { .reach = &b, .reach_count = 1, .limit = &a, .limit_count = 1, .budget = budget };
	enum order_answer answer = order_refute(o, &q, out);
	fclose(out);
	if (answer != ORDER_NO) {
		free(text);
		return NULL;
	}
	return text;
}

static const char *check_of(const struct small *s, int a, int b, const char *steps, const char *twin)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	put_claim(out, s, a, b);
	fputs(steps, out);
	fclose(out);
	const char *why = refutation_of(twin, text);
	free(text);
	return why;
}

void refutation_alter(char *steps, uint64_t *seed)
{
	size_t length = strlen(steps), at = draw(seed, length + 1);
	char *line = steps + at, *end;
	while (line > steps && line[-1] != '\n')
		line--;
	end = strchr(line, '\n');
	switch (draw(seed, 3)) {
	case 0:
		if (end)
			memmove(line, end + 1, strlen(end + 1) + 1);
		break;
	case 1:
		if (at < length && steps[at] != '\n')
			steps[at] = "0123456789.- "[draw(seed, 13)];
		break;
	}
}

static bool said(const struct small *s, const char *what, int a, int b, const char *steps, const char *why)
{
	small_print(s);
	printf("FAIL %s: %d before %d: %s\n%s", what, b, a, why ? why : "holds", steps);
	return false;
}

static bool is_access(const struct small_event *e)
{
	return small_reads(e) || small_writes(e);
}

/* Under every claim that can be, altered a little each time. */
static bool refused_elsewhere(const struct small *s, const char *steps, const char *twin, uint64_t *seed)
{
	bool good = true;
	for (int a = 0; a < s->count && good; a++)
		for (int b = a + 1; b < s->count && good; b++) {
			if (s->ev[a].thread == s->ev[b].thread || !is_access(&s->ev[a]) || !is_access(&s->ev[b]) || !brute_reverse(a, b).can)
				continue;
			char *other = strdup(steps);
			for (uint64_t i = draw(seed, 3); i-- > 0;)
				refutation_alter(other, seed);
			good = check_of(s, a, b, other, twin) || said(s, "a refutation of what can be holds", a, b, other, NULL);
			refused_count++;
			free(other);
		}
	return good;
}

/* One event of the run is another one: what another of its events does, or to another object, or by another thread, or with another memory order,
 * or a place later. */
static void run_alter(struct small *s, uint64_t *seed)
{
	struct small_event *e = &s->ev[draw(seed, (uint64_t)s->count)], was = *e, *like = &s->ev[draw(seed, (uint64_t)s->count)];
	switch (draw(seed, 5)) {
	case 0: *e = *like; e->thread = was.thread; break;
	case 1:
		if (e->kind == EV_FORK || e->kind == EV_JOIN)
			e->object = (int)draw(seed, (uint64_t)s->threads);
		else if (e->kind == EV_LOCK || e->kind == EV_UNLOCK || e->kind == EV_TRYFAIL || e->kind == EV_SWAIT || e->kind == EV_SPOST || is_access(e))
			e->object = (int)draw(seed, 2);         /* others have one object each */
		break;
	case 2: e->thread = (int)draw(seed, (uint64_t)s->threads); break;
	case 3: e->order = "\0\2\3\4\5"[draw(seed, 5)]; break;      /* no consume: runs have none */
	case 4: *e = *like; *like = was; break;
	}
}

/* Does a thread give back what it has not, or begin twice?  No rule says what follows from that. */
static bool run_odd(const struct small *s)
{
	int held[MOST_THREADS][8] = { { 0 } };
	bool begun[MOST_THREADS] = { false };
	for (int i = 0; i < s->count; i++) {
		const struct small_event *e = &s->ev[i];
		int *lock = &held[e->thread][(e->kind == EV_CWAIT || e->kind == EV_CWAKE ? e->arg : e->object) & 7];
		if ((e->kind == EV_UNLOCK || e->kind == EV_CWAIT) && --*lock < 0)
			return true;
		*lock += e->kind == EV_LOCK || e->kind == EV_CWAKE;
		begun[e->thread] = true;
		if (e->kind == EV_FORK && begun[e->object])
			return true;
		if (e->kind == EV_FORK)
			begun[e->object] = true;
	}
	return false;
}

/* The steps beside an altered run: they hold of what cannot be, or not at all.  Runs whose own order keeps no rules have no answer. */
static bool refused_beside(const struct small *s, const char *steps, int a, int b, uint64_t *seed)
{
	struct small other = *s;
	struct event events[MOST_EVENTS];
	const struct place *where;
	uint64_t times;
	run_alter(&other, seed);
	if (other.ev[a].thread == other.ev[b].thread || !is_access(&other.ev[a]) || !is_access(&other.ev[b]))
		return true;
	struct order *o = engine(&other, false, events, NULL);
	bool odd = order_unmodelled(o, 0, &where, &times) || run_odd(&other);
	order_free(o);
	if (odd)
		return true;
	char *twin = small_twin(&other, events);
	brute_prepare(&other, BRUTE_SC);
	bool holds = !check_of(&other, a, b, steps, twin);
	bool good = !holds || !brute_reverse(a, b).can || said(&other, "beside an altered run", a, b, steps, NULL);
	beside_count[holds]++;
	brute_prepare(s, BRUTE_SC);
	free(twin);
	return good;
}

static bool refuted_one(const struct small *s, const char *steps, int a, int b, const char *twin, uint64_t *seed)
{
	const char *why = steps ? check_of(s, a, b, steps, twin) : "none was written";
	if (why)
		return said(s, "a refutation", a, b, steps ? steps : "", why);
	bool by_rules = strstr(steps, "learn ") != NULL;
	refuted_count++;
	refuted_by_rules += by_rules;
	if (!by_rules && draw(seed, 16))
		return true;                            /* clocks alone: one in a while is enough */
	char *cut = strdup(steps), *last = cut + strlen(cut) - 1;
	while (last > cut && last[-1] != '\n')
		last--;
	*last = 0;
	bool good = check_of(s, a, b, cut, twin) || said(s, "one without its end holds", a, b, cut, NULL);
	free(cut);
	for (int i = 0; i < 4 && good; i++)
		good = refused_beside(s, steps, a, b, seed);
	return good && refused_elsewhere(s, steps, twin, seed);
}

/* Deadlocks the engine thought of and says cannot be. */
static bool refuted_cycles(const struct small *s, struct order *o, const char *twin)
{
	struct order_cycles closed = { 0 };
	struct order_stuck found;
	bool good = true;
	order_deadlock(o, &found, &closed);
	for (size_t i = 0; i < closed.count && good; i++) {
		size_t length;
		char *text;
		FILE *out = open_memstream(&text, &length);
		fputs("raddle refutation 3\n", out);
		enum order_answer answer = order_refute_cycle(o, &closed.at[i], out);
		fclose(out);
		const char *why = answer == ORDER_NO ? refutation_of(twin, text) : "none was written";
		good = !why || said(s, "a refutation of a deadlock", 0, 0, text, why);
		refuted_count++;
		refuted_cycle_count++;
		free(text);
	}
	vec_release(&closed);
	return good;
}

/* ---- pairs ---- */

static int number_of(const struct small *s, int e)
{
	int number = s->ev[e].thread ? 0 : 4;           /* behind those that initialise */
	for (int i = 0; i <= e; i++)
		number += s->ev[i].thread == s->ev[e].thread;
	return number;
}

bool refuted_pairs(const struct small *s)
{
	struct event events[MOST_EVENTS];
	char text[200];
	bool good = true;
	order_free(engine(s, false, events, NULL));
	char *twin = small_twin(s, events);
	brute_prepare(s, BRUTE_SC);
	for (int a = 0; a < s->count && good; a++)
		for (int b = 0; b < s->count && good; b++) {
			int t = s->ev[a].thread, u = s->ev[b].thread;
			snprintf(text, sizeof text, "raddle refutation 3\nbefore %d:%d END\nbefore END %d:%d\nmust %d:%d %d:%d\nlearn\n", u, number_of(s, b) + 1, t, number_of(s, a),
				t, number_of(s, a), u, number_of(s, b));
			bool holds = !refutation_of(twin, text);
			pairs_count[!holds]++;
			good = !holds || !brute_without(b, a) || said(s, "a pair that need not wait", a, b, text, NULL);
		}
	free(twin);
	return good;
}

bool refuted_all(const struct small *s, uint64_t *seed)
{
	struct spot spots[MOST_EVENTS];
	struct event events[MOST_EVENTS];
	struct order *o = engine(s, false, events, NULL);
	char *twin = small_twin(s, events);
	bool good = true;
	struct order_walk *walk = order_walk_begin(o);
	for (int i = 0; i < s->count; i++)
		spots[i] = order_walk_next(walk, &events[i]);
	order_walk_end(walk);
	brute_prepare(s, BRUTE_SC);
	for (int a = 0; a < s->count && good; a++)
		for (int b = a + 1; b < s->count && good; b++) {
			if (s->ev[a].thread == s->ev[b].thread || !is_access(&s->ev[a]) || !is_access(&s->ev[b]) || brute_reverse(a, b).can)
				continue;
			for (uint64_t budget = 0; budget < 2 && good; budget++) {
				char *steps = steps_of(o, spots[a], spots[b], budget);
				good = refuted_one(s, steps, a, b, twin, seed);
				free(steps);
			}
		}
	good = good && refuted_cycles(s, o, twin);
	order_free(o);
	free(twin);
	return good;
}
