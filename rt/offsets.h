/* rt/offsets.h -- files the program was given open, by whoever started it: each run of a server has them as the first one had (offsets.c). */
#ifndef RADDLE_RT_OFFSETS_H
#define RADDLE_RT_OFFSETS_H

void offsets_start(void);                     /* in the server */
void offsets_begin(void);                     /* in a run */

#endif
