/* rt/reopen.h -- the files of a run that parts from another one where a fault is (reopen.c). */
#ifndef RADDLE_RT_REOPEN_H
#define RADDLE_RT_REOPEN_H

#include <stdbool.h>

struct world_call;

void reopen_start(void);                /* the program begins */
/* In the run others part from: takes down what descriptors there are.  false: a copy would share one of them with it. */
bool reopen_look(void);
/* In the copy: goes on in this folder, with the same files there and the others opened again, each where it was.  false: it cannot. */
bool reopen_begin(const char *room);
/* The program is about to make this call: what it changes is in its folder, or seen by reopen_look(). */
bool reopen_allows(const struct world_call *c);

#endif
