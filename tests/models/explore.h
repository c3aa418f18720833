/* tests/models/explore.h -- see explore.c. */
#ifndef RADDLE_TESTS_EXPLORE_H
#define RADDLE_TESTS_EXPLORE_H

#include <stdint.h>

#include "tests/models/shape.h"

struct explorer;                /* of one program and model */
struct explored { struct outcomes outcomes; uint64_t runs; char trouble[512]; };

/* `program`: litmus.c, built with raddle.  NULL, and trouble says why. */
struct explorer *explorer_open(const char *program, enum shape_model model, char trouble[512]);
void explorer_close(struct explorer *x);                /* NULL is fine */
/* Every outcome of shape `text`; false: out->trouble says why not. */
bool explore(struct explorer *x, const char *text, struct explored *out);

#endif
