/* tests/models/explore.h -- see explore.c. */
#ifndef RADDLE_TESTS_EXPLORE_H
#define RADDLE_TESTS_EXPLORE_H

#include <stdint.h>

#include "tests/models/shape.h"

struct explored { struct outcomes outcomes; uint64_t runs; char trouble[512]; };

/* Every outcome of shape `text` of steered runs of `program` (litmus.c, built with raddle); false: out->trouble says why not. */
bool explore(const char *program, const char *text, enum shape_model model, struct explored *out);

#endif
