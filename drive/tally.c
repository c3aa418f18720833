/* drive/tally.c -- see tally.h. */
#include "drive/tally.h"

#include "base/err.h"
#include "base/vec.h"

void tally_open(struct tally *t, struct hunt_result *out)
{
	*t = (struct tally){ .out = out, .ahead = mem_take(TALLY_AHEAD * sizeof *t->ahead) };
}

void tally_put(struct tally *t, uint64_t number, const struct told *told)
{
	struct told *at = &t->ahead[number % TALLY_AHEAD];
	check(number >= t->next && number - t->next < TALLY_AHEAD && !at->known);
	*at = *told;
	at->known = true;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void forget(struct told *told)
{
	mem_free(told->races);
	*told = (struct told){ 0 };
}

static void count(struct tally *t, uint64_t number, struct told *told)
{
	struct hunt_counts *c = &t->out->counts;
	bool fresh;
	c->runs++;
	c->by_policy[told->policy]++;
	if (told->policy == STEER_PCT)
		c->pct_by_depth[told->depth]++;
	c->slow += told->slow;
	c->unknown += told->unknown;
	map_put(&t->out->seen, told->log_hash, &fresh);
	c->distinct += fresh;
	c->most_events = larger(c->most_events, told->events);
	c->most_threads = larger(c->most_threads, told->threads);
	if (told->races)
		races_kept_count(&t->out->races, told->races, number + 1);
	forget(told);
}

void tally_count(struct tally *t, uint64_t last)
{
	for (; t->next <= last && t->ahead[t->next % TALLY_AHEAD].known; t->next++)
		count(t, t->next, &t->ahead[t->next % TALLY_AHEAD]);
}

void tally_close(struct tally *t, uint64_t last)
{
	for (uint64_t i = 0; t->ahead && i < TALLY_AHEAD; i++, t->next++) {
		struct told *told = &t->ahead[t->next % TALLY_AHEAD];
		if (told->known && t->next <= last)
			count(t, t->next, told);
		forget(told);
	}
	mem_free(t->ahead);
	t->ahead = NULL;
}
