/* rt/memories.h -- the shared memories as they are where a server stands: put back before each run it makes (memories.c). */
#ifndef RADDLE_RT_MEMORIES_H
#define RADDLE_RT_MEMORIES_H

#include <stdbool.h>

/* As they are now, in place of what was saved before.  false: there is no memory for it. */
bool memories_save(void);
void memories_restore(void);

#endif
