/* tests/order/refuted_more.c -- refutations of what is not a pair of events under sequential consistency: that all events follow a
 * reversal, that a moment is possible under TSO and PSO, that a read returns something.  As in refuted.c: every no that the oracle
 * has too has one that holds, and its steps, altered or not, hold under no claim that the oracle says can be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/order/engine.h"
#include "wire/kinds.h"

uint64_t stuck_refuted, weak_refuted, reads_refuted, lives_refuted, greedy_rules, greedy_learnt;
static uint64_t greedy_held;

struct run { const struct small *s; enum order_model model; struct order *o; struct event events[MOST_EVENTS]; uint32_t nodes[MOST_EVENTS]; char *twin; };

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % n;
}

static const char *const models[] = { "", "model tso\n", "model pso\n" };

/* values: of accesses, under this model; without them any can be asked about, but SC alone if it is that. */
static struct run *run_new(const struct small *s, enum order_model model, bool values)
{
	struct run *r = calloc(1, sizeof *r);
	r->s = s;
	memset(r->nodes, 0xff, sizeof r->nodes);
	r->model = model;
	r->o = values ? engine_stores(s, model, r->events, r->nodes) : engine(s, model != ORDER_SC, r->events, NULL);
	r->twin = small_twin(s, r->events);
	return r;
}

static void run_free(struct run *r)
{
	order_free(r->o);
	free(r->twin);
	free(r);
}

static const char *holds(const struct run *r, const char *claim, const char *steps)
{
	char *text = NULL;
	if (asprintf(&text, "raddle refutation 3\n%s%s", claim, steps) < 0)
		abort();
	const char *why = refutation_of(r->twin, text);
	free(text);
	return why;
}

static bool failed(const struct run *r, const char *what, const char *claim, const char *steps, const char *why)
{
	small_print(r->s);
	printf("FAIL %s: %s\n%s%s%s", what, why ? why : "holds", claim, steps, r->twin);
	return false;
}

/* One that the oracle says cannot be: `why` is the checker's word. */
static bool refuted(const struct run *r, const char *what, const char *claim, const char *steps, uint64_t *count)
{
	const char *why = holds(r, claim, steps);
	++*count;
	if (why)
		return failed(r, what, claim, steps, why);
	char *cut = strdup(steps);
	char *end = strstr(cut, "learn\n");
	while (end && strstr(end + 1, "learn\n"))
		end = strstr(end + 1, "learn\n");
	if (end)
		*end = 0;
	bool good = !end || holds(r, claim, cut) || failed(r, "one without its end", claim, cut, NULL);
	free(cut);
	return good;
}

/* ---- any rules, and all that follows from them ---- */

/* An event at random, of this kind if one is met; now and then the one beside it. */
static int random_event(const struct run *r, int kind, char *name, size_t room, uint64_t *seed)
{
	int e = 0;
	for (int tries = 0; tries < 12 && (!tries || (kind && r->s->ev[e].kind != kind)); tries++)
		e = (int)draw(seed, (uint64_t)r->s->count);
	snprintf(name, room, "%u:%u", r->events[e].thread.i, (unsigned)(r->events[e].index + (draw(seed, 8) ? 1 : draw(seed, 3))));
	return r->s->ev[e].kind;
}

static void random_rule(const struct run *r, char *into, size_t room, uint64_t *seed)
{
	static const int writes[] = { EV_WRITE, EV_ASTORE, EV_RMW, EV_CAS };
	char name[4][20];
	int kind = random_event(r, 0, name[0], sizeof name[0], seed);
	for (int i = 1; i < 4; i++)
		random_event(r, kind == EV_LOCK || kind == EV_CWAKE ? EV_LOCK : small_reads(&(struct small_event){ .kind = kind }) ? writes[draw(seed, 4)] : 0, name[i],
			sizeof name[i], seed);
	if (kind == EV_LOCK || (kind == EV_CWAKE && draw(seed, 2)))
		snprintf(into, room, "lock %s %s\n", name[0], name[1]);
	else if (kind == EV_SWAIT)
		snprintf(into, room, draw(seed, 2) ? "sem %s %s %s %s\n" : "sem %s\n", name[0], name[1], name[2], name[3]);
	else if (kind == EV_CWAKE)
		snprintf(into, room, "cond %s\n", name[0]);
	else if ((kind == EV_READ || kind == EV_ALOAD || kind == EV_RMW || kind == EV_CAS) && draw(seed, 3))
		snprintf(into, room, draw(seed, 3) ? "read %s %u %s\n" : "read %s %u\n", name[0], (unsigned)draw(seed, 2), name[1]);
	else
		snprintf(into, room, "must %s %s\n", name[draw(seed, 2)], name[draw(seed, 2)]);
}

/* Appends a line if the checker has nothing against it.  True: it has not. */
static bool appended(const struct run *r, char *text, size_t room, const char *line)
{
	size_t length = strlen(text);
	if (length + strlen(line) + 1 > room)
		return false;
	strcpy(text + length, line);
	const char *why = refutation_of(r->twin, text);
	if (why && !strcmp(why, "it ends before anything is refuted"))
		return true;
	greedy_held += !why;
	text[length] = 0;
	return false;
}

/* Of a claim that can be: every rule the checker takes, drawn at random, then every clause of one way that follows, until the empty one would be next. */
static bool refused_all(const struct run *r, const char *claim, uint64_t *seed)
{
	char text[8000], line[100];
	uint64_t held = greedy_held;
	snprintf(text, sizeof text, "raddle refutation 3\n%s", claim);
	for (int i = 0; i < 80; i++) {
		random_rule(r, line, sizeof line, seed);
		greedy_rules += appended(r, text, sizeof text, line);
	}
	for (int round = 0; round < 2; round++)
		for (int way = 1; way <= 60; way++) {
			snprintf(line, sizeof line, "learn -%d\n", way);
			bool learnt = appended(r, text, sizeof text, line);
			snprintf(line, sizeof line, "learn %d\n", way);
			greedy_learnt += learnt | appended(r, text, sizeof text, line);
		}
	appended(r, text, sizeof text, "learn\n");
	return held == greedy_held || failed(r, "rules and what follows from them refute what can be", claim, text, NULL);
}

static bool refused(const struct run *r, const char *what, const char *claim, const char *steps, uint64_t *seed)
{
	if (draw(seed, 20) == 0 && !refused_all(r, claim, seed))
		return false;
	char *other = strdup(steps);
	for (uint64_t i = draw(seed, 3); i-- > 0;)
		refutation_alter(other, seed);
	bool good = holds(r, claim, other) || failed(r, what, claim, other, NULL);
	free(other);
	return good;
}

static bool is_step(const char *line)
{
	static const char *const kinds[] = { "must", "lock", "sem", "cond", "read", "learn" };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(line, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

/* The steps of a no, without its claim: lines of a rule or a clause. */
static char *behind_claim(const char *text)
{
	size_t at = 0;
	while (text[at] && !is_step(text + at))
		at += strcspn(text + at, "\n") + 1;
	return strdup(text + at);
}

static void put_name(const struct event *ev, char *into, size_t room)
{
	snprintf(into, room, "%u:%u", ev->thread.i, (unsigned)ev->index + 1);
}

static bool is_plain(const struct small_event *e) { return e->kind == EV_READ || e->kind == EV_WRITE; }
static bool is_access(const struct small_event *e) { return small_reads(e) || small_writes(e); }

/* ---- all events, b before a ---- */

static void claim_whole(const struct run *r, enum order_model model, int a, int b, char *into, size_t room)
{
	char first[20], second[20];
	put_name(&r->events[a], first, sizeof first);
	put_name(&r->events[b], second, sizeof second);
	snprintf(into, room, "%swhole\nbefore %s %s\n", models[model], second, first);
}

static char *steps_whole(const struct run *r, enum order_model model, int a, int b)
{
	struct stand first = order_stand(r->o, model, &r->events[a]), second = order_stand(r->o, model, &r->events[b]);
	size_t length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);
	enum order_answer answer = order_refute_whole(r->o, first, second, out, NULL);
	fclose(out);
	if (answer != ORDER_NO)
		*text = 0;
	return text;
}

/* Every pair that can be turned round, but not with all the others behind it; a claim that can be follows. */
static bool stuck_under(const struct run *r, enum order_model model, uint64_t *count, uint64_t *seed)
{
	char claim[100], *last = strdup("learn\n");
	bool good = true;
	for (int a = 0; a < r->s->count && good; a++)
		for (int b = a + 1; b < r->s->count && good; b++) {
			if (r->s->ev[a].thread == r->s->ev[b].thread || !is_access(&r->s->ev[a]) || !is_plain(&r->s->ev[b]))
				continue;
			struct brute want = brute_reverse(a, b);
			claim_whole(r, model, a, b, claim, sizeof claim);
			if (want.can && want.can_complete) {
				good = refused(r, "a refutation of an order of all events", claim, last, seed);
			} else if (want.can) {
				free(last);
				last = steps_whole(r, model, a, b);
				good = refuted(r, "into a deadlock", claim, last, count);
			}
		}
	free(last);
	return good;
}

bool refuted_stuck(const struct small *s, uint64_t *seed)
{
	struct run *r = run_new(s, ORDER_SC, false);
	brute_prepare(s, BRUTE_SC);
	bool good = stuck_under(r, ORDER_SC, &stuck_refuted, seed);
	run_free(r);
	return good;
}

/* ---- moments under TSO and PSO ---- */

static char *steps_moment(const struct run *r, enum order_model model, const int *e, int count, char *claim, enum order_answer *answer)
{
	const struct event *open[2] = { &r->events[e[0]], &r->events[e[2]] }, *reached[2] = { &r->events[e[1]], &r->events[e[3]] };
	size_t length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);
	*answer = order_refute_moment(r->o, model, reached, (uint32_t)count, open, (uint32_t)count, out);
	fclose(out);
	char *steps = behind_claim(text);
	snprintf(claim, 200, "%.*s", (int)(strlen(text) - strlen(steps)), text);
	free(text);
	return steps;
}

static bool moment(const struct run *r, enum order_model model, const int *e, int count, char **last, uint64_t *seed)
{
	char claim[200];
	enum order_answer answer;
	bool can = count == 1 ? brute_reverse(e[0], e[1]).can : brute_both(e[0], e[1], e[2], e[3]);
	char *steps = steps_moment(r, model, e, count, claim, &answer);
	bool good = true;
	if (can)
		good = refused(r, "a refutation of a moment that can be", claim, *last, seed);
	else if (answer == ORDER_NO)
		good = refuted(r, "of a moment", claim, steps, &weak_refuted);
	else if (answer != ORDER_UNKNOWN || model != ORDER_PSO || count == 1)
		good = failed(r, "a moment", claim, steps, "none was written");
	if (!can && answer == ORDER_NO) {
		free(*last);
		*last = strdup(steps);
	}
	free(steps);
	return good;
}

static bool askable(const struct small_event *open, const struct small_event *reached)
{
	return open->thread != reached->thread || store_waits(open);
}

static bool weak_under(const struct run *r, enum order_model model, uint64_t *seed)
{
	const struct small_event *ev = r->s->ev;
	char *last = strdup("learn\n");
	bool good = true;
	for (int a = 0; a < r->s->count && good; a++)
		for (int b = a + 1; b < r->s->count && good; b++) {
			int c = (int)draw(seed, (uint64_t)r->s->count), d = (int)draw(seed, (uint64_t)r->s->count), e[4] = { a, b, c, d };
			if (!is_access(&ev[a]) || !is_access(&ev[b]))
				continue;
			if (ev[a].thread != ev[b].thread)
				good = moment(r, model, e, 1, &last, seed);
			if (good && is_access(&ev[c]) && is_access(&ev[d]) && askable(&ev[a], &ev[b]) && askable(&ev[a], &ev[d]) &&
				askable(&ev[c], &ev[b]) && askable(&ev[c], &ev[d]))
				good = moment(r, model, e, 2, &last, seed);
		}
	free(last);
	return good && stuck_under(r, model, &weak_refuted, seed);
}

bool refuted_weak(const struct small *s, uint64_t *seed)
{
	struct run *r = run_new(s, ORDER_PSO, false);
	brute_prepare(s, BRUTE_TSO);
	bool good = weak_under(r, ORDER_TSO, seed);
	brute_prepare(s, BRUTE_PSO);
	good = good && weak_under(r, ORDER_PSO, seed);
	run_free(r);
	return good;
}

/* ---- locks that have more than one life: every no holds that has a refutation, and nothing refutes what can be ---- */

/* Is a lock made that was not used before?  The checker takes what is made to be made before it is used; the engine does not. */
static bool made_early(const struct small *s)
{
	for (int i = 0; i < s->count; i++) {
		bool used = s->ev[i].kind != EV_LOCKINIT;
		for (int k = 0; k < i; k++)
			used |= s->ev[k].kind >= EV_LOCK && s->ev[k].kind <= EV_LOCKDEAD && s->ev[k].object == s->ev[i].object;
		if (!used)
			return true;
	}
	return false;
}

/* b before a; or, two: one next to the other. */
static bool lives_pair(const struct run *r, int a, int b, bool two, char **last, uint64_t *seed)
{
	char claim[200];
	enum order_answer answer;
	bool can = two ? brute_both(a, b, b, a) : brute_reverse(a, b).can, good = true;
	char *steps = steps_moment(r, ORDER_SC, (int[]){ a, b, b, a }, two ? 2 : 1, claim, &answer);
	if (can) {
		good = refused(r, "a refutation of what can be", claim, *last, seed) && (draw(seed, 4) || refused_all(r, claim, seed));
	} else if (answer == ORDER_NO) {
		good = refuted(r, "where locks have lives", claim, steps, &lives_refuted);
		free(*last);
		*last = strdup(steps);
	}
	free(steps);
	return good;
}

bool refuted_lives(const struct small *s, uint64_t *seed)
{
	bool good = true;
	if (made_early(s))
		return true;
	char *last = strdup("learn\n");
	struct run *r = run_new(s, ORDER_SC, false);
	brute_prepare(s, BRUTE_SC);
	for (int a = 0; a < s->count && good; a++)
		for (int b = a + 1; b < s->count && good; b++)
			if (s->ev[a].thread != s->ev[b].thread && is_access(&s->ev[a]) && is_access(&s->ev[b]))
				good = lives_pair(r, a, b, false, &last, seed) && lives_pair(r, a, b, true, &last, seed);
	free(last);
	run_free(r);
	return good;
}

/* ---- what a read returns ---- */

struct kept { const struct run *r; uint32_t events; };

static bool keeps(void *context, uint32_t node)
{
	const struct kept *k = context;
	for (int i = 0; i < k->r->s->count; i++)
		if (k->r->nodes[i] == node && k->events >> i & 1)
			return true;
	return false;
}

static char *steps_reads(const struct run *r, const struct brute_read *q, uint64_t budget, enum order_answer *answer)
{
	struct kept kept = { r, q->kept };
	int low = r->s->ev[q->read].bytes & 1 ? 0 : 1;
	uint8_t value[16] = { (uint8_t)q->value[low], (uint8_t)q->value[1] };
	struct order_read ask = { .read = r->nodes[q->read], .from = q->from < 0 ? NO_NODE : r->nodes[q->from],
		.value = q->from < 0 ? value : NULL, .keeps = keeps, .context = &kept, .budget = budget };
	size_t length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);
	*answer = order_refute_reads(r->o, &ask, out);
	fclose(out);
	return text;
}

/* What is claimed of this read, with all reads of `kept` kept. */
static void claim_reads(const struct run *r, const struct brute_read *q, char *into, size_t room)
{
	char name[20], other[20] = "";
	int low = r->s->ev[q->read].bytes & 1 ? 0 : 1;
	put_name(&r->events[q->read], name, sizeof name);
	if (q->from >= 0)
		put_name(&r->events[q->from], other, sizeof other);
	else
		snprintf(other, sizeof other, "%02x%02x", (unsigned)q->value[low], (unsigned)q->value[1]);
	int at = snprintf(into, room, "%sbefore %s END\nbefore END %s\n%s %s %s\n", models[r->model], name, name, q->from < 0 ? "value" : "from", name, other);
	for (int i = 0; i < r->s->count; i++)
		if (q->kept >> i & 1 && small_reads(&r->s->ev[i])) {
			put_name(&r->events[i], name, sizeof name);
			at += snprintf(into + at, room - (size_t)at, "keep %s\n", name);
		}
}

static bool read_one(const struct run *r, const struct brute_read *q, char **last, uint64_t *seed)
{
	char claim[1000];
	bool can = brute_reads(r->s, q), good = true;
	claim_reads(r, q, claim, sizeof claim);
	if (can)
		return refused(r, "a refutation of what a read can return", claim, *last, seed);
	for (uint64_t budget = 0; budget < 2 && good; budget++) {
		enum order_answer answer;
		char *text = steps_reads(r, q, budget, &answer);
		if (answer == ORDER_NO) {
			free(*last);
			*last = behind_claim(text);
			good = refuted(r, "of a read", "", text, &reads_refuted) && refuted(r, "of a read, all of it kept", claim, *last, &reads_refuted);
		} else if (answer != ORDER_UNKNOWN) {
			good = failed(r, "of a read", claim, text, "none was written");
		}
		free(text);
	}
	return good;
}

static bool share_bytes(const struct small_event *a, const struct small_event *b)
{
	return (small_byte(a, 0) >= 0 && small_byte(a, 0) == small_byte(b, 0)) || (small_byte(a, 1) >= 0 && small_byte(a, 1) == small_byte(b, 1));
}

bool refuted_reads(const struct small *s, enum order_model model, uint64_t *seed)
{
	struct run *r = run_new(s, model, true);
	char *last = strdup("learn\n");
	bool good = true;
	brute_prepare(s, (enum brute_model)model);
	for (int k = 0; k < s->count && good; k++) {
		if (!small_reads(&s->ev[k]))
			continue;
		struct brute_read q = { .read = k, .from = -1, .kept = (uint32_t)(draw(seed, 1 << 24) | draw(seed, 1 << 24)) };
		for (int i = 0; i < 3 && good; i++) {
			q.value[0] = (int)draw(seed, 3);
			q.value[1] = (int)draw(seed, 3);
			good = read_one(r, &q, &last, seed);
		}
		for (q.from = 0; q.from < s->count && good; q.from++)
			if (q.from != k && share_bytes(&s->ev[q.from], &s->ev[k]) && small_writes(&s->ev[q.from]))
				good = read_one(r, &q, &last, seed);
	}
	free(last);
	run_free(r);
	return good;
}
