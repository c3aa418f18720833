/* base/clock.h -- how time passes: since some moment, never back, whatever is done to the clock on the wall. */
#ifndef RADDLE_BASE_CLOCK_H
#define RADDLE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t clock_ms(void) { return clock_ns() / 1000000u; }
static inline double clock_seconds(void) { return (double)clock_ns() * 1e-9; }

#endif
