/* analyses/check/turns.h -- a way through the states of a program, as the schedule of a run. */
#ifndef RADDLE_ANALYSES_CHECK_TURNS_H
#define RADDLE_ANALYSES_CHECK_TURNS_H

#include "analyses/check/space.h"
#include "drive/schedule.h"

struct further { uint32_t node; bool late; uint32_t chosen; };  /* one point more, of the thread that stands there; told that its time is up, or this number */

/* Turns of threads that do these deeds in this order, and then so many `further`, of different threads.  False: more than 256 stores would wait, one that
 * others see the oldest: the runtime keeps no more. */
bool turns_make(const struct threads *t, const doings *way, const struct further *further, size_t count, struct schedule *out);

#endif
