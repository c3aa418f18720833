/* trace/perfetto.h -- a trace as Chrome's JSON trace events, which ui.perfetto.dev shows. */
#ifndef RADDLE_TRACE_PERFETTO_H
#define RADDLE_TRACE_PERFETTO_H

#include <stdio.h>

#include "trace/objects.h"

struct perfetto;
struct perfetto *perfetto_open(struct trace *t, const struct objects *o, FILE *out);    /* never NULL; writes the head */
void perfetto_event(struct perfetto *p, const struct event *ev);
void perfetto_close(struct perfetto *p);                /* ends what is open, writes the tail; NULL is fine */

#endif
