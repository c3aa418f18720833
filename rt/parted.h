/* rt/parted.h -- the files of a run that parts from another one where a fault is (parted.c). */
#ifndef RADDLE_RT_PARTED_H
#define RADDLE_RT_PARTED_H

#include <stdbool.h>

struct world_call;

void parted_start(void);                /* the program begins */
/* In the run others part from: takes down what descriptors there are.  false: a copy would share one of them with it. */
bool parted_look(void);
/* In the copy: goes on in this folder, with the same files there and the others opened again, each where it was.  false: it cannot. */
bool parted_begin(const char *room);
/* The program is about to make this call: what it changes is in its folder, or seen by parted_look(). */
bool parted_allows(const struct world_call *c);

#endif
