/* cli/filter.h -- which events of a trace are wanted: --thread --kind --place --range --object. */
#ifndef RADDLE_CLI_FILTER_H
#define RADDLE_CLI_FILTER_H

#include "trace/objects.h"

struct filter_options { const char *thread, *kind, *place, *range, *object; };  /* as typed; NULL: not given */
struct filter;

/* 0, or -1 and why (code 2): an unknown thread or kind is named, with what there is. */
int  filter_new(struct filter **out, const struct filter_options *options, struct trace *t, struct err *why);
int  filter_check(const struct filter_options *options, struct err *why);       /* what can be said before the trace is open */
bool filter_wants(const struct filter *f, const struct objects *o, const struct event *ev, uint64_t number);
bool filter_done(const struct filter *f, uint64_t number);              /* no event from here on is wanted */
void filter_free(struct filter *f);                                     /* NULL is fine */

#endif
