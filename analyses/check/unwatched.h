/* analyses/check/unwatched.h -- what the code of a program does that makes no event: from its kept bitcode. */
#ifndef RADDLE_ANALYSES_CHECK_UNWATCHED_H
#define RADDLE_ANALYSES_CHECK_UNWATCHED_H

#include <stdbool.h>
#include <stddef.h>

/* True and what: inline assembly, instructions of the processor by name, accesses that are not recorded, functions of libraries that may be
 * called through a pointer; or the bitcode cannot be read. */
bool unwatched_code(const char *object, char *what, size_t room);

#endif
