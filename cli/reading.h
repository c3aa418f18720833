/* cli/reading.h -- every event of a trace, in merged order, given to one who takes them. */
#ifndef RADDLE_CLI_READING_H
#define RADDLE_CLI_READING_H

#include "trace/objects.h"

/* false: no more are wanted. */
typedef bool (*event_taker)(void *who, const struct event *ev, uint64_t number);

/* Keeps `objects` up to date: what an event frees can still be named while it is taken.  Progress shows on a terminal that
 * the events do not go to.  0; 1 the user interrupted it, which is said; -1 and why. */
int read_events(struct trace *t, struct objects *objects, event_taker take, void *who, struct err *why);

#endif
