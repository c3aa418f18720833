/* drive/trunk.h -- one steered run that others part from where faults are: what comes before a fault is executed once for all of them.
 *
 *   trunk_start()                   the program, up to the place of the first fault
 *   in a copy of this process:  trunk_part()    a copy of the program makes the fault and runs to its end
 *   here, when that is gone:    trunk_on()      the run itself, up to the next place; and so on
 *
 * Places come in the order the run comes to them (fault_order.at).  What the sink was told of the run up to a place is what the copy of this process has of its own
 * run, so nothing is told twice.
 *   (1) a run that parts is the one steer_run() would make of the same order: same records behind the place, same outcome, same output;
 *   (2) it changes nothing the run itself or another one could notice: memory, ring, folder and places in files are its own (rt/reopen.c). */
#ifndef RADDLE_DRIVE_TRUNK_H
#define RADDLE_DRIVE_TRUNK_H

#include "drive/steer.h"

struct trunk;

/* Standard input and output and the working directory are this process's.  `like` has program, schedule, limits, sink and the first fault; lives as long.
 * 1 it stands there; 0 and why: it does, but none can part there; -1 and why: it does not come there, and is of no more use. */
int  trunk_start(struct trunk **out, const struct steer_options *like, struct err *why);
int  trunk_on(struct trunk *t, const struct fault_order *order, struct err *why);       /* the same */
/* In a copy of this process, once.  `room`: an absolute path, a folder that has what lies in the run's.  As steer_run(), and *order as it has it; 1 and why: the copy could not begin there. */
int  trunk_part(struct trunk *t, const char *room, struct fault_order *order, struct steer_result *out, struct err *why);
void trunk_end(struct trunk *t);                /* NULL is fine */

#endif
