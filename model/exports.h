/* model/exports.h -- which variables and functions code outside can name, without having been given a pointer to them. */
#ifndef RADDLE_MODEL_EXPORTS_H
#define RADDLE_MODEL_EXPORTS_H

#include "model/code.h"

/* Sets GLOBAL_EXPORTED and FUNCTION_EXPORTED of all of a program that was read from these objects, and linked (code_link). */
void code_exports(struct code *c, const char *const *paths, size_t count);

#endif
