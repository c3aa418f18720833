/* rt/warm.h -- pages every run of a server writes to, copied with it (warm.c). */
#ifndef RADDLE_RT_WARM_H
#define RADDLE_RT_WARM_H

#include <stdbool.h>

extern bool warm_looks;         /* this run is the one that looks; told by its server */

void warm_look(void);           /* in that run, at its exit: which pages it wrote to */
void warm_keep(void);           /* in its server, when it has ended: these are copied from now on, if that is worth its while */

#endif
