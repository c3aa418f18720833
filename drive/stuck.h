/* drive/stuck.h -- threads of a recorded program that wait in the kernel for what only the program itself could do: to read from a pipe or an event descriptor
 * nobody else has, to write to a full one.  The runtime says what a thread waits for where it interposes; a read is no wait before somebody asks, so raddle asks when
 * a run has hung. */
#ifndef RADDLE_DRIVE_STUCK_H
#define RADDLE_DRIVE_STUCK_H

#include <sys/types.h>

#include "drive/ring.h"

/* Says of each such thread of the one process there is that it waits for input (waits_kind), in its area.  Where the system does not tell, nothing is said. */
void stuck_mark(struct ring *r, pid_t pid);
/* It was ended while it ran: what its threads waited for just then they might have had the next moment. */
void stuck_forget(struct ring *r);

#endif
