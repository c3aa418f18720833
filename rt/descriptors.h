/* rt/descriptors.h -- what is known of the program's descriptors: which of them are its standard output and error, and which
 * lead nowhere but to itself. */
#ifndef RADDLE_RT_DESCRIPTORS_H
#define RADDLE_RT_DESCRIPTORS_H

#include "rt/world.h"

void fds_start(void);
void fds_after(const struct world_call *c, long result);      /* this call was made, or answered from the log */
void fds_shared(void);                        /* from now on another process may hold any of them */
bool fds_are_shared(void);                    /* another process was made, or a descriptor sent away */
bool fd_is_ours(int fd);                      /* the other end, if any, is in this process alone */
int  fd_standard(int fd);                     /* 1 or 2: what was standard output or error at the start; 0: neither */

#endif
