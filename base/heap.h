/* base/heap.h -- whoever has the lowest key, first.  An all-zero one is empty; of equal keys the lowest `who` comes first. */
#ifndef RADDLE_BASE_HEAP_H
#define RADDLE_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct heap_item { uint64_t key, who; };
/* at[0] is the lowest; nothing below at[i], which are at[2i+1] and at[2i+2] and what is below them, is lower than at[i]. */
struct heap { struct heap_item *at; size_t count, room; };

void heap_push(struct heap *h, uint64_t key, uint64_t who);
struct heap_item heap_pop(struct heap *h);      /* count must not be 0 */
bool heap_before(struct heap_item a, struct heap_item b);
#define heap_release(h) vec_release(h)

#endif
