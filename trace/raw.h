/* trace/raw.h -- the records of a trace as the program wrote them (wire/ring.h): for who holds another run against it byte by byte, which goes where
 * both ran with the same addresses. */
#ifndef RADDLE_TRACE_RAW_H
#define RADDLE_TRACE_RAW_H

#include "base/vec.h"
#include "trace/reader.h"
#include "trace/sites.h"

#define RAW_EVENTS 512u                         /* of a group that has more none are told */

struct raw_record { uint32_t at; uint32_t event; };     /* where it begins; how many events of the thread come before its first */

struct raw_row {                                /* one thread */
	uint8_t *bytes;
	size_t count;
	VEC(struct raw_record) records;
};

/* All records of a thread.  1; 0: not to be had in one row, signal handlers ran on it, or it is too long; -1 damaged, and why. */
int  raw_take(struct raw_row *out, struct trace *t, struct thread_id id, struct err *why);
void raw_release(struct raw_row *r);
struct sites *raw_sites(struct trace *t);       /* of all objects, where they lay; NULL: there are none, or they changed while it ran */

/* The events of one group, or the one of an access in a steered run, as the lane of a thread would give them but for its thread, index and time; none: it is neither.  death: the thread died in
 * it, NULL: it did not.  `out` has RAW_EVENTS. */
struct raw_death { bool faulted; uint64_t address; };
unsigned raw_events(struct trace *t, struct sites *s, const uint8_t *record, size_t room, const struct raw_death *death, struct event *out);

#endif
