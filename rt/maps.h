/* rt/maps.h -- what is mapped, line by line (maps.c). */
#ifndef RADDLE_RT_MAPS_H
#define RADDLE_RT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

/* `rights`: four letters as in /proc/self/maps, "rw-p".  false: no more. */
typedef bool maps_take(void *with, uint64_t low, uint64_t high, const char *rights);

/* Reads all of it into `room`, then hands over each mapping.  false: it does not fit, could not be read, or somebody wanted no more. */
bool maps_each(char *room, uint64_t bytes, maps_take *take, void *with);

#endif
