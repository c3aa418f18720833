/* model/addresses.h -- does a program ask more of the address of a heap block than whether it is the same?  Where a block lies may depend on who
 * allocated first. */
#ifndef RADDLE_MODEL_ADDRESSES_H
#define RADDLE_MODEL_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

/* Does code of this object (which is lower, a sum, a hash of it)?  `where` names the function; true, too, if its code cannot be looked at. */
bool addresses_counted(const char *object, char *where, size_t room);
/* The same of addresses of locals, and of what pthread_create() calls a thread: does it do more with that than to hand it to functions of threads? */
bool stacks_counted(const char *object, char *where, size_t room);

#endif
