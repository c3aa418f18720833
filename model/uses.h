/* model/uses.h -- def-use: for each value the instructions and constants that use it. */
#ifndef RADDLE_MODEL_USES_H
#define RADDLE_MODEL_USES_H

#include "model/code.h"
#include "model/graph.h"

void uses_make(struct graph *uses, const struct code *c);       /* node: a value; its edges: who uses it */

#endif
