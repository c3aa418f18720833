/* trace/plain.h -- a trace as raddle-verify reads it (docs/refutation-format.md): a line an event, what it is in columns, nothing left out and nothing
 * abbreviated, so that reading it takes no more than sscanf(). */
#ifndef RADDLE_TRACE_PLAIN_H
#define RADDLE_TRACE_PLAIN_H

#include <stdio.h>

#include "trace/reader.h"

void plain_head(const struct trace *t, FILE *out);              /* which number is which thread, for people */
void plain_print(const struct event *ev, FILE *out);
/* FNV-1a (64 bit) of what the two write of all events.  0, or -1 and why. */
int plain_sum(struct trace *t, uint64_t *sum, struct err *why);

#endif
