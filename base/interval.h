/* base/interval.h -- between which shares the true one lies. */
#ifndef RADDLE_BASE_INTERVAL_H
#define RADDLE_BASE_INTERVAL_H

#include <stdint.h>

/* 95 %, by Wilson: `count` of `of` have been seen.  Of none nothing is known: 0 to 1. */
struct interval { double share, low, high; };
struct interval wilson(uint64_t count, uint64_t of);

#endif
