/* rt/handed.h -- the records of a run that another one of the same process follows (handed.c). */
#ifndef RADDLE_RT_HANDED_H
#define RADDLE_RT_HANDED_H

#include <stdbool.h>

/* Where the first run begins: what the ring is put back to. */
void handed_start(void);
/* The run is over: its records are raddle's, and the ring is as it was.  false: there is no room for them; nothing was changed. */
bool handed_over(void);
/* The run is over, and raddle has looked at its records in the ring: that is as it was. */
void handed_forget(void);

#endif
