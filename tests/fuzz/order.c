/* tests/fuzz/order.c -- any bytes as a text twin: whatever order it claims, a verdict and no crash; and of two dependent places
 * that cannot change, an explanation and a refutation, which its checker reads beside the twin.  What follows the line of a
 * refutation's head is handed to that checker too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/determinism/determinism.h"
#include "trace/plain.h"
#include "trace/text.h"
#include "verify/refutation.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* The trace as its checker reads it. */
static char *plain_twin(struct trace *t)
{
	struct merged *m;
	const struct event *ev;
	struct err why;
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	plain_head(t, out);
	if (merged_open(&m, t, &why) == 0) {
		while (merged_next_in_place(m, &ev, &why) > 0)
			plain_print(ev, out);
		merged_close(m);
	}
	fclose(out);
	return text;
}

static void refute(struct determinism *d, const struct pair *p)
{
	struct question q = { .reach = &p->second.spot, .reach_count = 1, .limit = &p->first.spot, .limit_count = 1 };
	size_t length;
	char *text, *twin = plain_twin(d->trace);
	FILE *out = open_memstream(&text, &length);
	fprintf(out, "raddle refutation 3\nbefore %u:%llu END\nbefore END %u:%llu\n", p->second.spot.thread, (unsigned long long)p->second.index + 1,
		p->first.spot.thread, (unsigned long long)p->first.index + 1);
	order_refute(d->order, &q, out);
	fclose(out);
	refutation_check(twin, text);
	free(text);
	free(twin);
}

/* Both parts as they are. */
static void check_bytes(const uint8_t *bytes, const uint8_t *head, size_t count)
{
	char *twin = strndup((const char *)bytes, (size_t)(head - bytes)), *text = strndup((const char *)head, count - (size_t)(head - bytes));
	refutation_check(twin, text);
	free(twin);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	const uint8_t *head = memmem(bytes, count, "raddle refutation", 17);
	struct trace *t;
	struct err why;
	struct determinism d;
	struct trace_options options = { .salvage = true };
	static FILE *out;
	if (!out)
		out = fopen("/dev/null", "w");
	if (head && count <= 4096)
		check_bytes(bytes, head, count);
	if (count > 4096 || text_load(&t, "fuzz", (const char *)bytes, count, &options, &why) < 0)
		return 0;
	if (determinism_run(&d, t, NULL, &why) == 0)
		for (uint32_t i = 0; i < d.pair_count && i < 8; i++)
			if (d.pairs[i].first.place && strcmp(d.pairs[i].object, "deadlock")) {
				order_reversible(d.order, order_stand_at(d.pairs[i].first.spot), order_stand_at(d.pairs[i].second.spot), NULL, out);
				refute(&d, &d.pairs[i]);
			}
	determinism_release(&d);
	trace_close(t);
	return 0;
}
