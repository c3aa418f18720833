/* model/points_set.h -- a set of numbers that remembers the order they came in; small ones are searched, others hashed. */
#ifndef RADDLE_MODEL_POINTS_SET_H
#define RADDLE_MODEL_POINTS_SET_H

#include <stdbool.h>
#include <stdint.h>

struct set { uint32_t *at, *slots; uint32_t count, room, slot_room; };         /* slots: index in at + 1, 0 free */

bool set_add(struct set *s, uint32_t element);  /* false: it was there */
void set_release(struct set *s);

#endif
