/* tests/fuzz/order.c -- any bytes as a text twin: whatever order it claims, a verdict and no crash; and of two dependent places
 * that cannot change, an explanation. */
#include <stdio.h>
#include <string.h>

#include "analyses/determinism/determinism.h"
#include "trace/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	struct trace *t;
	struct err why;
	struct determinism d;
	struct trace_options options = { .salvage = true };
	static FILE *out;
	if (!out)
		out = fopen("/dev/null", "w");
	if (count > 4096 || text_load(&t, "fuzz", (const char *)bytes, count, &options, &why) < 0)
		return 0;
	if (determinism_run(&d, t, &why) == 0)
		for (uint32_t i = 0; i < d.pair_count && i < 8; i++)
			if (d.pairs[i].first.place && strcmp(d.pairs[i].object, "deadlock"))
				order_reversible(d.order, d.pairs[i].first.spot, d.pairs[i].second.spot, NULL, out);
	determinism_release(&d);
	trace_close(t);
	return 0;
}
