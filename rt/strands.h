/* rt/strands.h -- the table of strands (strands.c), for those who follow numbers: script.c and steer.c. */
#ifndef RADDLE_RT_STRANDS_H
#define RADDLE_RT_STRANDS_H

#include "rt/steer.h"

extern struct strand strands[STEER_STRANDS];
extern uint32_t strand_count;                 /* numbers given, those the script names in advance included */

void strands_named(void);                     /* takes over the names the script gives in advance */
void strand_has_ended(struct strand *s);

#endif
