/* drive/salvage.h -- what a recording that was killed left (drive/leftover.h) becomes a trace. */
#ifndef RADDLE_DRIVE_SALVAGE_H
#define RADDLE_DRIVE_SALVAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct salvaged {
	uint64_t events;                 /* of the traces made, all they hold */
	uint32_t threads, files;
	unsigned recordings;             /* that were killed, and are whole now */
	unsigned running;                /* that somebody still writes */
	bool cut;                        /* the program went on after its recorder was gone, for longer than the ring had room */
};

/* Every recording into `output` that was killed: events that were executed and are not in the trace yet are put there, and the file beside
 * it goes.  Killed itself, it may be run again.  0 (also if there was none); or -1 and why: what was left stays. */
int salvage(const char *output, struct salvaged *out, struct err *why);
bool salvage_is_there(const char *output);       /* something is left beside this trace */

#endif
