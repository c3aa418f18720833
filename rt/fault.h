/* rt/fault.h -- the one fault this process is to make, if any (fault.c). */
#ifndef RADDLE_RT_FAULT_H
#define RADDLE_RT_FAULT_H

void fault_look(void);          /* objects were noted: is the one among them that the fault is in? */

#endif
