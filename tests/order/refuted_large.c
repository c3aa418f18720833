/* tests/order/refuted_large.c -- refutations of runs too long for brute force: 8 threads, 6 locks, sections inside sections.
 * The run is a text twin, which engine and checker read each by itself.  What is asked is so chosen that the no needs
 * cases: several threads must come to an end while others stand in the middle of their sections. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/order/engine.h"
#include "trace/plain.h"
#include "trace/text.h"

enum { THREADS = 8, LOCKS = 6 };
uint64_t large_refuted, large_learnt;           /* refutations that held; the most clauses of one */

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % n;
}

static char *random_twin(int events, uint64_t *seed, size_t *length)
{
	int holder[LOCKS] = { 0 }, held[THREADS] = { 0 };
	char *text;
	FILE *out = open_memstream(&text, length);
	for (int t = 1; t < THREADS; t++)
		fprintf(out, "T_0 fork T_%d\n", t);
	for (int tries = 0, done = 0; done < events && tries < 100 * events; tries++) {
		int t = (int)draw(seed, THREADS), m = (int)draw(seed, LOCKS);
		if (!holder[m] && held[t] < 3) {
			holder[m] = t + 1;
			held[t]++;
			fprintf(out, "T_%d lock L%d\n", t, m);
		} else if (holder[m] == t + 1) {
			holder[m] = 0;
			held[t]--;
			fprintf(out, "T_%d unlock L%d\n", t, m);
		} else {
			continue;
		}
		done++;
	}
	fclose(out);
	return text;
}

static char *plain_twin(struct trace *t)
{
	struct merged *m;
	const struct event *ev;
	struct err why;
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	plain_head(t, out);
	if (merged_open(&m, t, &why) < 0)
		abort();
	while (merged_next_in_place(m, &ev, &why) > 0)
		plain_print(ev, out);
	merged_close(m);
	fclose(out);
	return text;
}

static struct order *order_of(struct trace *t)
{
	struct order *o = order_new(t);
	struct merged *m;
	const struct event *ev;
	struct err why;
	if (merged_open(&m, t, &why) < 0)
		abort();
	while (merged_next_in_place(m, &ev, &why) > 0)
		order_note(o, ev);
	merged_close(m);
	order_seal(o);
	return o;
}

/* Who comes how far: each thread to a random node, or no further, or as it likes. */
static void random_question(const struct order *o, uint64_t *seed, struct spot *reach, uint32_t *reaches, struct spot *limit, uint32_t *limits)
{
	*reaches = *limits = 0;
	for (uint32_t t = 0; t < THREADS; t++) {
		uint32_t nodes = 0;
		while (order_at(o, (struct spot){ t, nodes }) != NO_NODE)
			nodes++;
		if (nodes < 2)
			continue;                       /* it did nothing */
		struct spot spot = { t, 1 + (uint32_t)draw(seed, nodes - 1) };
		uint64_t what = draw(seed, 4);
		if (what != 1)
			reach[(*reaches)++] = spot;
		if (what == 1 || what == 2)
			limit[(*limits)++] = spot;
	}
}

static void put_node(FILE *out, bool reached, struct order_node n)
{
	uint64_t number = n.real || n.at ? n.index + 1 : 0;
	if (reached)                            /* the event behind it can be next */
		fprintf(out, "before %u:%llu END\n", n.thread, (unsigned long long)number + 1);
	else
		fprintf(out, "before END %u:%llu\n", n.thread, (unsigned long long)number);
}

static bool refuted_one(struct order *o, const char *twin, uint64_t budget, uint64_t *seed)
{
	struct spot reach[THREADS], limit[THREADS];
	uint32_t reaches, limits;
	size_t length;
	char *text;
	random_question(o, seed, reach, &reaches, limit, &limits);
	struct question q = { .reach = reach, .reach_count = reaches, .limit = limit, .limit_count = limits, .budget = budget };
	FILE *out = open_memstream(&text, &length);
	fputs("raddle refutation 3\n", out);
	for (uint32_t i = 0; i < reaches; i++)
		put_node(out, true, order_node_at(o, (struct spot){ reach[i].thread, reach[i].at - 1 }));
	for (uint32_t i = 0; i < limits; i++)
		put_node(out, false, order_node_at(o, limit[i]));
	enum order_answer answer = order_refute(o, &q, out);
	fclose(out);
	const char *why = answer == ORDER_NO ? refutation_of(twin, text) : NULL;
	uint64_t learnt = 0;
	for (const char *at = text; answer == ORDER_NO && (at = strstr(at, "\nlearn")); at++)
		learnt++;
	large_refuted += answer == ORDER_NO && strstr(text, "\nlock ");
	large_learnt = learnt > large_learnt ? learnt : large_learnt;
	if (why)
		printf("%s\n%sFAIL: %s\n", twin, text, why);
	free(text);
	return !why;
}

bool refuted_large(uint64_t *seed)
{
	struct trace *t;
	struct err why;
	size_t length;
	bool good = true;
	char *twin = random_twin(40 + (int)draw(seed, 80), seed, &length);
	if (text_load(&t, "large", twin, length, &(struct trace_options){ 0 }, &why) < 0) {
		puts(why.text);
		return false;
	}
	struct order *o = order_of(t);
	char *plain = plain_twin(t);
	for (int i = 0; i < 20 && good; i++)
		good = refuted_one(o, plain, i % 2, seed);
	order_free(o);
	trace_close(t);
	free(plain);
	free(twin);
	return good;
}
