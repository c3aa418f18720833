/* analyses/check/calls.h -- what a program calls that check does not explore yet and no event tells of. */
#ifndef RADDLE_ANALYSES_CHECK_CALLS_H
#define RADDLE_ANALYSES_CHECK_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/* A lock that was tried and had looks like one that was waited for, a timed wait that was woken like any other: only the names of functions tell.
 * True and the first such name: the object calls one, or cannot be asked. */
bool calls_unexplored(const char *object, char *name, size_t room);

#endif
