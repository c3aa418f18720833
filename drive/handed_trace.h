/* drive/handed_trace.h -- the trace of one of many runs of a process, from what it handed over (wire/handed.h). */
#ifndef RADDLE_DRIVE_HANDED_TRACE_H
#define RADDLE_DRIVE_HANDED_TRACE_H

#include "drive/ring.h"
#include "drive/steer.h"
#include "wire/handed.h"

struct handed_traces;
struct handed_traces *handed_traces_new(const struct ring *ring);       /* the ring of the process; never NULL */
void handed_traces_free(struct handed_traces *t);                       /* NULL is fine */
/* `run` is sound, and all of it behind it.  Written as if the run had been alone; what cannot be written is said on standard error, as by every drain. */
void handed_trace(struct handed_traces *t, const char *path, const struct steer_options *o, const struct handed_run *run,
	const uint8_t *behind);

#endif
