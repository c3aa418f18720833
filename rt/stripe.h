/* rt/stripe.h -- the counters that order operations on one object.
 * count: operations numbered so far.  seq: odd while an atomic operation is under way (atomic.c); a reader that saw the
 * same even number before and after saw no operation in between. */
#ifndef RADDLE_RT_STRIPE_H
#define RADDLE_RT_STRIPE_H

#include <stdint.h>

#include "wire/ring.h"

struct stripe {
	uint64_t count;
	uint32_t seq;
	char pad[52];
} __attribute__((aligned(64)));

extern struct stripe stripes[VERSION_STRIPES];

#endif
