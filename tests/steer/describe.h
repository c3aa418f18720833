/* tests/steer/describe.h -- what came of a run, as text to compare. */
#ifndef RADDLE_TESTS_STEER_DESCRIBE_H
#define RADDLE_TESTS_STEER_DESCRIBE_H

#include <stdbool.h>
#include <stdio.h>

#include "drive/steer.h"

/* Everything of a run two runs of one order have in common, as text to be freed.  output_differs: but output and clock. */
static char *describe(struct steer_result *r, const char *output, size_t output_bytes, bool output_differs)
{
	char *text = NULL, said[STEER_SAY];
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	fprintf(f, "%s\nevents %llu switches %llu clock %llu address %llx used %llu\n", steer_say(r, said), (unsigned long long)r->steps,
		(unsigned long long)r->switches, (unsigned long long)(output_differs ? 0 : r->clock), (unsigned long long)r->address, (unsigned long long)r->script_used);
	for (size_t i = 0; i < r->threads.count; i++) {
		const struct steer_thread *t = &r->threads.at[i];
		bool ended = t->state == STRAND_ENDED;  /* what is still known of its functions and locks is chance */
		fprintf(f, "%s state %d kind %u done %llu waits %d for %u held %u depth %u\n", t->path, (int)t->state, t->kind,
			(unsigned long long)t->done, t->waits, t->waits_for, ended ? 0 : t->held, ended ? 0 : t->depth);
	}
	schedule_print(&r->log, f);
	if (!output_differs && output_bytes)
		fwrite(output, 1, output_bytes, f);
	fclose(f);
	return text;
}

#endif
