/* analyses/determinism/refutation.c -- why a pair cannot happen the other way round, or not with all that follows, as a file that raddle-verify reads
 * (docs/refutation-format.md).  The claim names events of the trace's text twin; the steps are order/'s. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "analyses/determinism/determinism.h"
#include "base/str.h"

static uint64_t mixed(uint64_t n, const char *text)
{
	for (; *text; text++)
		n = (n ^ (unsigned char)*text) * 0x100000001b3ull;
	return n;
}

/* Which trace it is about: thread and kind of every event. */
static int sum_up(struct determinism *d, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (d->sum)
		return 0;
	if (merged_open(&m, d->trace, why) < 0)
		return -1;
	d->sum = 0xcbf29ce484222325ull;
	while ((got = merged_next_in_place(m, &ev, why)) > 0)
		d->sum = mixed(mixed(d->sum, trace_thread(d->trace, ev->thread)->path) * 31, event_word((enum event_kind)ev->kind));
	merged_close(m);
	return got;
}

static const char *path_of(const struct determinism *d, const struct pair_end *e)
{
	return trace_thread(d->trace, (struct thread_id){ e->spot.thread })->path;
}

enum order_answer determinism_whole(struct determinism *d, const struct pair *p, FILE *out, FILE *explain)
{
	struct stand first = { .reach = { p->first.spot }, .limit = { p->first.spot }, .count = 1 };
	struct stand second = { .reach = { p->second.spot }, .limit = { p->second.spot }, .count = 1 };
	return order_refute_whole(d->order, &first, &second, out, explain);
}

/* No prefix has the second without the first; of a reversal into a deadlock: no order of all events has the second before the first. */
static enum order_answer put(struct determinism *d, const struct pair *p, FILE *out)
{
	struct question q = { .reach = &p->second.spot, .reach_count = 1, .limit = &p->first.spot, .limit_count = 1 };
	if (p->answer == ORDER_STUCK) {
		fprintf(out, "whole\nbefore %s:%" PRIu64 " %s:%" PRIu64 "\n", path_of(d, &p->second), p->second.index + 1,
			path_of(d, &p->first), p->first.index + 1);
		return determinism_whole(d, p, out, NULL);
	}
	fprintf(out, "before %s:%" PRIu64 " END\n", path_of(d, &p->second), p->second.index + 1);
	fprintf(out, "before END %s:%" PRIu64 "\n", path_of(d, &p->first), p->first.index + 1);
	return order_refute(d->order, &q, out);
}

/* One of the two: a pair or a cycle. */
static int write_down(struct determinism *d, const struct pair *p, const struct order_stuck *cycle, const char *path, struct err *why)
{
	if (sum_up(d, why) < 0)
		return -1;
	FILE *out = fopen(path, "w");
	if (!out)
		return err_set(why, "cannot write '%.200s': %s", path, str_error(errno));
	fprintf(out, "raddle refutation 2\ntrace %" PRIu64 " %" PRIu64 "\n", d->events, d->sum);
	enum order_answer answer = p ? put(d, p, out) : order_refute_cycle(d->order, cycle, out);
	if (fclose(out) != 0)
		return err_set(why, "cannot write '%.200s': %s", path, str_error(errno));
	if (answer == ORDER_NO)
		return 0;
	remove(path);
	return 1;
}

int determinism_refute(struct determinism *d, const struct pair *p, const char *path, struct err *why)
{
	return write_down(d, p, NULL, path, why);
}

int determinism_refute_cycle(struct determinism *d, const struct order_stuck *cycle, const char *path, struct err *why)
{
	return write_down(d, NULL, cycle, path, why);
}
