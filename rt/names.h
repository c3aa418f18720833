/* rt/names.h -- names of strands that share one kernel thread (names.c). */
#ifndef RADDLE_RT_NAMES_H
#define RADDLE_RT_NAMES_H

#include "rt/steer.h"

bool names_are_ours(void);                                              /* of strands; the kernel keeps those of threads nobody steers */
int names_set(struct strand *s, const char *name);                      /* 0, ERANGE, or ENOENT: it has ended */
int names_get(const struct strand *s, char *to, size_t room);           /* the same */

#endif
