/* drive/offspring.h -- all processes a program has made, found and ended.
 *
 * Whoever lost its parent comes to us (PR_SET_CHILD_SUBREAPER), so all of them are below us in /proc, also one that has a session of its own or was made by
 * one that ended at once.  Children we had before, as from a shell that became raddle, are left alone, and what is below them. */
#ifndef RADDLE_DRIVE_OFFSPRING_H
#define RADDLE_DRIVE_OFFSPRING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"

typedef VEC(pid_t) pid_list;

struct offspring { pid_list others; };                  /* children we had before */

void offspring_begin(struct offspring *o);              /* before the first is started: orphans come to us from now on */
void offspring_list(const struct offspring *o, pid_list *out);     /* all there are now, dead ones that were not waited for too */
/* Kills them until there are none; those that may not be killed are given up.  ended(with, pid, status) of each of our own that was waited for; may be NULL.
 * How many there were that were alive. */
typedef void offspring_ended(void *with, pid_t pid, int status);
unsigned offspring_end(const struct offspring *o, offspring_ended *ended, void *with);
char offspring_state(pid_t pid);                        /* as /proc tells it: 'T' stopped, 'Z' dead and not waited for, ...; 'X' gone */
void offspring_release(struct offspring *o);

#endif
