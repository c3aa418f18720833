/* rt/rawcall.h -- what a system call made by number did (rawcall.c); futex.c stands in front of `syscall`. */
#ifndef RADDLE_RT_RAWCALL_H
#define RADDLE_RT_RAWCALL_H

#include "rt/world.h"

/* Around the call, for a thread that is on.  `result` as libc gives it; pieces from call_pieces() before. */
void rawcall_before(const struct world_call *c);
void rawcall_after(const struct world_call *c, long result, struct piece *pieces, unsigned count);

#endif
