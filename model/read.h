/* model/read.h -- bitcode into code, in a process of its own: whatever LLVM does with hostile bytes, it does not do it here. */
#ifndef RADDLE_MODEL_READ_H
#define RADDLE_MODEL_READ_H

#include "model/code.h"
#include "model/section.h"

/* All units of `count` objects; lift: as MODEL_LIFTED says.  0; or -1 and why: no libLLVM, or bitcode it cannot read. */
int read_sections(struct code *c, const struct section *sections, const char *const *paths, size_t count, bool lift, struct err *why);

#endif
