/* tests/fuzz/order.c -- any bytes as a text twin: whatever order it claims, a verdict and no crash; and of two dependent places
 * that cannot change, an explanation and a refutation, which its checker reads beside the twin.  What follows the line of a
 * refutation's head is handed to that checker too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/determinism/determinism.h"
#include "trace/text.h"
#include "verify/refutation.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void refute(struct determinism *d, const struct pair *p, const uint8_t *bytes, size_t count)
{
	struct question q = { .reach = &p->second.spot, .reach_count = 1, .limit = &p->first.spot, .limit_count = 1 };
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	fprintf(out, "raddle refutation 2\nbefore %s:%llu END\nbefore END %s:%llu\n", trace_thread(d->trace, (struct thread_id){ p->second.spot.thread })->path,
		(unsigned long long)p->second.index + 1, trace_thread(d->trace, (struct thread_id){ p->first.spot.thread })->path,
		(unsigned long long)p->first.index + 1);
	order_refute(d->order, &q, out);
	fclose(out);
	refutation_check((const char *)bytes, count, text, length);
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
		refutation_check((const char *)bytes, (size_t)(head - bytes), (const char *)head, count - (size_t)(head - bytes));
	if (count > 4096 || text_load(&t, "fuzz", (const char *)bytes, count, &options, &why) < 0)
		return 0;
	if (determinism_run(&d, t, NULL, &why) == 0)
		for (uint32_t i = 0; i < d.pair_count && i < 8; i++)
			if (d.pairs[i].first.place && strcmp(d.pairs[i].object, "deadlock")) {
				order_reversible(d.order, d.pairs[i].first.spot, d.pairs[i].second.spot, NULL, out);
				refute(&d, &d.pairs[i], bytes, count);
			}
	determinism_release(&d);
	trace_close(t);
	return 0;
}
