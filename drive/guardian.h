/* drive/guardian.h -- nothing that raddle started outlives it, whatever ends it and whatever the programs do.
 *
 *   front (the process that was started) --> guardian --> worker (goes on as raddle) --> programs
 *
 * Orphans come to the guardian (PR_SET_CHILD_SUBREAPER), so whatever the programs fork, detach or exec stays below it.  It has a process group of its own
 * and none of raddle's descriptors.  When front or worker is gone, however that came, the guardian kills all that is below it.  When the guardian is
 * killed itself, the front does so.  The front hands signals on to the worker, stops and goes on with it, and ends as it ended. */
#ifndef RADDLE_DRIVE_GUARDIAN_H
#define RADDLE_DRIVE_GUARDIAN_H

#include <sys/types.h>

/* Returns in the worker.  Call it before threads are made and before anything is in the buffers of stdio.  Without room for a process: there is no guardian.
 * In the words of front and guardian, which others can list, passwords of URLs become ***; the worker needs them, and hides them when it has. */
void guardian_begin(char **words);
pid_t guardian_front(void);             /* the process that was started, the one others know; without a guardian this one */
void guardian_stop(void);               /* front and worker stop, until somebody has them go on */

#endif
