/* analyses/determinism/refutation.c -- why a pair cannot happen the other way round, or not with all that follows, as a file that raddle-verify reads
 * (docs/refutation-format.md).  The claim names events of the trace's plain twin; the steps are order/'s. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "analyses/determinism/determinism.h"
#include "base/file.h"
#include "base/str.h"
#include "trace/plain.h"

enum order_answer determinism_whole(struct determinism *d, const struct pair *p, FILE *out, FILE *explain)
{
	return order_refute_whole(d->order, order_stand_at(p->first.spot), order_stand_at(p->second.spot), out, explain);
}

/* No prefix has the second without the first; of a reversal into a deadlock: no order of all events has the second before the first. */
static enum order_answer put(struct determinism *d, const struct pair *p, FILE *out)
{
	struct question q = { .reach = &p->second.spot, .reach_count = 1, .limit = &p->first.spot, .limit_count = 1 };
	if (p->answer == ORDER_STUCK) {
		fprintf(out, "whole\nbefore %" PRIu32 ":%" PRIu64 " %" PRIu32 ":%" PRIu64 "\n", p->second.spot.thread, p->second.index + 1,
			p->first.spot.thread, p->first.index + 1);
		return determinism_whole(d, p, out, NULL);
	}
	fprintf(out, "before %" PRIu32 ":%" PRIu64 " END\n", p->second.spot.thread, p->second.index + 1);
	fprintf(out, "before END %" PRIu32 ":%" PRIu64 "\n", p->first.spot.thread, p->first.index + 1);
	return order_refute(d->order, &q, out);
}

/* One of the two: a pair or a cycle. */
static int write_down(struct determinism *d, const struct pair *p, const struct order_stuck *cycle, const char *path, struct err *why)
{
	if (!d->sum && plain_sum(d->trace, &d->sum, why) < 0)
		return -1;
	int fd = file_create(path, FILE_OURS, why);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out)
		return -1;
	fprintf(out, "raddle refutation 3\ntrace %" PRIu64 "\n", d->sum);
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
