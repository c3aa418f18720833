/* drive/late.h -- has a program that should have ended long ago hung?  On a busy machine one that merely gets no processor has not. */
#ifndef RADDLE_DRIVE_LATE_H
#define RADDLE_DRIVE_LATE_H

#include <stdbool.h>
#include <stdint.h>
#include "drive/offspring.h"

struct late { uint64_t limit_ns, end_by, looked_at, cpu_ns; bool idle; };       /* limit_ns 0: it may take its time; idle: late, and nobody in it runs or wants to */

void late_begin(struct late *l, uint64_t limit_ms);
/* The program has ended, others it made have not: if they do nothing they need not have all of its time. */
void late_without(struct late *l);
bool late_is_time(const struct late *l);                /* is it time to look?  Else the answer is no */
/* Asked again and again, of all processes of the program.  Yes: its time is over, and they have used that much of the processor, or nobody in them runs or wants to, now and a
 * moment ago, and none of it was used in between. */
bool late_is(struct late *l, const pid_list *all);

#endif
