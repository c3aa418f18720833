/* drive/late.h -- has a program that should have ended long ago hung?  On a busy machine one that merely gets no processor has not. */
#ifndef RADDLE_DRIVE_LATE_H
#define RADDLE_DRIVE_LATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct late { uint64_t limit_ns, end_by, looked_at, cpu_ns; bool idle; };       /* limit_ns 0: it may take its time; idle: late, and nobody in it runs or wants to */

void late_begin(struct late *l, uint64_t limit_ms);
/* Asked again and again.  Yes: its time is over, and it has used that much of the processor, or nobody in it runs or wants to, now and a
 * moment ago, and none of it was used in between. */
bool late_is(struct late *l, pid_t pid);

#endif
