/* rt/fault.h -- the one fault this process is to make, if any (fault.c). */
#ifndef RADDLE_RT_FAULT_H
#define RADDLE_RT_FAULT_H

#include <stdint.h>

#include "wire/hooks.h"

void fault_look(void);          /* objects were noted: is the one among them that the fault is in? */

/* Behind the doors raddle_fault() and raddle_fault_call() (apart.S). */
uint64_t fault_value(uint64_t bits, uint32_t what, const void *site, const void *address);
struct raddle_fault_call fault_call(uint32_t what, const void *site);

#endif
