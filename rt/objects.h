/* rt/objects.h -- the recorder is told of the objects this process has loaded (objects.c). */
#ifndef RADDLE_RT_OBJECTS_H
#define RADDLE_RT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

void objects_note(void);                        /* of all that are loaded now; takes the loader's lock */
/* In the child of fork, where that lock may be held by nobody: of those its parent, process `parent` of the ring, told of. */
void objects_forked(uint32_t parent);

bool objects_have(const void *p);               /* it lies in one of those the recorder was told of */

/* Before dlopen(name), after dlclose: see objects.c. */
void objects_opening(const char *name);
void objects_closed(uint64_t pc);

#endif
